"""Judges a game of Dice Math that was played in the browser.

    python3 math.py REPORT INPUTS

REPORT is what the page posted, INPUTS what it was given. The rules are told here once more, by themselves:
players take turns, a pawn moves clockwise over nine sections by the sum or the difference of two dice, and
who lands on the ninth wins.
"""

import json
import os
import sys

NAMES = ["Ann", "Ben"]


def check(is_right, sentence):
    if not is_right:
        sys.exit(sentence)


def solution(question, values):
    """The answer to a question of a practice, worked out here."""
    first, sign, second = (question.split() + ["", ""])[:3]
    if sign not in ("+", "−", "×"):
        return len(values)
    one, other = int(first), int(second)
    check(sorted((one, other)) == sorted(values), f"{question!r} is asked about {values}.")
    return {"+": one + other, "−": abs(one - other), "×": one * other}[sign]


def check_practice(practice):
    streak, level, asked = 0, 2, {"+": 0, "−": 0}
    for number, turn in enumerate(practice["rounds"]):
        # Sums alone, then sums and differences in turn from the third level's first question on.
        sign = "−" if level == 3 and (number - 6) % 2 == 1 else "+"
        check(f" {sign} " in turn["question"], f"Level {level} asks {turn['question']!r}.")
        check(turn["answer"] == solution(turn["question"], turn["values"]), f"{turn} is called right.")
        asked[sign] += 1
        streak = 0 if number == 0 else streak + 1
        if streak == 5:
            level = 3
        check((turn["streak"], turn["reached"]) == (streak, level),
              f"After {number + 1} questions the streak is {turn['streak']}, the level {turn['reached']}.")
    check("less" in practice["hint"], f"99 is followed by {practice['hint']!r}.")
    left = {key: practice["left"][key] for key in ("values", "question")}
    check(practice["again"] == left, f"{practice['again']} goes on where {left} was left.")
    check("Add and subtract" in practice["offered"], f"The offer is {practice['offered']!r}.")
    count = len(practice["rounds"])
    check(practice["cells"] == [[count, count, count - 1]], f"The log's totals are {practice['cells']}.")
    check(len(practice["latest"]) == count and "not 99" in practice["latest"][-1],
          f"The log's questions are {practice['latest']}.")
    counted = practice["counted"]
    check(counted["answer"] == len(counted["values"]) and str(counted["answer"]) in counted["told"],
          f"Counting: {counted}.")
    print(f"practice: {count} questions, the streak {streak} leads to level {level}, a question waits over a reload")


def check_saved(saved, refusals):
    before, after, undone = saved["before"], saved["after"], saved["undone"]
    for key in ("phase", "turn", "values", "sections", "asked"):
        check(before[key] == after[key], f"{key} was {before[key]!r} and is {after[key]!r} after a reload.")
    check(undone["sections"] == "1 1" and undone["phase"] == "answering",
          f"A game that goes on is undone to {undone['sections']!r}, {undone['phase']}.")
    for number, refusal in enumerate(refusals):
        check(refusal["sentence"].endswith(".") and "cannot be read" in refusal["shown"],
              f"Text {number} is refused with {refusal}.")
        check(refusal["isGone"] and refusal["keepsTheOther"], f"Text {number} leaves {refusal}.")
    print(f"saved games: one goes on over a reload; {len(refusals)} texts that are none are refused")


def main(report_path, inputs_path):
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    with open(inputs_path, encoding="utf-8") as file:
        inputs = json.load(file)
    check("failure" not in report, report.get("failure"))
    game = report["game"]

    places, winner = [1, 1], None
    for number, turn in enumerate(game["turns"]):
        player, values, answer = turn["player"], turn["values"], turn["answer"]
        check(player == number % 2, f"Turn {number} is player {player}'s.")
        check(len(values) == 2 and all(1 <= value <= 6 for value in values), f"A roll is {values}.")
        if not turn["isVirtual"]:
            check(sorted(values) in inputs["throws"],
                  f"The camera shows {inputs['throws']}, the page reads {values}.")
        check(answer in (sum(values), abs(values[0] - values[1])), f"{answer} is no answer to {values}.")
        check(winner is None, "The game goes on after somebody has won.")
        if "undone" in turn:
            check(turn["undone"] == " ".join(map(str, places)), "Undo does not put the pawn back.")
        places[player] = (places[player] - 1 + answer) % 9 + 1
        check(turn["sections"] == places, f"The pawns are on {turn['sections']}, not on {places}.")
        check(NAMES[player] in turn["told"], f"Screen readers are told {turn['told']!r}.")
        if places[player] == 9:
            winner = player
    check(winner is not None, f"Nobody has won in {len(game['turns'])} turns.")
    check(game["winner"] == str(winner), f"The page names {game['winner']!r} as the winner, not {winner}.")
    check(NAMES[winner] in game["status"], f"The page says {game['status']!r}.")
    check("less" in game["turns"][0]["hint"], f"99 is followed by {game['turns'][0]['hint']!r}.")
    ways = [turn["way"] for turn in game["turns"]]
    wanted = {"drawn", "typed"} | ({"spoken"} if inputs["spoken"] is not None else set())
    check(wanted <= set(ways), f"Answers were {ways}, not {wanted}.")
    print(f"game: {NAMES[winner]} wins rightly after {len(ways)} rolls; answers were "
          + ", ".join(ways))

    check(report["offeredAfterwards"] == 0, "A game that is over is offered again.")
    check_practice(report["practice"])
    check_saved(report["saved"], report["refusals"])

    check(not report["problems"], "\n".join(report["problems"]))
    print("walk: every control has a name, is reached with the keyboard, and is 44 pixels or larger")
    check(not report["mishappened"], "\n".join(report["mishappened"]))
    print("mishaps: palms, double taps, hidden pages, strange settings and missing files are borne")
    check(len(report["offline"]["values"].split()) == 2, "Without the server nothing is rolled.")
    check(report["offline"]["status"].startswith("Virtuelle"), "Without the server there is no German.")
    print("offline: the game begins without the server")

    camera, ready = game["camera"], report["readyMilliseconds"]
    print(f"speed: ready {ready} ms after opening, the first frame read {camera['firstReading']} ms after "
          f"Camera; {camera['framesPerSecond']} frames a second, {camera['milliseconds']} ms per frame")
    load, processors = os.getloadavg()[0], os.cpu_count()
    if load > 2 * processors + 2:
        print(f"speed: not judged, the load of this computer is {load:.0f} on {processors} processors")
        return
    check(ready <= 2000, f"The page is ready after {ready} ms, not within 2 s.")


if __name__ == "__main__":
    main(*sys.argv[1:])

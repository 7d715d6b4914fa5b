/// The pages of `dicevision live`, which need nothing from elsewhere.
enum LivePages {
  /// What all pages share: addresses that keep the token, events, and dice that are drawn.
  static let script = #"""
    const token = new URLSearchParams(location.search).get("token");
    const at = (path) => {
      const address = new URL(path, location.href);
      if (token) address.searchParams.set("token", token);
      return address;
    };
    // Calls back with each event; the browser connects again by itself, and gets what it missed.
    const listen = (path, take, lost) => {
      const source = new EventSource(at(path));
      source.onmessage = (message) => take(JSON.parse(message.data));
      source.onopen = () => lost(false);
      source.onerror = () => {
        lost(true);
        // A refusal ends an EventSource for good.
        if (source.readyState === 2) setTimeout(() => listen(path, take, lost), 3000);
      };
    };
    const pips = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8],
      6: [0, 2, 3, 5, 6, 8] };
    // What a die shows; a question mark where it may as well show something else.
    const shown = (die) => (die.kind ? die.face : String(die.value)) + (die.alternatives ? "?" : "");
    const named = (die) => (die.kind && die.kind !== "d6" ? die.kind + ": " : "") + shown(die);
    const diceOf = (roll) => roll.dice ?? roll.values.map((value) => ({ value }));
    const total = (roll) => roll.total ?? roll.sum;
    const drawn = (found) => {
      const value = found.value;
      const die = document.createElement("span");
      die.className = "die";
      die.setAttribute("role", "img");
      die.setAttribute("aria-label", named(found));
      if (found.kind && found.kind !== "d6" || found.alternatives || !pips[value]) {
        die.classList.add("number");
        die.textContent = shown(found);
        if (found.kind) die.dataset.kind = found.kind;
        return die;
      }
      for (let place = 0; place < 9; place++) {
        const pip = document.createElement("i");
        if (pips[value].includes(place)) pip.className = "pip";
        die.append(pip);
      }
      return die;
    };
    const $ = (name) => document.getElementById(name);
    """#

  /// How dice are drawn; `--size` is that of one.
  static let diceStyle = #"""
    .die { display: inline-grid; grid-template: repeat(3, 1fr) / repeat(3, 1fr);
      width: var(--size, 3rem); height: var(--size, 3rem); padding: 12%; box-sizing: border-box;
      border-radius: 18%; background: var(--face, #fdfcfa); color: var(--pip, #1d1f1b);
      font: 700 calc(var(--size, 3rem) / 2)/1 system-ui, sans-serif; place-items: center;
      margin: 0 .15em .15em 0; }
    .die.number { display: inline-flex; flex-direction: column; align-items: center;
      justify-content: center; padding: 0; vertical-align: top; }
    .die[data-kind]::after { content: attr(data-kind); font-size: .4em; opacity: .75; }
    .die i { width: 70%; aspect-ratio: 1; border-radius: 50%; }
    .die i.pip { background: currentColor; }
    """#

  private static func file(title: String, style: String, body: String, script own: String) -> String
  {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <style>
    \(diceStyle)
    \(style)
    </style>
    \(body)
    <script>
    \(script)
    \(own)
    </script>
    </html>

    """
  }

  /// The table.
  static let table = file(
    title: "Dice", style: tableStyle, body: tableBody, script: tableScript)
  /// Dice for streams.
  static let overlay = file(
    title: "Dice overlay", style: overlayStyle, body: overlayBody, script: overlayScript)
  /// Large type, and speech.
  static let large = file(
    title: "Dice in large type", style: largeStyle, body: largeBody, script: largeScript)
  /// This browser's camera.
  static let camera = file(
    title: "Dice camera", style: cameraStyle, body: cameraBody, script: cameraScript)
}

"""Runs every command of the documents, in a folder with files of the names that they use.

    python3 commands.py TOOL FOLDER [DOCUMENT...]

TOOL is the built command line tool, FOLDER is made anew. A block whose language is `sh` is run as it
stands, unless an HTML comment directly above it says why not:

    <!-- not run: REASON -->     a device is needed, or it is run elsewhere
    <!-- long -->                it takes long
    <!-- needs: PROGRAM -->      it is run where the program is installed
    <!-- command -->             run and compared by Tests/Commands/run

Trainings and renderings are cut short by a stand-in for the tool, which calls the real one with fewer
samples and scenes: what is checked is that the call is right.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from documents import ROOT, blocks, documents

STAND_IN = """#!/usr/bin/env bash
# Cuts what takes long: a later value of an option is not allowed, so the given one is replaced.
set -euo pipefail
command=${1:-}
[ $# -eq 0 ] || shift
arguments=()
replace() { # $1 the option, $2 its value
  local kept=() skips=
  for argument in ${arguments[@]+"${arguments[@]}"}; do
    if [ -n "$skips" ]; then skips=; elif [ "$argument" = "$1" ]; then skips=1; else kept+=("$argument"); fi
  done
  arguments=(${kept[@]+"${kept[@]}"} "$1" "$2")
}
arguments=("$@")
case $command in
  train)
    replace --samples 4; replace --batch 2; replace --input 96; replace --crop 96
    [[ " ${arguments[*]} " == *" --restart "* ]] || arguments+=(--restart) ;;
  render)
    replace --count 1; replace --width 96; replace --height 96 ;;
esac
[ -n "$command" ] || exec "$TOOL"
exec "$TOOL" "$command" ${arguments[@]+"${arguments[@]}"}
"""

# The page of the tool's options is printed by the tool and holds no comments: calls that need a
# camera, the network or hours are known by these words.
GENERATED = "Tool.md"
LEFT_OUT_THERE = r"\[OPTIONS\]|/dev/|https?://|--recipe|--throws"


def stage(folder, tool):
    """A folder with a picture, a film, sets of photos and weights, under all names in use."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    stand_in = folder / "bin" / "dicevision"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    scenes = ROOT / "Fixtures" / "scenes"
    for name in ("roll.jpg", "table.jpg"):
        shutil.copy(scenes / "scene-15.jpg", folder / name)
    annotations = (scenes / "annotations.json").read_text()
    for name in ("photos", "mine", "scenes"):
        shutil.copytree(scenes, folder / name)
        (folder / name / "validation.json").write_text(annotations)
        shutil.copy(scenes / "scene-15.jpg", folder / name / "roll.jpg")
    for name in ("a", "b", "set", "faces", "whole"):
        (folder / f"{name}.json").write_text(annotations)
    shutil.copytree(scenes, folder / "images")
    (folder / "Sources" / "DiceBundledWeights").mkdir(parents=True)
    (folder / "Docs").symlink_to(ROOT / "Docs")
    # Whoever's shell is set up by an example, it is not that of the caller.
    (folder / ".config" / "fish" / "completions").mkdir(parents=True)
    clip = ROOT / "Fixtures" / "clips" / "throw-34.mjpeg"
    if shutil.which("ffmpeg"):
        for name in ("roll.mp4", "roll.y4m"):
            subprocess.run(
                ["ffmpeg", "-loglevel", "error", "-framerate", "30", "-i", clip, "-pix_fmt",
                 "yuv420p", folder / name], check=True)
    environment = os.environ | {
        "TOOL": str(tool), "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "SWIFT_BACKTRACE": "enable=no"}
    subprocess.run(
        ["dicevision", "train", "--from", "standard", "--output", "mine.dvweights",
         "set.json"], cwd=folder, env=environment, check=True, capture_output=True)
    for name in ("dice", "new", "small"):
        shutil.copy(folder / "mine.dvweights", folder / f"{name}.dvweights")
    # Put the picture of the tool's examples under its other name.
    subprocess.run(
        ["dicevision", "detect", "--annotate", "table.png", "table.jpg"], cwd=folder,
        env=environment, check=True, capture_output=True)
    return environment


def reason_to_leave_out(block):
    """Why a block is not run, or None."""
    marker = block.marker.split("\n")[0].strip()
    if marker == "command":
        return "run by Tests/Commands/run"
    if marker == "long" or marker.startswith("not run:"):
        return marker
    if marker.startswith("needs:"):
        program = marker.removeprefix("needs:").strip()
        return None if shutil.which(program) else f"{program} is not installed"
    if block.document.name == GENERATED and "ffmpeg" in block.code and not shutil.which("ffmpeg"):
        return "ffmpeg is not installed"
    return None


def main():
    tool, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    wanted = [Path(name).resolve() for name in sys.argv[3:]]
    environment = stage(folder, tool)
    run, left_out, failed = 0, 0, 0
    for document in documents():
        if wanted and document not in wanted:
            continue
        for block in blocks(document):
            if block.language != "sh":
                continue
            reason = reason_to_leave_out(block)
            if reason:
                left_out += 1
                print(f"-- {block.place}: left out ({reason})")
                continue
            # Examples of the generated page stand one by one, with empty lines between them.
            parts = re.split(r"\n\s*\n", block.code) if document.name == GENERATED else [block.code]
            for part in parts:
                if document.name == GENERATED and re.search(LEFT_OUT_THERE, part):
                    left_out += 1
                    continue
                result = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", part], cwd=folder, env=environment,
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
                run += 1
                if result.returncode != 0:
                    failed += 1
                    print(f"{block.place}: status {result.returncode}\n{part}\n{result.stderr}",
                          file=sys.stderr)
    print(f"{run} commands were run, {left_out} left out, {failed} failed")
    if failed or (not wanted and run < 20):
        sys.exit(1)


main()

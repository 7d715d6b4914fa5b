#!/usr/bin/env bash
# Draws the scenes of this folder again, byte for byte, each kind in a folder of its own with its annotations.
# No training has seen these seeds; the pictures are the first of each row, not chosen ones.
#
#   bash Fixtures/accuracy/generate.sh [TOOL] [FOLDER]
#
# TOOL is `dicevision` beside `dicevision-workshop`, as `swift build -c release` builds them, FOLDER where to write, this folder without it.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
tool="${1:-$here/../../.build/release/dicevision}"
folder="${2:-$here}"

draw() { # KIND WIDTH HEIGHT COUNT SEED OPTIONS...
  "$tool" render --width "$2" --height "$3" --count "$4" --seed "$5" --output "$folder/$1" "${@:6}"
}

draw plain 400 300 6 1200001 --style plain
draw varied 400 300 12 1200101 --style varied
draw from-low 400 300 4 1200201 --style varied --elevation 25-40
draw from-above 400 300 3 1200301 --style varied --elevation 70-90
draw small 480 360 3 1200401 --style varied --dice 8-20 --die-size 4-7
draw rare 400 300 4 1200501 --style varied --makes rare --dice 2-8 --die-size 6-24
draw among-hard-negatives 400 300 3 1200601 --style lookalikes --dice 1-6
draw hard-negatives 400 300 6 1200701 --style lookalikes

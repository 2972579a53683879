#!/usr/bin/env bash
# pyte 0.8.2: erasing the display colours only the cells that something was written to before.
#
# Guessed: "erase in display" with a blue background makes the whole screen blue, as a terminal with
# back_color_erase does, or none of it, as one without.
# Seen: lines are sparse, and erasing walks over the cells that exist. On a fresh screen nothing turns
# blue, after "ab" two cells of three do. Erasing to the end of a line fills them all. A test that
# compares colours after a full repaint depends on what stood on the screen before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" pyte==0.8.2
cat >"$folder/erased.py" <<'PY'
import pyte


def backgrounds(data):
    screen = pyte.Screen(3, 1)
    pyte.ByteStream(screen).feed(data)
    return [screen.buffer[0][column].bg for column in range(3)]


print("fresh ", backgrounds(b"\x1b[44m\x1b[2J"))
print("used  ", backgrounds(b"ab\x1b[44m\x1b[2J"))
print("line  ", backgrounds(b"\x1b[44m\x1b[K"))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/erased.py")
echo "$seen"
[ "$seen" = "fresh  ['default', 'default', 'default']
used   ['blue', 'blue', 'default']
line   ['blue', 'blue', 'blue']" ]

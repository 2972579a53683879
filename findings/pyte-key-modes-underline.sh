#!/usr/bin/env bash
# pyte 0.8.2: asking for modified keys (CSI > 4 ; 2 m, as editors do at their start) underlines all that follows.
#
# Guessed: a sequence with a private prefix that it does not know is skipped, as CSI > 1 u is.
# Seen: the prefix is dropped and the rest is read as SGR 4 (underline) and 2. The prefix of CSI < and
# CSI = counts for nothing either. Whoever records a program in pyte sees an underlined screen that no
# terminal shows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" pyte==0.8.2
cat >"$folder/keys.py" <<'PY'
import pyte


def first(data):
    screen = pyte.Screen(8, 1)
    pyte.ByteStream(screen).feed(data)
    cell = screen.buffer[0][0]
    return cell.data, cell.underscore


print("plain", first(b"X"))
print("keyboard protocol", first(b"\x1b[>1uX"))
print("modified keys", first(b"\x1b[>4;2mX"))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/keys.py")
echo "$seen"
[ "$seen" = "plain ('X', False)
keyboard protocol ('X', False)
modified keys ('X', True)" ]

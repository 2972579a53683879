#!/usr/bin/env bash
# rich 15.0.0: TERM=screen-256color has 256 colours, TERM=screen-256color-bce has 16.
#
# Guessed: the name is looked up in terminfo, or searched for "256color".
# Seen: only what follows the last hyphen counts. GNU screen's own entries for terminals that erase
# with the background colour end in -bce (screen-256color-bce, xterm-256color-bce), and lose 240 colours.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" rich==15.0.0
cat >"$folder/colours.py" <<'PY'
from rich.console import Console

for term in ("screen-256color", "screen-256color-bce", "xterm-256color-bce", "xterm"):
    environ = {"TERM": term}
    print(term, Console(force_terminal=True, _environ=environ).color_system)
PY
seen=$(PYTHONPATH=$folder python3 "$folder/colours.py")
echo "$seen"
[ "$seen" = "screen-256color 256
screen-256color-bce standard
xterm-256color-bce standard
xterm standard" ]

#!/usr/bin/env bash
# tictactoe-py 1.0.0: a complete line below an empty row has no winner.
#
# Guessed: board_winner returns the mark of whichever line is complete.
# Seen: the first line of three equal cells counts, and three empty cells are equal: with the top row
# empty it returns None for X X X in the middle row, and X once a mark is in the top row. The search
# of play_best_move asks it, so it overlooks wins and can be beaten as O, in five plies.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder" tictactoe-py==1.0.0
cat >"$folder/won.py" <<'PY'
from tictactoe import board_winner

E = None
print("top row empty:", board_winner((E, E, E, "X", "X", "X", "O", "O", E)))
print("a mark in it:", board_winner((E, E, "O", "X", "X", "X", "O", E, E)))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/won.py")
echo "$seen"
[ "$seen" = $'top row empty: None\na mark in it: X' ]

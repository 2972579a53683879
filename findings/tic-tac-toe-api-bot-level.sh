#!/usr/bin/env bash
# tic-tac-toe-api-bot 0.2.7: at level 100 the bot still moves at random once in 101 moves.
#
# Guessed: at level 100, the highest, it always takes a win that is on the board.
# Seen: it plays by rule if randint(0, 100) > 100 - level, and 0 of these 101 numbers is not above 0:
# of 20,000 times it overlooks the win about 150 times, when the random cell is another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder" tic-tac-toe-api-bot==0.2.7
cat >"$folder/wins.py" <<'PY'
import random

from tic_tac_toe import Bot, Field

random.seed(1)
overlooked = 0
for _ in range(20_000):
    field = Field(turn="bot")
    field.map = [["o", "o", ""], ["x", "x", ""], ["", "", ""]]
    Bot(field, level=100).make_move()
    overlooked += field.map[0][2] != "o"
print("overlooked:", overlooked, "of 20,000")
PY
seen=$(PYTHONPATH=$folder python3 "$folder/wins.py")
echo "$seen"
[[ $seen =~ ^overlooked:\ 1[0-9][0-9]\ of ]]

#!/usr/bin/env bash
# open-spiel 2.0.2: a tabular policy of tic-tac-toe has 294,778 rows, one for each order of moves.
#
# Guessed: a row for each board in which somebody is to move: 4,520.
# Seen: rows are keyed by the history of the game, so the same board stands in many of them, and they may
# hold different moves. Reading one row a board (as every adapter to a table does) can miss the row in
# which the policy loses. The reinforcement-learning environments of the same package give the board alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" open-spiel==2.0.2
cat >"$folder/rows.py" <<'PY'
import pyspiel

game = pyspiel.load_game("tic_tac_toe")


def after(*moves):
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


one, other = after(0, 4, 8), after(8, 4, 0)
print("same board:", str(one) == str(other))
print("same key:", one.information_state_string() == other.information_state_string())
keys, boards, waiting = set(), set(), [game.new_initial_state()]
while waiting:
    state = waiting.pop()
    if not state.is_terminal():
        keys.add(state.information_state_string())
        boards.add(str(state))
        waiting += [state.child(move) for move in state.legal_actions()]
print(len(boards), "boards,", len(keys), "keys")
PY
seen=$(PYTHONPATH=$folder python3 "$folder/rows.py")
echo "$seen"
[ "$seen" = "same board: True
same key: False
4520 boards, 294778 keys" ]

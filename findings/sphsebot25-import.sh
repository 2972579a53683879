#!/usr/bin/env bash
# sphsebot25 0.1.0: importing its tic-tac-toe begins a game of Connect 4.
#
# Guessed: `from ebotsphs25 import tictactoe` defines functions and does nothing else.
# Seen: the package imports its five games, and connect4.py plays at module level: it prints a board
# and asks for a column. Who only wants computer_move has to answer, or gets an EOFError where nobody
# types, as in a test or a grader. The file of tic-tac-toe alone, loaded by its path, is quiet.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder" sphsebot25==0.1.0
python3 -m pip install -q --disable-pip-version-check --target "$folder" numpy==2.2.6
cat >"$folder/told.py" <<'PY'
import contextlib
import io
import sys
from pathlib import Path

said = io.StringIO()
with contextlib.redirect_stdout(said):
    try:
        from ebotsphs25 import tictactoe
        end = "imported"
    except EOFError:
        end = "EOFError"
print("the package:", end, "| asks for a column:", "Player turn" in said.getvalue())
sys.path.insert(0, str(Path(__file__).with_name("ebotsphs25")))
import tictactoe
print("the file alone answers:", tictactoe.computer_move(list("XX O     ")))
PY
seen=$(PYTHONPATH=$folder python3 "$folder/told.py" </dev/null)
echo "$seen"
[ "$seen" = $'the package: EOFError | asks for a column: True\nthe file alone answers: 2' ]

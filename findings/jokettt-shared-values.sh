#!/usr/bin/env bash
# jokettt 1.0.0: all TD learners of a process write to one table, so O rates at 1 the board on which it lost.
#
# Guessed: each LearnerPlayer starts with a table of its own, in which a lost board is worth 0, as its
# documentation has it.
# Seen: the table is a default argument, made once. X wins, and the board enters the table with 1; an O
# that is made afterwards has this table, sees that the board is known, and leaves it at 1. Two
# learners that play each other move the same numbers up and down. With a dict of its own for each
# (init_values={}), O has 0. (The modules of the package import board.py, which a folder of the same
# name hides: it has to be loaded by its path.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder" jokettt==1.0.0 numpy==2.2.6
cat >"$folder/shared.py" <<'PY'
import importlib.util
import sys
from pathlib import Path

import jokettt

path = Path(jokettt.__file__).with_name("board.py")
spec = importlib.util.spec_from_file_location("jokettt.board", path)
sys.modules["jokettt.board"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from jokettt.learnerplayer import LearnerPlayer

board = module.Board("x", "o", None, [["x", "x", "_"], ["o", "o", "_"], ["_", "_", "_"]])
x = LearnerPlayer("x", board)
row, column = x.move(board)
lost, _ = board.place_pawn(row, column, "x")
print("X marks", (row, column))
print("by default, O rates its loss at", LearnerPlayer("o", board).values[lost])
print("with its own table, at", LearnerPlayer("o", board, {}).values[lost])
PY
seen=$(PYTHONPATH=$folder python3 "$folder/shared.py")
echo "$seen"
[ "$seen" = "X marks (0, 2)
by default, O rates its loss at 1.0
with its own table, at 0.0" ]

"""A board's picture shows its marks and what the mover's learner knows."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from game import Board, space
from learners.export import board_svg
from learners.players.resolve import parse_player
from learners.tape.run import Run

TEXT = "{http://www.w3.org/2000/svg}text"


def texts(run: Run, board: Board) -> list[str]:
    root = ET.fromstring(board_svg(run.layout, run.memory, board))
    return [element.text or "" for element in root.iter(TEXT)]


def test_every_cell_shows_its_mark_or_the_mover_s_value():
    td = parse_player("td")
    run = Run(td, td, 3)
    run.train(300)
    board = Board.parse("X...O....")
    values = run.layout.x.preferences(run.memory)
    shown = [
        mark if mark != "." else f"{values[space().edge_of[board.id, cell]]:.4g}"
        for cell, mark in enumerate(str(board))
    ]
    assert texts(run, board) == shown


def test_a_finished_board_shows_its_marks_only():
    td = parse_player("td")
    assert texts(Run(td, td), Board.parse("XXXOO....")) == list("XXXOO")

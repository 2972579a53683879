"""The sentences of a game without a screen, each a pure function."""

import re

import pytest

from afterstate_lab.game import Board, reachable_boards
from afterstate_lab.game.exact import minimax
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.log import Judged, holding_cells
from afterstate_lab.tui.plain.dialogue import Dialogue


def test_what_the_coach_says_agrees_with_minimax_everywhere():
    for board in list(reachable_boards())[::7]:
        sign = 1 if board.to_move == "X" else -1
        for cell in board.legal_cells:
            after = board.play(cell)
            lost = sign * minimax(after) < sign * minimax(board)
            said = Judged.of(board, cell).sentence
            assert (": only " in said) == lost
            assert said.endswith(".")
            assert said.isascii()
            if not after.is_over:
                right = [c for c in after.legal_cells if minimax(after.play(c)) == minimax(after)]
                assert list(holding_cells(after)) == right


@pytest.mark.parametrize("spec", ["menace", "menace-article", "menace-code"])
def test_beads_on_the_board_are_told_as_numbers(spec: str):
    dialogue = Dialogue(Run.of(parse_player("human"), parse_player(spec), 0))
    dialogue.begin()
    dialogue.answer("hints values")
    told = " ".join(dialogue.answer("beads"))
    shares = [int(share) for share in re.findall(r"(\d+)%", told)]
    assert sum(shares) == pytest.approx(100, abs=4) and told.count("(as ") == 9 - len(shares)


JUDGED = """
XX.OO....  3  Cell 3 wins; cells 6, 7, 8 and 9 would lose the win.
X.....O..  3  Cell 3 keeps the win; cells 4, 5, 6 and 8 would lose the win.
.........  5  Cell 5 keeps the draw, as every cell does.
X........  2  Cell 2 lost the draw: only cell 5 kept it.
X...O...X  2  Cell 2 keeps the draw; cells 3 and 7 would lose.
"""


def test_the_coach_names_cells_as_cells_and_says_where_every_cell_loses():
    for line in JUDGED.strip().splitlines():
        board, cell, said = line.split(maxsplit=2)
        assert Judged.of(Board.parse(board), int(cell) - 1).sentence == said
    lost = [b for b in reachable_boards() if not b.is_over and (1, -1)[b.ply % 2] * minimax(b) < 0]
    assert lost
    for board in lost[:200]:
        for cell in board.legal_cells:
            assert Judged.of(board, cell).sentence == "Already lost: every cell loses."

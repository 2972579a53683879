"""The sentences of a game without a screen, each a pure function."""

import pytest

from afterstate_lab.game import Board, reachable_boards
from afterstate_lab.game.exact import minimax
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, NoBackup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.speech import listed
from afterstate_lab.tui.lab.coach import Judged, holding_cells
from afterstate_lab.tui.plain.says import knowledge_lines, learned_lines, number, went


def test_cells_values_and_changes_are_told_as_a_person_does():
    told = [listed(cells) for cells in ([4], [0, 8], [0, 2, 6, 8], [])]
    assert told == ["5", "1 and 9", "1, 3, 7 and 9", ""]
    assert list(map(number, (0.4021, -0.017, 1.0, 0.0))) == [".402", "-.017", "1.00", ".000"]
    assert went(0.402, 0.371) == "went from .402 to .371"
    assert went(0.5, 0.50004) == "went from .50000 to .50004"
    assert went(0.5, 0.50001) == "went from .50000 to .50001"
    assert went(0.5, 0.5) == "stayed at .500"


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


def test_each_entry_is_told_once_and_an_exploratory_move_teaches_nothing():
    run = Run(parse_player("tdlambda"), parse_player("tdlambda"))
    events = run.play({1: 0, 2: 1, 3: 3, 4: 4, 5: 6}).events()
    writes = [e.entry for e in events if isinstance(e, Backup) and e.player == "X"]
    assert len(writes) > len(set(writes)) == len(learned_lines(events, run.layout.x))
    run = Run(parse_player("td"), parse_player("td"))
    events = run.play({1: 0, 2: 3, 3: 1, 4: 8, 5: 4}).events()
    assert any(isinstance(event, NoBackup) for event in events)
    said = "X's value of X on 1 and 2, O on 4 stayed as it was: the move after it was exploratory."
    assert said in learned_lines(events, run.layout.x)
    silent = Run(parse_player("menace:draw=0,win=0,loss=0"), parse_player("random"))
    told = learned_lines(silent.play().events(), silent.layout.x)
    assert told == ["X learned nothing from this game."]


@pytest.mark.parametrize("spec", ["menace", "menace-article", "menace-code"])
def test_beads_are_told_as_shares_that_sum_to_one(spec: str):
    run = Run(parse_player(spec), parse_player("random"))
    run.train(50)
    heading, *rows = knowledge_lines(run.layout.x, run.memory, Board())
    assert heading == "How sure X is of each move, by its beads:"
    shares = [int(share.removesuffix("%")) for row in rows for share in row.split()]
    assert sum(shares) == pytest.approx(100, abs=4)


JUDGED = """
XX.OO....  3  Cell 3 wins; cells 6, 7, 8 and 9 would lose the win.
X.....O..  3  Cell 3 keeps the win; cells 4, 5, 6 and 8 would lose the win.
.........  5  Cell 5 keeps the draw, as every cell does.
X........  2  Cell 2 loses: only cell 5 kept the draw.
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

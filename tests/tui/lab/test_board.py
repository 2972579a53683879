"""The board in each learner's own terms."""

import pytest

from afterstate_lab.game import space
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.tui.blocks.cells import Cells
from afterstate_lab.tui.lab.board import board_view
from afterstate_lab.tui.lab.log import errors_applied, event_line
from afterstate_lab.tui.lab.session import Session, Settings
from afterstate_lab.tui.lab.stepping import go_on_a_move
from afterstate_lab.tui.theme.numerals import signed
from afterstate_lab.tui.views.words import Words


def session(x: str, o: str = "random", games: int = 0) -> Session:
    made = Session(Settings(parse_player(x), parse_player(o), 3))
    made.run.train(games)
    return made


def played(made: Session, moves: int) -> Cells:
    for _ in range(moves):
        go_on_a_move(made)
    return board_view(made)


def said(words: Words) -> str:
    return words if isinstance(words, str) else "".join(text for text, _ in words)


@pytest.mark.parametrize("rule", ["q", "sarsa", "expected-sarsa"])
def test_empty_cells_show_the_action_values_of_the_mover(rule):
    made = session(rule, games=50)
    view = played(made, 2)
    board, table = made.board, made.run.layout.x
    assert board.to_move == "X"
    known = table.preferences(made.timeline.v)
    for cell in board.legal_cells:
        assert view.cells[cell].value == known[space().edge_of[board.id, cell]]
        assert view.cells[cell].beads is None


def test_double_learning_ranks_by_the_mean_and_notes_both_tables():
    made = session("double-q:alpha=0.5", games=200)
    board_view(made)
    values = made.run.layout.x.values(made.timeline.v)
    for cell, view in enumerate(board_view(made).cells):
        first, second = values[:, cell]
        assert view.value == 0.5 * (first + second)
        assert said(view.note) == f"{first:.2f} {second:.2f}".replace("0.", ".")


def test_an_open_matchbox_shows_beads_and_shares_and_whose_colour_a_cell_shares():
    """No bead is drawn twice: 4 of each of the 3 colours are in the box."""
    opened = board_view(session("menace"))
    cells = opened.cells
    assert [cell.beads for cell in cells] == [4, 4, None, None, 4, None, None, None, None]
    assert opened.title == "X's beads"
    assert [said(cell.note) for cell in cells] == [
        "33%", "33%", "as 1", "as 2", "33%", "as 2", "as 1", "as 2", "as 1",
    ]  # fmt: skip
    assert len({cells[corner].colour for corner in (0, 2, 6, 8)}) == 1
    assert len({cells[cell].colour for cell in (0, 1, 4)}) == 3
    view = played(session("menace-article"), 1)
    assert [said(cell.note) for cell in view.cells if cell.mark == "X"] == ["drew 11%"]


def test_the_log_shows_the_error_that_a_trace_applies():
    """Every backup of a step moves its entry by α δ z, with one δ: that of the newest."""
    made = session("tdlambda:epsilon=0,alpha=0.5", games=300)
    made.timeline.go_to(299, at_end=True)
    applied = [
        (event, error)
        for event, error in errors_applied(made, made.timeline.events_so_far())
        if isinstance(event, Backup)
    ]
    assert any(event.trace < 1.0 for event, _ in applied)
    for event, error in applied:
        assert error is not None
        assert event.new == event.old + event.step * event.trace * error
        assert f"δ{signed(error, 4)}" in said(event_line(event, error))

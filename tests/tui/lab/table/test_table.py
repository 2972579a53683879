"""The table without a screen: its numbers, its order, its filters, its history."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import Board, Side, space
from game.exact import minimax, minimax_values
from learners.export import player_rows
from learners.judge.evaluated_state import EvaluatedState, Pair
from learners.players.resolve import parse_player
from learners.tape.events import Backup, GameOver
from learners.tape.recording import row_at
from learners.tape.run import Run
from tui.lab.board import greedy_cells
from tui.lab.list_commands import TABLE_COMMANDS
from tui.lab.session import Session, Settings
from tui.lab.table.controller import TableController, go_to, last_written
from tui.lab.table.filter import FilterError
from tui.lab.table.rows import TableRows, images, sorted_rows, table_rows
from tui.lab.table.view import buckets, entry_view, strip_view, table_view

LEARNERS = [
    "td", "td:symmetry=on", "chain:plies=all", "q", "sarsa:gamma=0.9", "double-q", "negamax",
    "menace", "menace-code",
]  # fmt: skip
COLUMNS = ["board", "value", "v*", "vpi", "error", "visits", "ply", "class"]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


def trained(x: str, o: str = "random", games: int = 60) -> Run:
    run = Run(parse_player(x), parse_player(o), 7)
    run.train(games)
    return run


def session_of(x: str = "td", o: str = "td", games: int = 60) -> Session:
    session = Session(Settings(parse_player(x), parse_player(o), 7))
    session.run.train(games)
    if games:
        session.timeline.go_to(games - 1, at_end=True)
    return session


def rows_of(run: Run, side: Side = Side.X) -> TableRows:
    rows = table_rows(run.layout, run.memory, side, run.games)
    assert rows is not None
    return rows


@pytest.fixture(scope="module")
def td() -> TableRows:
    return rows_of(trained("td", "td", 200))


@pytest.mark.parametrize("spec", LEARNERS)
@pytest.mark.parametrize("side", list(Side))
def test_rows_are_those_of_the_export(spec: str, side: Side) -> None:
    run = trained(spec, spec)
    rows = rows_of(run, side)
    shared = run.layout.x.base == run.layout.o.base
    exported = list(player_rows((run.layout.x, run.layout.o)[side], run.memory, shared))
    assert [space().text(int(board)) for board in rows.boards] == [row.board for row in exported]
    assert [int(cell) + 1 or None for cell in rows.cells] == [row.cell for row in exported]
    assert rows.values.tolist() == [row.value for row in exported]
    assert rows.visits.tolist() == [row.visits for row in exported]


def test_the_exact_value_of_a_board_against_a_learner_is_minimax(td: TableRows) -> None:
    for row in range(0, len(td), 37):
        board = Board.from_id(int(td.boards[row]))
        assert td.truth[row] == {1: 1.0, 0: 0.5, -1: 0.0}[minimax(board)]


def test_the_exact_value_of_a_move_is_that_of_the_board_behind_it() -> None:
    rows = rows_of(trained("q", "q"), side=Side.O)
    behind = space().successor[rows.boards, rows.cells]
    assert np.array_equal(rows.truth, np.array([0.5, 0.0, 1.0])[minimax_values()[behind]])


def test_optimal_play_is_worth_no_less_than_play_as_it_is() -> None:
    for spec in ("td", "q", "menace"):
        rows = rows_of(trained(spec))
        assert np.all(rows.policy <= rows.truth + 1e-12)


def test_play_as_it_is_by_hand() -> None:
    """O may hold the draw at 7, or explore and let X win there."""
    run = Run(parse_player("td"), parse_player("td:epsilon=0.3"), 0)
    layout, v = run.layout, run.memory
    board = Board.parse("XOXXOO.X.")
    assert (board.to_move, board.legal_cells) == ("O", (6, 8))
    assert board.play(6).play(8).is_draw
    assert board.play(8).play(6).winner == "X"
    v[layout.o.base + board.play(6).id] = 0.9
    edges = space().edge_of[board.id, [6, 8]]
    state = EvaluatedState(Pair(layout), v)
    assert state.behaviour(Side.O)[edges].tolist() == pytest.approx([0.85, 0.15])
    assert state.v_pi(Side.X)[board.id] == pytest.approx(0.85 * 0.5 + 0.15 * 1.0)


def test_a_table_of_all_boards_is_told_from_the_side_of_whoever_has_just_moved() -> None:
    rows = rows_of(trained("negamax", "td"))
    row_of = {str(Board.from_id(int(b))): n for n, b in enumerate(rows.boards)}
    assert rows.truth[row_of["XX.OO...."]] == 0.0
    assert rows.truth[row_of["XX.OO.X.."]] == 0.0
    assert rows.truth[row_of["XXO.O...X"]] == 0.0
    assert rows.truth[row_of["XX..O...."]] == 0.5


def test_players_that_share_a_table_show_each_what_it_writes() -> None:
    run = trained("negamax", "negamax")
    x, o = rows_of(run, Side.X), rows_of(run, Side.O)
    assert set(x.ply.tolist()) == {1, 3, 5, 7}
    assert set(o.ply.tolist()) == {0, 2, 4, 6, 8}


def test_two_tables_are_shown_beside_their_mean() -> None:
    rows = rows_of(trained("double-q"))
    assert rows.parts.shape == (2, len(rows))
    assert np.array_equal(rows.values, rows.parts.mean(axis=0))
    assert {"table 1", "table 2"} <= set(rows.columns)


@pytest.mark.parametrize("spec", ["menace", "menace:symmetry=off", "menace-code", "menace-article"])
def test_the_shares_of_a_box_sum_to_one_unless_it_is_empty(spec: str) -> None:
    rows = rows_of(trained(spec))
    assert rows.shares is not None
    total = np.bincount(rows.boards, rows.shares, minlength=5478)[rows.boards]
    beads = np.bincount(rows.boards, rows.values, minlength=5478)[rows.boards]
    assert np.allclose(total, beads > 0)
    assert "error" not in rows.columns


def test_the_share_of_a_colour_is_the_chance_that_it_is_drawn() -> None:
    run = trained("menace")
    rows, table = rows_of(run), run.layout.x
    drawn = table.spec.rule.as_played(table.values(run.memory), table.entries)
    assert drawn is not None
    own = table.entries.boards[table.entries.of_edge] == space().edge_state
    chances = np.bincount(table.entries.of_edge[own], drawn[own])[rows.entries]
    assert np.allclose(rows.shares, chances)


@pytest.mark.parametrize("spec", ["random", "perfect", "winblock"])
def test_a_player_that_does_not_learn_has_no_table(spec: str) -> None:
    run = Run(parse_player(spec), parse_player("td"), 0)
    assert table_rows(run.layout, run.memory, Side.X) is None


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("reverse", [False, True])
def test_sorting_keeps_all_rows_in_order_and_equals_by_board(
    td: TableRows, column: str, reverse: bool
) -> None:
    order = sorted_rows(td, np.ones(len(td), dtype=bool), column, reverse)
    assert sorted(order.tolist()) == list(range(len(td)))
    keys = td.column(column)[order].astype(float)
    keys = np.abs(keys) if column == "error" else keys
    falls = (column in ("value", "v*", "vpi", "error", "visits")) != reverse
    steps = np.diff(-keys if falls else keys)
    assert np.all(steps >= 0)
    assert np.all(np.diff(order)[steps == 0] > 0)


def test_the_largest_error_of_either_sign_comes_first(td: TableRows) -> None:
    order = sorted_rows(td, np.ones(len(td), dtype=bool), "error")
    assert abs(td.errors[order[0]]) == np.abs(td.errors).max()


def test_the_images_of_an_entry_are_its_class() -> None:
    rows = rows_of(trained("td", "td"))
    for row in range(0, len(rows), 101):
        found = images(rows, row)
        same = np.flatnonzero(rows.classes == rows.classes[row])
        assert found[0].row == row
        assert sorted(image.row for image in found) == same.tolist()


def test_images_that_share_an_entry_have_its_row() -> None:
    rows = rows_of(trained("td:symmetry=on"))
    assert all(image.row == 40 for image in images(rows, 40))


def test_greedy_cells_are_the_most_preferred_ones() -> None:
    run = trained("td", "td")
    cells = greedy_cells(run.layout.x, run.memory, 0)
    values = [run.memory[run.layout.x.base + Board().play(cell).id] for cell in range(9)]
    assert [cell for cell in range(9) if values[cell] == max(values)] == list(cells)


def test_the_window_stands_still_until_the_cursor_leaves_it() -> None:
    controller = TableController(session_of())
    controller.window.resize(10)
    controller.window.go_to(0)
    tops = []
    for _ in range(30):
        tops.append(controller.window.top)
        controller.window.move(1)
    assert tops[:10] == [0] * 10
    assert sorted(set(tops)) == [0, 5, 10, 15, 20]
    controller.window.go_to(10**9)
    assert controller.window.cursor == len(controller.order) - 1
    assert controller.window.top == len(controller.order) - 10
    controller.window.move(-10)
    assert controller.window.top == len(controller.order) - 15


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3000, 3000), max_size=20), st.integers(1, 60))
def test_the_cursor_is_always_in_the_window(moves, height) -> None:
    controller = TableController(session_of(games=0))
    controller.window.resize(height)
    for by in moves:
        controller.window.turn(by) if by % 7 == 0 else controller.window.move(by)
        assert controller.window.top <= controller.window.cursor < controller.window.top + height
        assert 0 <= controller.window.cursor < len(controller.order)


def test_the_table_is_that_of_the_place_looked_at() -> None:
    session = session_of()
    session.timeline.go_to(3)
    controller = TableController(session)
    assert controller.rows is not None
    assert controller.rows.visits.sum() < rows_of(session.run).visits.sum()
    assert np.array_equal(
        controller.rows.values,
        session.timeline.v[controller.rows.table.base + controller.rows.entries],
    )


def test_it_opens_at_the_entry_of_the_event() -> None:
    session = session_of()
    session.timeline.go_to(40)
    while not isinstance(session.timeline.event, Backup):
        session.timeline.step()
    event = session.timeline.event
    controller = TableController(session)
    assert controller.rows is not None
    assert controller.selected is not None
    assert event.entry in controller.rows.memory_indices(controller.selected)


def test_a_filter_that_means_nothing_for_the_other_player_is_dropped() -> None:
    controller = TableController(session_of("td", "menace"))
    controller.filter_by("error>.1")
    controller.sort_by("error")
    controller.show_player(Side.O)
    assert (controller.filter_text, controller.column) == ("", "board")
    assert "error" in controller.note
    assert len(controller.order) == len(controller.rows or ())


def test_a_refused_filter_leaves_everything_as_it_is() -> None:
    controller = TableController(session_of())
    controller.filter_by("visits>3")
    order = controller.order
    with pytest.raises(FilterError):
        controller.filter_by("share>1")
    assert controller.filter_text == "visits>3"
    assert controller.order is order


@pytest.mark.parametrize("spec", LEARNERS)
@pytest.mark.parametrize("games", [0, 60])
def test_every_learner_can_be_shown(spec: str, games: int) -> None:
    session = session_of(spec, "td", games)
    controller = TableController(session)
    assert controller.rows is not None
    for number in range(1, len(controller.rows.columns) + 1):
        controller.sort_by_number(number)
        view = table_view(controller)
        assert len(view.rows) == controller.window.height
        assert all(len(row) == len(view.columns) for row in view.rows)
        assert len(strip_view(controller, 66).lines) == 2
        assert entry_view(controller).bars
    controller.filter_class()
    assert 1 <= len(controller.order) <= 8
    controller.filter_by("visits>999999")
    assert table_view(controller).message
    assert entry_view(controller).bars == ()


def test_players_without_a_table_are_shown_as_such() -> None:
    controller = TableController(session_of("random", "perfect", 3))
    assert "does not learn" in str(table_view(controller).message)
    controller.sort_by_next()
    controller.filter_class()
    controller.filter_by("visits>1")
    controller.window.move(1)
    assert strip_view(controller, 66).lines == ()
    assert entry_view(controller).bars == ()


@pytest.mark.parametrize("columns", [24, 66, 108])
def test_every_ply_has_room_in_the_strip_and_every_entry_a_bucket(td, columns: int) -> None:
    bucket, plies = buckets(td, columns)
    assert np.all(np.diff(bucket) >= 0)
    assert bucket[0] == 0
    assert bucket[-1] == columns - 1
    for start, ply in plies:
        assert bucket[np.flatnonzero(td.ply == ply)[0]] == start


@pytest.mark.parametrize("spec", ["td", "double-q", "menace", "negamax"])
def test_the_last_write_of_every_written_entry_is_found(spec: str) -> None:
    session = session_of(spec, spec, 40)
    timeline = session.timeline
    timeline.go_to(30)
    timeline.step()
    rows = table_rows(session.run.layout, timeline.v, Side.X, 30)
    assert rows is not None
    last: dict[int, tuple[int, int]] = {}
    recording = session.run.record(0, 31)
    here = (30, timeline.row - timeline.rows.start)
    for row, event in enumerate(recording.events()):
        place = (event.game, row - recording.rows_of(event.game).start)
        if isinstance(event, Backup) and place <= here:
            last[event.entry] = place
    for row in np.flatnonzero(rows.visits)[::9].tolist():
        entries = rows.memory_indices(row)
        place = last_written(timeline, entries)
        assert place == max(last[entry] for entry in entries if entry in last)
    assert last_written(timeline, rows.memory_indices(int(np.argmin(rows.visits)))) is None


def test_going_to_a_place_shows_its_event() -> None:
    session = session_of()
    timeline = session.timeline
    rows = table_rows(session.run.layout, timeline.v, Side.X)
    assert rows is not None
    entries = rows.memory_indices(int(np.argmax(rows.visits)))
    assert isinstance(timeline.event, GameOver)
    place = last_written(timeline, entries)
    assert place is not None
    go_to(timeline, place)
    assert isinstance(timeline.event, Backup)
    assert timeline.event.entry in entries
    assert timeline.row == row_at(timeline.recording, place)


def test_keys_and_names_are_there_once() -> None:
    keys = [key for command in TABLE_COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))


def test_nothing_of_the_table_needs_a_screen() -> None:
    code = (
        "import sys, tui.lab.table.rows, tui.lab.table.controller, tui.lab.table.view;"
        "sys.exit(bool({'textual', 'rich', 'click'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

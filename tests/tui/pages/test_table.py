"""The table on screen: its state, its history, and few of its keys."""

from types import SimpleNamespace

import numpy as np
import pytest
from piloting import Desk, desk_of
from reading import do, lines, press, session_of

from afterstate_lab.game import Side
from afterstate_lab.learners.ask.table import table_rows
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.pages.table import EntryTable, buckets, last_written

LEARNERS = [
    "td", "td:symmetry=on", "chain:plies=all", "q", "sarsa:gamma=0.9", "double-q", "negamax",
    "menace", "menace-code",
]  # fmt: skip


def table_of(*session: str | int, place: tuple[int, int] | None = None) -> EntryTable:
    """A table at the end of a run, or some phases into a game."""
    found = session_of(*session)
    if place is not None:
        found.timeline.go_to(place[0])
        for _ in range(place[1]):
            found.timeline.step()
    return EntryTable(found)


@pytest.mark.parametrize("columns", [24, 66, 108])
def test_every_ply_has_room_in_the_strip_and_every_entry_a_bucket(columns: int) -> None:
    td = table_of().rows
    bucket, plies = buckets(td, columns)
    assert np.all(np.diff(bucket) >= 0)
    assert (bucket[0], bucket[-1]) == (0, columns - 1)
    for start, ply in plies:
        assert bucket[np.flatnonzero(td.ply == int(ply))[0]] == start


# its state


def test_it_opens_at_the_entry_of_the_event_with_the_numbers_of_that_place() -> None:
    table = table_of("td", "td", place=(40, 0))
    session = table.session
    while not isinstance(session.timeline.event, Backup):
        session.timeline.step()
    event, table = session.timeline.event, EntryTable(session)
    rows = table.rows
    assert rows is not None
    assert table.selected is not None
    assert event.entry in rows.memory_indices(table.selected)
    assert rows.visits.sum() < session.run.layout.x.visits(session.run.memory).sum()
    own = session.run.layout.table(table.side)
    assert np.array_equal(rows.values, session.timeline.v[own.base + rows.entries])


@pytest.mark.parametrize("spec", LEARNERS)
@pytest.mark.parametrize("games", [0, 60])
def test_every_learner_is_shown_sorted_by_every_column(spec: str, games: int) -> None:
    table = table_of(spec, "td", games)
    assert table.rows is not None
    for number, name in enumerate([*table.rows.columns][:9], 1):
        press(table.page, str(number))
        assert table.column == name
        assert [bool(column.sign) for column in table.table().columns].count(True) == 1
        assert len(lines(table.page())) == 24
    table.filter_class()
    assert 1 <= len(table.order) <= 8
    table.filter_by("visits>999999")
    assert any("No value matches" in line for line in lines(table.page()))
    with pytest.raises(UsageError, match="no backup has changed"):
        table.history()


def test_players_without_a_table_are_shown_as_such() -> None:
    for side in (Side.X, Side.O):
        for spec in ("random", "perfect", "winblock"):
            run = Run(parse_player(spec), parse_player(spec), 0)
            assert table_rows(run.layout, run.memory, side) is None
    table = table_of("random", "perfect", 3)
    press(table.page, "S", "l", "tab")
    do(table.page, "slash", "visits>1")
    table.list.move(1)
    assert "does not learn" in table.table().message
    assert list(table.table().say()) == [table.table().message]
    assert len(table.page().blocks) == 1
    for key in ("U", "O", "enter"):
        with pytest.raises(UsageError):
            press(table.page, key)


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


def test_the_last_write_is_told_when_the_cursor_rests_and_enter_leaves_for_it() -> None:
    table = table_of("td", "td", 40)
    press(table.page, "6")
    assert table.waits_for().after > 0
    work = table.waits_for()
    work.taken(work.do(lambda: False))
    assert table.waits_for() is None
    place = table.written[table.selected]
    assert any("last: game 40" in line for line in lines(table.page()))
    assert table.history() == Leave(place)
    table.written.clear()
    work = table.history()
    table.list.move(1)
    assert work.taken(work.do(lambda: False)) is None, "another row gives it up"
    do(table.page, "slash", "never")
    with pytest.raises(UsageError, match="no backup has changed"):
        table.history()


def test_a_training_is_looked_on() -> None:
    session = session_of("td", "td", 20)
    session.begin_training(Goal(1000))
    table = EntryTable(session)
    session.run.train(20)
    table.waits_for().taken(None)
    assert np.array_equal(table.known[0], session.snapshot.memory)
    assert table.rows.visits.max() == 20
    with pytest.raises(UsageError, match="see its history after training"):
        press(table.page, "enter")


@desk_of(games=40)
async def test_keys_and_the_mouse_move_the_cursor_and_enter_steps(desk: Desk) -> None:
    await desk.press("w end")
    await desk.finish("v")
    table = desk.state
    row = next(n for n, line in enumerate(desk.text.splitlines()) if line.startswith("│▸"))
    for keys, at in (("up down down", 2), ("pagedown pagedown pageup", 1 + table.list.height),
                     ("end", len(table.order) - 1), ("down home", 0)):  # fmt: skip
        await desk.press(keys)
        assert table.list.cursor == at
    await desk.pilot.click(offset=(10, row + 4))
    assert table.list.cursor == 4
    desk.screen.on_mouse_scroll_down(SimpleNamespace(x=10, y=row))
    assert table.list.cursor == 7
    await desk.press("home 6 down down")
    entries = table.rows.memory_indices(table.selected)
    await desk.finish("Enter")
    assert desk.in_lab
    assert desk.session.mode is Mode.STEP
    assert isinstance(desk.event, Backup)
    assert desk.event.entry in entries

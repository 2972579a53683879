"""Why: every number is traced back to the backup that wrote it, and beads to what moved them."""

from itertools import pairwise

import numpy as np
import pytest
from made import LEARNERS, run_of

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.why import bead_sum, chain, last_write, last_writes, writes_of
from afterstate_lab.learners.tape.events import Backup, GameOver
from afterstate_lab.learners.tape.recording import TapePosition, position_of

GAMES = 1_500
CENTRE = Board.parse("....X....").id


def events_by_place(run, games):
    recording = run.record(0, games)
    return {position_of(recording, row): event for row, event in enumerate(recording.events())}


@pytest.fixture(scope="module")
def run(trained):
    return trained(games=GAMES)


@pytest.fixture(scope="module")
def events(run):
    return events_by_place(run, GAMES)


def writes(events, entry):
    return [p for p, event in events.items() if isinstance(event, Backup) and event.entry == entry]


@pytest.mark.parametrize("before", [(0, 0), (12, 5), (900, 7), (GAMES, -1)])
def test_last_writer_is_the_last_of_all_writers(before, run, events):
    before = TapePosition(*before)
    for board in ("....X....", "X...O..X.", "XOXOXO..X"):
        entry = Board.parse(board).id
        earlier = [place for place in writes(events, entry) if place < before]
        assert last_write(run, entry, before) == (earlier[-1] if earlier else None)


def test_last_writers_of_many_entries_at_once(run, events):
    entries = list(range(0, 5_478, 7))
    found = last_writes(run, entries, TapePosition(GAMES, -1))
    last = {event.entry: place for place, event in events.items() if isinstance(event, Backup)}
    assert found == {entry: last[entry] for entry in entries if entry in last}


def test_life_of_a_value_is_every_write(run, events):
    life = [(place.game, events[place].new) for place in writes(events, CENTRE)]
    assert writes_of(run, CENTRE) == life
    assert len(life) == run.memory[len(run.memory) // 2 + CENTRE]
    assert life[-1][1] == run.memory[CENTRE]


def test_chain_of_td_is_the_entrys_own_writes_and_each_target_a_value_written(run, events):
    start = last_write(run, CENTRE, TapePosition(GAMES, -1))
    links = chain(run, start, limit=12)
    own = writes(events, CENTRE)
    assert [link.place for link in links] == own[: -len(links) - 1 : -1]
    for newer, older in pairwise(links):
        assert newer.backup.old == older.backup.new
    for link in links:
        assert link.backup == events[link.place]
        source = link.sources[0]
        assert source.value == link.backup.target
        if source.place is not None:
            assert source.place < link.place
            assert events[source.place].entry == source.entry
            assert events[source.place].new == link.backup.target


def test_worked_example_of_a_first_game():
    """X loses the first game: every target but the last is 0.5 from the start, the last is 0."""
    run = run_of("td:epsilon=0", "random")
    while not run.games or run.record(run.games - 1, run.games).events()[-1].result != "O":
        run.train(1)
    *_, last = (p for p, e in events_by_place(run, run.games).items() if isinstance(e, Backup))
    link = chain(run, last)[0]
    assert (link.backup.old, link.backup.target, link.backup.new) == (0.5, 0.0, 0.45)
    assert [(source.value, source.place) for source in link.sources] == [(0.0, None)]


@pytest.mark.quick("td", "double-q", "menace")
@pytest.mark.parametrize("name", LEARNERS)
def test_what_a_target_was_made_of_had_been_written_there(name, trained):
    run = trained(name, name, 200)
    events = events_by_place(run, 200)
    places = [place for place, event in events.items() if isinstance(event, Backup)]
    for place in places[-40::5]:
        for link in chain(run, place, limit=2):
            assert link.sources
            for source in link.sources:
                if source.place is not None:
                    assert events[source.place].entry == source.entry
                    assert events[source.place].new == source.value


# beads


FEW = 150


def box_of(run, entry):
    """The colours of the box of a colour, as indices into memory."""
    table = run.layout.table_of(entry)
    boards = table.entries.boards
    return (np.flatnonzero(boards == boards[entry - table.base]) + table.base).tolist()


def refilled(run):
    """By entry, the refills: a backup of a colour without beads in a box that has none left."""
    found: dict[int, list[TapePosition]] = {}
    recording = run.record(0, FEW)
    v = recording.before.copy()
    filling: tuple[int, int] | None = None
    for row, event in enumerate(recording.events()):
        if not isinstance(event, Backup):
            filling = None
            continue
        is_empty = not any(v[one] for one in box_of(run, event.entry))
        is_first = not any(
            isinstance(one, Backup) and (one.board, one.player) == (event.board, event.player)
            for one in recording.events(recording.rows_of(event.game).start, row)
        )
        if (is_empty and not is_first) or filling == (event.game, event.board):
            filling = event.game, event.board
            found.setdefault(event.entry, []).append(position_of(recording, row))
        v[event.entry] = event.new
    return found


def test_a_colour_by_hand():
    """4 beads, a win of 3, a loss of 1: 4 + 3 − 1 = 6 after the second game that wrote it."""
    run = run_of("menace", games=FEW, seed=5)
    entry = run.layout.x.base
    writes = [e for e in run.record(0, FEW).events() if isinstance(e, Backup) and e.entry == entry]
    place = last_write(run, entry, TapePosition(writes[1].game + 1, -1))
    found = bead_sum(run, entry, place)
    ends = {e.game: e.result for e in run.record(0, FEW).events() if isinstance(e, GameOver)}
    moved = {"X": 3, "draw": 1, "O": -1}
    assert found.start == 4
    assert found.beads == 4 + sum(moved[ends[write.game]] for write in writes[:2])
    assert sum(found.games.values()) == 2


@pytest.mark.quick("menace-article")
@pytest.mark.parametrize("spec", ["menace", "menace-article", "menace:beads=1,empty=refill"])
def test_every_colour_is_the_sum_that_is_told(spec):
    run = run_of(spec, games=FEW, seed=5)
    refills = refilled(run)
    for entry in np.flatnonzero(run.layout.x.visits(run.memory)[0] > 3)[:6] + run.layout.x.base:
        place = last_write(run, int(entry), TapePosition(FEW, -1))
        found = bead_sum(run, int(entry), place)
        assert found.beads == run.memory[entry]
        told = refills.get(int(entry), [])
        assert found.refills == len(told)
        assert found.refill == (told[-1] if told else None)

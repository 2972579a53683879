"""Provenance: every number is traced back to the backup that wrote it."""

from itertools import pairwise

import pytest

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.why import chain, last_write, last_writes, writes_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.recording import TapePosition, position_of
from afterstate_lab.learners.tape.run import Run

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
    run = Run(parse_player("td:epsilon=0"), parse_player("random"), 0)
    while not run.games or run.record(run.games - 1, run.games).events()[-1].result != "O":
        run.train(1)
    *_, last = (p for p, e in events_by_place(run, run.games).items() if isinstance(e, Backup))
    link = chain(run, last)[0]
    assert (link.backup.old, link.backup.target, link.backup.new) == (0.5, 0.0, 0.45)
    assert [(source.value, source.place) for source in link.sources] == [(0.0, None)]


@pytest.mark.quick("td", "double-q", "menace")
@pytest.mark.parametrize("name", [name for name, rule in rules().items() if rule.learns])
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

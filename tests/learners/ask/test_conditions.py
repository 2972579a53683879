"""Conditions: a search finds what reading every event finds."""

import numpy as np
import pytest
from made import layout_of, needs_compiler, run_of, trained

from afterstate_lab.game import Board, space
from afterstate_lab.learners.ask import conditions as c
from afterstate_lab.learners.ask.marks import MARKS, compiled_marks
from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.tape.recording import (
    Backup,
    Cursor,
    GameOver,
    Move,
    TapePosition,
    position_of,
)

CENTRE = Board.parse("....X....").id
CORNERED = Board.parse("X...O....").id


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("wrote X X...O....@3", c.Wrote("X", CORNERED, 2)),
        ("wrote O ....X....", c.Wrote("O", CENTRE)),
        ("wrote x ....X....", c.Wrote("X", CENTRE)), ("error > .3", c.Error(0.3)),
        ("|δ|>.3", c.Error(0.3)), ("delta > 3e-1", c.Error(0.3)), ("error > 1e300", c.Error(1e300)),
        ("O wins", c.Ended(2)), ("X loses", c.Ended(2)), ("x wins", c.Ended(1)),
        ("O loses", c.Ended(1)), ("draw", c.Ended(3)), ("GAME 424,242", c.Games(424_241, 424_241)),
        ("game 1..10_000_000_000", c.Games(0, 9_999_999_999)), ("change", c.Change()),
        ("exploratory", c.Exploratory()), ("flip", c.Flip()), ("flip X...O....", c.Flip(CORNERED)),
        ("  first   visit ", c.FirstVisit()),
    ],
)  # fmt: skip
def test_a_condition_is_read_in_any_way_to_write_it(text, same):
    assert c.parse(text) == c.Condition(((same,),))


def test_and_binds_more_tightly_than_or():
    one, other = (c.Flip(), c.Ended(3)), (c.Exploratory(),)
    assert c.parse("flip AND draw or  exploratory") == c.Condition((one, other))


def test_what_is_watched_is_an_entry_of_symmetric_boards_and_all_moves_of_a_board():
    def entries_of(text, spec):
        ((atom,),) = c.parse(text).ways
        return atom.entries(layout_of(spec)).tolist()

    left, right = "wrote X X........", "wrote X ........X"
    assert entries_of(left, "td:symmetry=on") == entries_of(right, "td:symmetry=on")
    assert entries_of(left, "td") != entries_of(right, "td")
    assert len(entries_of("wrote X X...O....@3", "double-q")) == 2
    assert len(entries_of("wrote X X...O....", "double-q")) == 14


@pytest.mark.parametrize("traces", ["accumulating", "replacing", "dutch"])
def test_error_of_traces_is_the_one_that_is_applied(traces):
    """One δ moves all entries of a turn; an entry's own distance to the target says nothing."""
    run = run_of(f"tdlambda:lambda=0.9,traces={traces}", "td", 200, 1)
    recording = run.record(150, 200)
    turns, own = {}, 0
    for event, error in zip(recording.events(), recording.errors.tolist(), strict=True):
        told = event.error if isinstance(event, Backup) else 0
        if isinstance(event, Backup) and event.player == "X":
            told = turns.setdefault((event.game, event.ply), told)
            assert event.new == event.old + event.step * event.trace * told
            own += event.error != told
        assert error == told
    assert own > 0
    found = c.Error(0.2).stops(recording).tolist()
    assert found == np.flatnonzero(np.abs(recording.errors) > 0.2).tolist() != []


# the search


GAMES = 1_500
LEARNS_ALL = "td:exploration=learn"
CONDITIONS = (
    "error > 0.2", "error > 0.499", "wrote X ....X....", "wrote O X...O....",
    "change and game 500..502", "exploratory", "first visit", "X loses", "O loses", "draw",
    "game 424", "game 424..430", "error > 0.3 and X loses", "error > 0.1 and exploratory",
    "first visit and game 900..1400", "wrote X ....X.... and error > 0.05 or draw and game 77",
    "exploratory and draw or exploratory and O loses", "X loses and game 100..200", "error > 7",
    "game 1400 or game 17",
)  # fmt: skip


class Reader:
    """Reads every event of a run, one by one, and says where a condition holds."""

    def __init__(self, run):
        recording = run.record(0, run.games)
        self.layout, self.events, self.first = run.layout, recording.events(), {}
        self.places = [position_of(recording, row) for row in range(recording.size)]
        for row, event in enumerate(self.events):
            if isinstance(event, Backup):
                self.first.setdefault(event.entry, row)

    def is_at(self, atom, row):
        """Whether a search for an atom stops at an event."""
        event = self.events[row]
        match atom:
            case c.Exploratory():
                return isinstance(event, Move) and event.exploratory
            case c.Ended(slot):
                return isinstance(event, GameOver) and "XO".find(event.result) + 1 == slot % 3
            case c.Games(first, last):
                return self.places[row].row == 0 and first <= event.game <= last
        if not isinstance(event, Backup):
            return False
        match atom:
            case c.Error(above):
                return abs(event.error) > above
            case c.Change():
                return event.new != event.old
            case c.Wrote():
                return event.entry in atom.entries(self.layout)
            case c.FirstVisit():
                return self.first[event.entry] == row
        raise AssertionError(atom)

    def of(self, atom, row):
        """What it is true of: the event, its move, or its game."""
        event = self.events[row]
        if isinstance(atom, (c.Ended, c.Games)):
            return event.game
        is_of_move = isinstance(atom, c.Exploratory) and not isinstance(event, GameOver)
        return (event.game, event.ply, event.player) if is_of_move else row

    def all_stops(self, condition):
        """The places of a condition: the narrowest part says where, the others hold there."""
        order = (c.Wrote, c.Error, c.Change, c.FirstVisit, c.Exploratory, c.Ended, c.Games)
        found, rows = set(), range(len(self.events))
        for way in condition.ways:
            held = {atom: {self.of(atom, n) for n in rows if self.is_at(atom, n)} for atom in way}
            first = min(way, key=lambda atom: order.index(type(atom)))
            stops = (n for n in rows if self.is_at(first, n))
            found |= {n for n in stops if all(self.of(atom, n) in held[atom] for atom in way)}
        return [self.places[row] for row in sorted(found)]


@pytest.fixture(scope="module")
def reader():
    return Reader(trained(o=LEARNS_ALL, games=GAMES))


@pytest.mark.quick(
    "error > 0.499", "first visit", "game 424", "exploratory", "game 1400 or game 17"
)
@pytest.mark.parametrize("text", CONDITIONS)
def test_search_finds_what_reading_every_event_finds(text, reader):
    run, condition = trained(o=LEARNS_ALL, games=GAMES), c.parse(text)
    stops = reader.all_stops(condition)
    assert (len(stops) == 0) == (text == "error > 7")
    starts = [TapePosition(*at) for at in ((0, -1), (424, 3), (899, 0), (1_499, 2), (GAMES, -1))]
    for start in [*starts, *stops[:1], *stops[-1:]]:
        after = next((place for place in stops if place > start), None)
        before = next((place for place in reversed(stops) if place < start), None)
        assert c.find(run, condition, start) == after
        assert c.find(run, condition, start, forwards=False) == before


def greedy_moves(layout, v):
    """bool[16167]: the moves to which no sibling is preferred, of both players."""
    s = space()
    by_x = s.ply[s.edge_state] % 2 == 0
    known = np.where(by_x, layout.x.preferences(v), layout.o.preferences(v))
    best = np.full(len(s.codes), -np.inf)
    np.maximum.at(best, s.edge_state, known)
    return known == best[s.edge_state]


def flips(run, games, position=None):
    """The backups that change the greedy moves, by comparing those of all positions each time."""
    recording = run.record(0, games)
    cursor, found = Cursor(recording), []
    edges = slice(*space().first_edge[[position or 0, -1 if position is None else position + 1]])
    before = greedy_moves(run.layout, cursor.v)[edges]
    for row in np.flatnonzero(recording.kinds == BACKUP).tolist():
        cursor.seek(row + 1)
        after = greedy_moves(run.layout, cursor.v)[edges]
        if not np.array_equal(before, after):
            found.append(position_of(recording, row))
        before = after
    return found


PAIRS = (
    ("td", "td:symmetry=on"), ("q", "double-q"), ("negamax", "negamax"), ("menace", "menace-code"),
    ("td", "random"),
)  # fmt: skip


@pytest.mark.quick("td-random-None", "q-double-q-None", "td-td-.........")
@pytest.mark.parametrize(
    ("x", "o", "board"), [*((*pair, None) for pair in PAIRS), ("td", "td", "........X"),
                          ("td", "td", ".........")],
)  # fmt: skip
def test_greedy_moves_flip_where_comparing_positions_says(x, o, board):
    games = 40 if board is None else 100
    run, position = trained(x, o, games), None if board is None else Board.parse(board).id
    recording, expected = run.record(0, games), flips(run, games, position)
    assert expected
    flip = c.Condition(((c.Flip(position),),))
    assert [position_of(recording, row) for row in flip.rows(recording)] == expected
    middle = expected[len(expected) // 2]
    assert c.find(run, flip, middle) == next((p for p in expected if p > middle), None)
    assert c.find(run, flip, TapePosition(0, -1)) == expected[0]
    assert c.find(run, flip, TapePosition(games, 0), forwards=False) == expected[-1]


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("many", [1, 3])
def test_compiled_search_finds_on_any_number_of_cores_what_an_interpreted_one_does(
    many, monkeypatch
):
    monkeypatch.setattr("afterstate_lab.learners.ask.conditions.cores", lambda: many)
    interpreted = trained(o=LEARNS_ALL, games=GAMES)
    compiled = interpreted.fork(GAMES)
    assert compiled.kernel().compile()
    for condition in map(c.parse, (*CONDITIONS, "flip", "flip X........", "flip and draw")):
        for start, forwards in ((TapePosition(500, 4), True), (TapePosition(1_100, 4), False)):
            told: list[float] = []
            found = c.find(compiled, condition, start, forwards=forwards, progress=told.append)
            assert found == c.find(interpreted, condition, start, forwards=forwards), condition
            assert told == sorted(told) and all(part <= 1.0 for part in told)
            assert found is not None or not told or told[-1] == 1.0
    assert c.find(compiled, condition, TapePosition(0, -1), stop=iter([True]).__next__) is None


@pytest.mark.slow
@needs_compiler
def test_what_a_search_runs_is_compiled_in_a_child(monkeypatch, tmp_path):
    monkeypatch.setenv("AFTERSTATE_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "made_before", {})
    monkeypatch.setattr(compiler, "compiled_here", None)
    assert compiled_marks.__wrapped__(MARKS) is not None

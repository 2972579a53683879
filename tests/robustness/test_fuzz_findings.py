"""What fuzzing has found, input by input: each is read or refused now, and takes no memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from fuzz_seeds import PLAN
from fuzz_targets import TARGETS

from afterstate_lab.game import Board, IllegalMoveError, InvalidBoardError
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.errors import ConditionError, shown
from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.judge.figures import number
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Move
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.learners.toml_reader import LONGEST_KEY, TomlError, longest_key

REFUSED = {
    "a number of 5,000 digits": ("plan", b"games = " + b"9" * 5000),
    "the same, in a sentence about it": ("plan", b"games = 0x" + b"f" * 5000),
    "a table of tables without end": ("plan", b"title" + b".a" * 7 + b" = 1\ngames = 3"),
    "lists without end": ("plan", b"a = " + b"[" * 50_000),
    "a form feed within a number": ("sweep", b"epsilon=0\x0c\x0c..0"),
    "parentheses without end": ("condition", b"(" * 399),
    "a letter that is an s to some": ("condition", "X loſes".encode()),
    "a number of 5,000 digits, typed": ("typed_number", b"9" * 5000),
    "a cell that is no number at all": ("script", bytes((1, 120))),
    "words without end": ("table_filter", b"never " * 100),
}


@pytest.mark.parametrize("found", REFUSED)
def test_it_is_refused(found: str) -> None:
    target, data = REFUSED[found]
    assert not TARGETS[target](data)


KEYS = {
    "bare": "a." * 90_000 + "a = 1",
    "quoted": '"a".' * 40_000 + "a = 1",
    "of a table": "[" + "a." * 90_000 + "a]",
    "of a table in a line": "b = {" + "a." * 90_000 + "a = 1}",
    "after a text with quotes in it": 'b = ["""x"""", {' + "a." * 90_000 + "a = 1}]",
    "after a text of many lines": "b = '''\n\"\"\"'''\n" + "a." * 90_000 + "a = 1",
    "after a quote that is said": '# "\n' + "a." * 90_000 + "a = 1",
    "after a quote that is escaped": 'b = "\\"" \n' + "a." * 90_000 + "a = 1",
}


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_many_parts_takes_no_memory(key: str) -> None:
    tracemalloc.start()
    with pytest.raises(TomlError, match=f"a key has more than {LONGEST_KEY} parts"):
        Plan.parse(KEYS[key])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_dots_in_texts_and_remarks_are_no_key() -> None:
    dots = "a.b.c.d.e.f.g.h.i.j.k"
    assert longest_key(f"""x = "{dots}" # {dots}\ny = '''{dots}\n{dots}'''\nz = 1.5""") == 2
    assert Plan.parse(PLAN.replace("Which is better?", f"Is {dots} better?")).question


def test_a_letter_that_is_an_s_to_some_does_not_turn_a_condition_over() -> None:
    assert str(parse_condition("x LOSES")) == "X loses"
    assert str(parse_condition("Δ > .3")) == str(parse_condition("δ > .3"))
    with pytest.raises(ConditionError):
        parse_condition("X loſes")


@pytest.mark.parametrize("huge", [10**5000, -(10**5000)], ids=["large", "small"])
def test_a_number_that_python_does_not_print_is_cut(huge: int) -> None:
    sign = "-" if huge < 0 else ""
    for refuse in (Board.from_id, Board().play):
        with pytest.raises((InvalidBoardError, IllegalMoveError)) as refused:
            refuse(huge)
        assert f"{sign}1000000000" in str(refused.value) or "999999999" in str(refused.value)
        assert len(str(refused.value)) < 100
    assert shown(huge) == "'int too large to print'"
    with pytest.raises(ValueError, match="no number of its kind"):
        number(huge)


def deep() -> list[object]:
    """A list in a list, and so on."""
    inner: list[object] = []
    for _ in range(100_000):
        inner = [inner]
    return inner


@pytest.mark.slow
def test_lists_in_lists_are_not_printed() -> None:
    assert shown(deep()) == "'list too large to print'"


ILLEGAL = {
    "a cell that is taken": {1: 0, 3: 0},
    "the cell of a position farther on": {1: 4, 3: 4, 5: 4},
    "no move at all": {1: 0},
}


@pytest.mark.parametrize("fault", ILLEGAL)
def test_a_stored_game_that_cannot_be_replayed_stops_where_it_cannot_go_on(fault: str) -> None:
    td = parse_player("td")
    run = Run(td, td, 7)
    run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
    moves = ILLEGAL[fault]
    run.scripts = {game: tuple(moves.get(ply, -1) for ply in range(10)) for game in range(3)}
    run.games = 3
    recording = run.record(0, 3)
    for game in range(3):
        rows = recording.rows_of(game)
        boards = [
            Board.from_id(move.afterstate) for move in recording.events() if isinstance(move, Move)
        ]
        assert 1 <= len(rows) < 9
        assert all(board.ply <= 3 for board in boards)
    timeline = Timeline(run)
    timeline.go_to(0)
    while timeline.step():
        assert np.isfinite(timeline.v).all()
    assert timeline.game == 2

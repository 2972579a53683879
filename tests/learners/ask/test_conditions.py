"""Conditions: one notation that is read back as it is printed, and precise errors."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.game import Board
from afterstate_lab.learners.ask.conditions import (
    Change,
    Ended,
    Error,
    Exploratory,
    FirstVisit,
    Flip,
    Games,
    Joined,
    Wrote,
)
from afterstate_lab.learners.ask.conditions import parse as parse_condition
from afterstate_lab.learners.errors import ConditionError
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.run import Run

CENTRE = Board.parse("....X....").id
CORNERED = Board.parse("X...O....").id


def layout_of(x="td", o="td"):
    return Layout.of(parse_player(x), parse_player(o))


BOARDS = st.integers(0, 5_477)
ATOM = st.one_of(
    st.builds(Error, st.floats(0.0, 1e300)),
    st.sampled_from((Change(), Exploratory(), FirstVisit(), Flip())),
    st.builds(Flip, BOARDS),
    st.builds(Wrote, st.sampled_from("XO"), BOARDS),
    st.builds(Ended, st.sampled_from(("X loses", "O loses", "draw"))),
    st.integers(0, 10**9).flatmap(lambda n: st.builds(Games, st.just(n), st.integers(n, 10**10))),
)


def joined(word, parts, least=1):
    some = st.lists(parts, min_size=least, max_size=3)
    return some.map(lambda all: Joined(word, tuple(all)) if len(all) > 1 else all[0])


@given(joined("or", joined("and", ATOM)) | joined("and", ATOM | joined("or", ATOM, 2)))
def test_a_condition_is_read_as_it_is_printed(condition):
    assert parse_condition(str(condition)) == condition


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("wrote X X...O....@3", Wrote("X", CORNERED, 2)),
        ("flip and draw or exploratory",
         Joined("or", (Joined("and", (Flip(), Ended("draw"))), Exploratory()))),
        ("error > .3", Error(0.3)),
        ("|δ|>.3", Error(0.3)),
        ("delta > 3e-1", Error(0.3)),
        ("O wins", Ended("X loses")),
        ("x wins", Ended("O loses")),
        ("GAME 424,242", Games(424_241, 424_241)),
        ("(flip) AND ((draw))", Joined("and", (Flip(), Ended("draw")))),
        ("wrote x ....X....", Wrote("X", CENTRE)),
        ("  first   visit ", FirstVisit()),
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same(text, same):
    assert parse_condition(text) == same


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a condition is error > .3"),
        ("loses X", "'loses X' is not a condition"),
        ("error > much", "error > 'much' is not a condition: use 0 or more"),
        ("error > -1", "use 0 or more"),
        ("error > nan", "use 0 or more"),
        ("wrote X OOOOOOOOO", "OOOOOOOOO"),
        ("wrote X X...O....@1", "cell '1' is not free on X...O...."),
        ("game 0", "games count from 1"),
        ("game 9..3", "put the smaller number first"),
        ("(flip", "a parenthesis is not closed"),
        ("flip)", "')' is one parenthesis too many"),
        ("flip and", "a condition is error > .3"),
        ("flip\x1b[2J", "printable characters only"),
        ("draw or " * 60 + "draw", "at most 400 characters"),
        (" and ".join(["(flip or draw)"] * 7), "in more than 64 ways"),
    ],
)
def test_what_is_no_condition_is_refused_in_one_sentence(text, said):
    with pytest.raises(ConditionError, match=re.escape(said)) as refused:
        parse_condition(text)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("text", "x", "said"),
    [
        ("wrote X ....X....@1", "td", "keeps values of boards, not of moves"),
        ("wrote X X...O....", "td", "X (td) keeps no value for X...O...."),
        ("wrote X XXXOO....", "td", "keeps no value for"),
        ("wrote X ....X....", "q", "X does not value moves on ....X...."),
        ("wrote X ....X....", "random", "X (random) learns nothing"),
        ("wrote X XOXXOOOX.", "menace", "X (menace) keeps no value for"),
        ("flip .........", "random", "X learns nothing: its greedy moves never change"),
        ("flip XXXOO....", "td", "the game is over on XXXOO...."),
    ],
)
def test_what_can_never_come_true_is_refused(text, x, said):
    with pytest.raises(ConditionError, match=re.escape(said)):
        parse_condition(text).check(layout_of(x))


def test_symmetric_boards_share_the_entry_that_is_watched():
    shared, apart = layout_of("td:symmetry=on"), layout_of("td")
    left, right = parse_condition("wrote X X........"), parse_condition("wrote X ........X")
    assert left.entries(shared).tolist() == right.entries(shared).tolist()
    assert left.entries(apart).tolist() != right.entries(apart).tolist()


def test_a_board_of_an_action_value_learner_stands_for_all_its_moves():
    layout = layout_of("double-q")
    assert len(parse_condition("wrote X X...O....@3").entries(layout)) == 2
    assert len(parse_condition("wrote X X...O....").entries(layout)) == 14


@pytest.mark.parametrize("traces", ["accumulating", "replacing", "dutch"])
def test_error_of_traces_is_the_one_that_is_applied(traces: str):
    """One δ moves all entries of a turn; an entry's own distance to the target says nothing."""
    run = Run(parse_player(f"tdlambda:lambda=0.9,traces={traces}"), parse_player("td"), 1)
    run.train(200)
    recording = run.record(150, 200)
    events, errors = recording.events(), recording.errors
    turns: dict[tuple[int, int], float] = {}
    own = 0
    for row, event in enumerate(events):
        if not isinstance(event, Backup):
            assert errors[row] == 0
            continue
        if event.player == "O":
            assert errors[row] == event.error
            continue
        first = turns.setdefault((event.game, event.ply), event.error)
        assert errors[row] == first
        assert event.new == event.old + event.step * event.trace * first
        own += event.error != first
    assert own > 0
    found = Error(0.2).stops(recording).tolist()
    assert found == np.flatnonzero(np.abs(errors) > 0.2).tolist()
    assert found

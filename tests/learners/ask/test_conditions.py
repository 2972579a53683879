"""Conditions: one notation that is read back as it is printed, and precise errors."""

import numpy as np
import pytest

from game import Board
from learners.ask.conditions import (
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
from learners.ask.conditions import parse as parse_condition
from learners.errors import ConditionError
from learners.kernel.memory import Layout
from learners.players.resolve import parse_player
from learners.tape.events import Backup
from learners.tape.run import Run

CENTRE = Board.parse("....X....").id
CORNERED = Board.parse("X...O....").id

NOTATION = {
    "error > 0.3": Error(0.3),
    "wrote X ....X....": Wrote("X", CENTRE),
    "wrote O X...O....": Wrote("O", CORNERED),
    "wrote X X...O....@3": Wrote("X", CORNERED, 2),
    "change": Change(),
    "flip": Flip(),
    "flip X...O....": Flip(CORNERED),
    "exploratory": Exploratory(),
    "first visit": FirstVisit(),
    "X loses": Ended("X loses"),
    "O loses": Ended("O loses"),
    "draw": Ended("draw"),
    "game 424": Games(423, 423),
    "game 1..99": Games(0, 98),
    "error > 0.3 and X loses": Joined("and", (Error(0.3), Ended("X loses"))),
    "flip or first visit or draw": Joined("or", (Flip(), FirstVisit(), Ended("draw"))),
    "flip and draw or exploratory": Joined(
        "or", (Joined("and", (Flip(), Ended("draw"))), Exploratory())
    ),
    "flip and (draw or X loses)": Joined(
        "and", (Flip(), Joined("or", (Ended("draw"), Ended("X loses"))))
    ),
}


def layout_of(x="td", o="td"):
    return Layout.of(parse_player(x), parse_player(o))


@pytest.mark.parametrize("text", NOTATION)
def test_condition_is_read_and_printed_alike(text):
    assert parse_condition(text) == NOTATION[text]
    assert str(NOTATION[text]) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("error > .3", "error > 0.3"),
        ("|δ|>.3", "error > 0.3"),
        ("delta > 3e-1", "error > 0.3"),
        ("O wins", "X loses"),
        ("x wins", "O loses"),
        ("GAME 424,242", "game 424242"),
        ("(flip) AND ((draw))", "flip and draw"),
        ("wrote x ....X....", "wrote X ....X...."),
        ("  first   visit ", "first visit"),
    ],
)
def test_other_ways_to_write_the_same(text, same):
    assert str(parse_condition(text)) == same


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a condition is error > .3"),
        ("loses X", "'loses X' is no condition"),
        ("error > much", "error > 'much' will not do: a number from 0 is needed"),
        ("error > -1", "a number from 0 is needed"),
        ("error > nan", "a number from 0 is needed"),
        ("wrote X OOOOOOOOO", "OOOOOOOOO"),
        ("wrote X X...O....@1", "cell '1' cannot be marked on X...O....: it must be free"),
        ("game 0", "games are counted from 1"),
        ("game 9..3", "the first number must be the smaller"),
        ("(flip", "a parenthesis is opened and not closed"),
        ("flip)", "')' is one parenthesis too many"),
        ("flip and", "a condition is error > .3"),
        ("flip\x1b[2J", "printable characters only"),
        ("draw or " * 60 + "draw", "at most 400 characters"),
        (" and ".join(["(flip or draw)"] * 7), "in more than 64 ways"),
    ],
)
def test_what_is_no_condition_is_refused_in_one_sentence(text, said):
    with pytest.raises(ConditionError) as refused:
        parse_condition(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("text", "x", "said"),
    [
        ("wrote X ....X....@1", "td", "keeps values of boards, not of moves"),
        ("wrote X X...O....", "td", "X (td) has no entry to write for X...O...."),
        ("wrote X XXXOO....", "td", "has no entry to write"),
        ("wrote X ....X....", "q", "X has no move to value on ....X...."),
        ("wrote X ....X....", "random", "X (random) learns nothing"),
        ("wrote X XOXXOOOX.", "menace", "X (menace) has no entry to write"),
        ("flip .........", "random", "X learns nothing: its greedy moves never change"),
        ("flip XXXOO....", "td", "the game is over on XXXOO...."),
    ],
)
def test_what_can_never_come_true_is_refused(text, x, said):
    with pytest.raises(ConditionError) as refused:
        parse_condition(text).check(layout_of(x))
    assert said in str(refused.value)


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

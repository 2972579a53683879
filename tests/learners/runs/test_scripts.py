"""A person's games in an address: short, and the same when they are read again."""

from __future__ import annotations

from itertools import permutations

import pytest

from afterstate_lab.learners.runs.address import (
    DIGITS,
    AddressError,
    human_plies,
    moves_code,
    rank,
    read_scripts,
    sequences,
    unrank,
    width,
)
from afterstate_lab.learners.tape.run import Seat, Seating

X_PLAYS = Seating(Seat.HUMAN, Seat.LEARNS)
O_PLAYS = Seating(Seat.LEARNS, Seat.HUMAN)
BOTH_PLAY = Seating(Seat.HUMAN, Seat.HUMAN)


def test_a_game_takes_three_characters_as_X_two_as_O_four_as_both():
    widths = [width(len(human_plies(seats))) for seats in (X_PLAYS, O_PLAYS, BOTH_PLAY)]
    assert widths == [3, 2, 4]


def test_sequences_are_counted_as_by_hand():
    """None; one of 9; two in order, 9 · 8; three, 9 · 8 · 7; four, 9 · 8 · 7 · 6."""
    assert sequences(4, 9) == 1 + 9 + 72 + 504 + 3024


def test_every_sequence_has_a_place_of_its_own_in_the_order_of_a_dictionary():
    listed = sorted(cells for many in range(5) for cells in permutations(range(9), many))
    assert [rank(cells, 4) for cells in listed] == list(range(len(listed)))
    assert [tuple(unrank(number, 4)) for number in range(len(listed))] == listed


def test_the_centre_alone_as_O_is_number_1605():
    """After none come those that begin with the cells 1 to 4, each 1 + 8 + 8 · 7 + 8 · 7 · 6."""
    assert sequences(3, 8) == 401
    code = moves_code((-1, -1, 4, *(-1,) * 7), human_plies(O_PLAYS))
    assert code == DIGITS[1605 // 64] + DIGITS[1605 % 64] == "ZF"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "is no part of a person's games"),
        ("1hlAAAAAAAAA", "lacks the first move of game 1"),
        ("1hlBRgB", "has 1 games of a person from game 1 on, and 3 were played"),
        ("1lh__AAAA", "'__' in an address stands for no moves of game 1"),
        ("4lhAA,2lhAA", "not in order of games at game 2"),
        ("9=15", "has moves in game 9"),
        ("2=15,2=16", "has the moves of game 2 twice"),
        ("2=1525", "marks a cell of game 2 twice"),
        ("2=1516", "marks a cell of game 2 twice, or at one ply two"),
        ("1lh,", "'' in an address is no part"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, why):
    with pytest.raises(AddressError, match=why.replace("(", r"\(")):
        read_scripts(text, 3)

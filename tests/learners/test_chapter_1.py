"""`docs/chapter-1.md`: its numbers follow from the game, or from the runs of its addresses."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from afterstate_lab.game import Board, Side, exact, space
from afterstate_lab.game.constants import EDGES
from afterstate_lab.learners.library import TrainingRun
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address

PAGE = (Path(__file__).parents[2] / "docs" / "chapter-1.md").read_text(encoding="utf-8")
PROSE = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\| (.*) \|\n\|[-:|]+\|\n((?:\|.*\|\n)+)", re.MULTILINE)
NUMBER = re.compile(r"(?<![\d=.a-z])(?:\d+/\d+|\d*\.\d{2,}|\d{1,3}(?:,\d{3})+)(?![\d/]|\.\d)")
EXPLORES = 0.1
MANY = 30_000
"""Games of a run whose test is slow."""
OPENINGS = {"corner": (1, 3, 7, 9), "centre": (5,), "edge": (2, 4, 6, 8)}


def rows():
    """The side, the address and the numbers by their heads, of each row that has an address."""
    for head, body in TABLE.findall(PAGE):
        heads = head.split(" | ")
        for line in body.splitlines() if "address" in heads else ():
            row = dict(zip(heads, line[2:-2].split(" | "), strict=True))
            address = Address.parse(row.pop("address").strip("`"))
            label = row.pop(heads[0])
            marks = [pytest.mark.slow] if address.games > MANY else []
            yield pytest.param(heads[0][0], address, row, id=f"{heads[0]} {label}", marks=marks)


pytestmark = pytest.mark.usefixtures("interpreted")


def best_opening(run):
    cell, *others = run.best(Board())
    assert not others
    return next(name for name, cells in OPENINGS.items() if cell in cells)


FIGURES: dict[str, Callable[[TrainingRun, str], str]] = {
    "wins": lambda run, side: decimals(run.evaluate()[side]["vs_random"]["win"]),
    "beaten": lambda run, side: decimals(run.evaluate()[side]["worst_loss"]),
    "visited": lambda run, side: "{:,} of {:,}".format(*run.evaluate()[side]["coverage"]),
    "X optimal moves": lambda run, side: "{:,} of {:,}".format(*run.evaluate()["X"]["optimal"]),
    "O optimal moves": lambda run, side: "{:,} of {:,}".format(*run.evaluate()["O"]["optimal"]),
    "O beaten": lambda run, side: decimals(run.evaluate()["O"]["worst_loss"]),
    "wins against it": lambda run, side: decimals(
        exact.evaluate(biased_policy(), exact.greedy_policy(run.layout.o.preferences(run.memory)))[
            0
        ][2]
    ),
    "its best opening": lambda run, side: best_opening(run),
    "worth": lambda run, side: decimals(max(run.values(Board()).values())),
}


def decimals(value):
    return f"{value:.4f}".removeprefix("0")


@pytest.mark.quick("X greedy", "both are `td`")
@pytest.mark.parametrize(("side", "address", "shown"), [*rows()])
def test_a_run_has_the_figures_of_its_row(side, address, shown):
    run = TrainingRun(open_address(address).run)
    assert {head: FIGURES[head](run, side) for head in shown} == shown


def biased_policy():
    states, lowest = space(), np.zeros(EDGES)
    for first, after in zip(states.first_edge[:-1], states.first_edge[1:], strict=True):
        if after > first:
            lowest[min(range(first, after), key=lambda edge: states.edge_cell[edge])] = 1.0
    return 0.5 * lowest + 0.5 * exact.uniform_policy()


def limit(side, epsilon=0.0):
    """The most wins against random moves, for who must explore so often, by position."""
    return exact.optimal_response_values(exact.uniform_policy(), side, draw=0.0, epsilon=epsilon)


@cache
def wins_unbeaten(board):
    """The most wins against random moves for an O that makes no move which can lose."""
    if board.is_over:
        return Fraction(board.winner == "O")
    after = [board.play(cell) for cell in board.legal_cells]
    if board.to_move == "X":
        return sum(map(wins_unbeaten, after), Fraction()) / len(after)
    return max(wins_unbeaten(b) for b in after if exact.minimax(b) <= 0 or exact.minimax(board) > 0)


def opening(values, name):
    (shown,) = {decimals(values[Board().play(cell - 1).id]) for cell in OPENINGS[name]}
    return shown


def wins(values, epsilon):
    """How often X wins that plays greedily by these values of positions, and explores so often."""
    own = exact.greedy_policy(values[space().edge_successor])
    played = (1.0 - epsilon) * own + epsilon * exact.uniform_policy()
    return decimals(exact.evaluate(played, exact.uniform_policy())[0][0])


def perfect_wins(side):
    x, o = (exact.perfect_policy(), exact.uniform_policy())[:: 1 if side is Side.X else -1]
    return float(exact.evaluate(x, o)[0][2 * side])


def against_biased(board):
    return float(
        exact.optimal_response_values(biased_policy(), Side.O, draw=0.0)[Board.parse(board).id]
    )


LIMITS: dict[str, Callable[[], float]] = {
    "191/192": lambda: limit(Side.X)[0],
    "887/945": lambda: limit(Side.O)[0],
    "866/945": lambda: float(wins_unbeaten(Board())),
    "75257/77760": lambda: perfect_wins(Side.X),
    "2645/3402": lambda: perfect_wins(Side.O),
    ".9393": lambda: against_biased(".OX......"),
    ".5190": lambda: against_biased("..X..O..."),
    ".9811": lambda: against_biased("........."),
    ".9743": lambda: limit(Side.X, EXPLORES)[0],
    "5,478": lambda: space().ply.size,
    "2,097": lambda: np.sum((space().ply % 2 == 1) & (space().outcome == 0)),
    "2,422": lambda: np.sum((space().ply % 2 == 0) & (space().outcome == 0)) - 1,
}
"""The numbers of the sentences; X's entries are boards in which O is to move."""
ROUNDED = {
    ".9948": "191/192", ".9386": "887/945", ".9164": "866/945", ".9678": "75257/77760",
    ".7775": "2645/3402",
}  # fmt: skip


def test_every_number_of_the_sentences_is_a_limit():
    sentences = TABLE.sub("", PROSE)
    assert set(NUMBER.findall(sentences)) == LIMITS.keys() | ROUNDED.keys()


@pytest.mark.parametrize("text", [*LIMITS])
def test_a_limit_follows_from_the_game(text):
    found, told = LIMITS[text](), Fraction(text.replace(",", ""))
    if "/" in text:
        assert found == pytest.approx(float(told), abs=1e-14)
    elif "," in text:
        assert found == told
    else:
        assert decimals(found) == text


def test_the_tables_without_addresses_follow_from_the_game():
    stops, goes_on = limit(Side.X), limit(Side.X, EXPLORES)
    shown = [
        [row[2:-2].split(" | ")[1:] for row in body.splitlines()]
        for head, body in TABLE.findall(PAGE)
        if "address" not in head
    ]
    assert shown == [
        [[opening(values, name) for name in OPENINGS] for values in (stops, goes_on)],
        [[wins(values, EXPLORES), wins(values, 0.0)] for values in (stops, goes_on)],
    ]

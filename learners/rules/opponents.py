"""Opponents: fixed preferences that never change.

Each is a table of preferences over its moves, played epsilon-greedily with ties uniform, so the
engine needs no other code for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from afterstate_lab.game import space
from afterstate_lab.game.arrays import DIGITS
from afterstate_lab.game.constants import LINES
from afterstate_lab.game.exact import ROUNDING, Floats, optimal_edges
from afterstate_lab.learners.engine.choices import RESIGNS, from_outside
from afterstate_lab.learners.engine.dice import PICK, WORDS, dice_word
from afterstate_lab.learners.engine.entries import Entries, movers
from afterstate_lab.learners.rules import options
from afterstate_lab.learners.rules.base import Rule

ERRS = options.RateOption(
    "epsilon", ("constant", (0.0,)), "how often it plays any legal move instead", source="2.2"
)


class Opponent(Rule):
    """A player that does not learn; subclasses define its preferences."""

    learns = False
    draws = True
    by_state = False


class Random(Opponent):
    """Plays every legal move with the same probability."""

    name = "random"
    summary = "every legal move with the same probability"


class Perfect(Opponent):
    """Plays uniformly among the minimax-optimal moves."""

    name = "perfect"
    summary = "uniform among optimal moves"
    options = (ERRS,)

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        return optimal_edges()[entries.edges].astype(np.float64)


class WinBlock(Opponent):
    """Wins if it can, else blocks, else plays at random."""

    name = "winblock"
    summary = "wins if it can, else blocks, else random"

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        s = space()
        marks = DIGITS[:, s.codes[entries.boards]]
        opponent = 2 - s.ply[entries.boards] % 2
        found = np.zeros(len(entries.boards))
        for line in LINES:
            for cell in line:
                first, second = (other for other in line if other != cell)
                completes = (marks[first] == opponent) & (marks[second] == opponent)
                found[completes & (entries.cells == cell)] = 0.5
        wins = s.outcome[s.edge_successor[entries.edges]] % 3 > 0
        found[wins] = 1.0
        return found


class Biased(Opponent):
    """Prefers the lowest free cell, so it does not treat symmetric boards alike (exercise 1.2)."""

    name = "biased"
    summary = "the lowest free cell: not symmetric (exercise 1.2)"
    options = (ERRS,)

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        return -entries.cells.astype(np.float64)


class Drifting(Perfect):
    """Changes from random to perfect over a number of games: a non-stationary world."""

    name = "drifting"
    summary = "turns from random to perfect over a number of games"
    options = (  # type: ignore[assignment]
        options.RateOption(
            "epsilon", ("linear", (1.0, 0.0)), "how often it plays any legal move", source="2.5"
        ),
        options.OVER,
    )


class FromFile(Opponent):
    """Chooses greedily among saved values."""

    summary = "a saved policy, frozen"
    is_saved = True
    options = (ERRS,)
    draws = False


def draw_move(v, game, me, row, n, ply, low, high, threshold):
    """Draw a move with the probabilities in the entries; resign with what they miss of 1."""
    chance = dice_word(low, high, ply, PICK) / WORDS
    likely = row
    for move in range(row, row + n):
        probability = v[game.entry[move]]
        if chance < probability:
            return move, 1
        chance -= probability
        if probability > 0.0:
            likely = move
    return (RESIGNS if chance > ROUNDING else likely), 1


class Agent(Opponent):
    """An external agent: the entries are the probabilities of its moves."""

    summary = "an external agent, asked for its move on every board before the first game"
    is_saved = True
    is_asked = True
    options = (
        options.Option("seconds", 2.0, "time limit for a move", 0.01, 3600.0),
        options.DigestOption("sha256", "", "its file"),
    )
    choose = draw_move

    @classmethod
    def as_played(cls, values: Floats, entries: Entries) -> Floats:
        return np.where(movers(entries.side), values[0][entries.of_edge], 0.0)


class Human(Opponent):
    """A person or a script, whose moves are given."""

    name = "human"
    summary = "a person"
    human = True
    draws = False
    choose = from_outside

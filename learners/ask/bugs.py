"""The bug that you have: your answers compared with those of every rule of the museum.

A rule's own hook is called on the memory that a question shows, so a bug's answer is what its code
would do there. Your answers make some bugs more likely; the next question is the one that tells
most about which is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from afterstate_lab.learners.ask.what_if import transplant
from afterstate_lab.learners.engine.backups import BACKUP
from afterstate_lab.learners.kernel.kernel import (
    EVENTS_A_GAME,
    board_lists,
    empty_columns,
    mover_entries,
)
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.rules.museum import MISTAKES, PIECES
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.tape.recording import best_cells, mover_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from afterstate_lab.learners.ask.questions import QuizQuestion
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.events import Move

SOUND: Final = ""
"""The name of the rule without a bug."""
NAMES: Final = (SOUND, *PIECES)
LOST: Final = "lost-copy"
FIRST: Final = "first-cell"
SLIP: Final = 0.2
"""How often an answer is assumed to be a slip."""
PRIOR: Final = 0.75
"""How likely it is at first that you have no bug."""
GUESSING: Final = 0.02
"""How likely it is at first that you guess."""
SURE: Final = 0.993
SURE_OF_NONE: Final = 0.995
TINY: Final = 1e-300

Written = Mapping[int, tuple[float, float]]
"""What backups write: by entry, the target and the new value."""


class Bug:
    """A rule of the museum with the options of a learner."""

    def __init__(self, name: str, meant: PlayerSpec) -> None:
        self.name = name
        self.rule: Any = meant.rule if name in (SOUND, LOST) else PIECES[name]
        own, usual = ({option.name: option.default for option in rule.options}
                      for rule in (self.rule, meant.rule))  # fmt: skip
        given = [(option, value) for option, value in meant.given
                 if own.get(option) == usual[option]]  # fmt: skip
        self.spec = PlayerSpec(self.rule, tuple(given))
        self.layout = Layout.of(self.spec, self.spec)
        self.fresh = self.layout.fresh()
        tables = self.layout.x, self.layout.o
        self.players = [parameters(table, self.layout, False) for table in tables]
        self.entry = mover_entries(self.layout)

    def memory(self, meant: Table, known: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what a learner knows, with the bug's own worth of a finished game."""
        v = self.fresh.copy()
        transplant(meant, known, self.layout.table(meant.side), v)
        return v

    def greedy(self, meant: Table, known: NDArray[np.float64], board: int) -> list[int]:
        """Return the cells (0-8) that it would call greedy."""
        table = self.layout.table(meant.side)
        best = best_cells(mover_values(table, self.memory(meant, known), board))
        return best[:1] if self.name == FIRST else best

    def written(
        self, meant: Table, known: NDArray[np.float64], moves: Sequence[Move], is_over: bool
    ) -> Written:
        """Return what it would write after the last move; what a copy loses stays as it was.

        Args:
            meant: the learner's table.
            known: memory after the last move.
            moves: the game so far.
            is_over: whether the game is over.
        """
        table, me = self.layout.table(meant.side), self.players[meant.side]
        v, entries = self.memory(meant, known), table.entries
        own = [move for move in moves if move.ply % 2 != meant.side]
        steps = [me.start, *(table.base + int(entries.of_edge[move.edge]) for move in own)]
        greedy = [1, *(int(not move.exploratory) for move in own), 1]
        is_late = is_over and own[-1:] != list(moves[-1:])
        if is_late:
            steps.append(int(me.state_entry[moves[-1].afterstate]))
        path = [0, *(move.afterstate for move in moves)]
        clock = [moves[-1].game, len(moves), 0, 0]
        game = SimpleNamespace(**board_lists(), entry=self.entry, path=path, clock=clock)
        tape, t = empty_columns(EVENTS_A_GAME), len(steps) - 1
        self.rule.after_step(v, tape, me, steps, greedy, t, int(is_late), game)
        if is_over:
            self.rule.after_game(v, tape, me, steps, greedy, t, 1, game)
        rows = [row for row in range(int(tape.at[0])) if int(tape.meta[row]) & 3 == BACKUP]
        new = tape.old if self.name == LOST else tape.new
        return {int(tape.entry[row]): (float(tape.target[row]), float(new[row]))
                for row in reversed(rows)}  # fmt: skip


def bugs_of(meant: PlayerSpec) -> dict[str, Bug]:
    """Return every rule of the museum in the place of a learner, by name."""
    return {name: Bug(name, meant) for name in NAMES}


class Diagnosis:
    """Which bug explains the answers.

    Args:
        pool: the questions to choose from.
    """

    def __init__(self, pool: Sequence[QuizQuestion]) -> None:
        rest = (1.0 - PRIOR - GUESSING) / len(PIECES)
        self.chances = np.array([PRIOR, *[rest] * len(PIECES), GUESSING])
        self.pool = [question for question in pool if len(set(question.by_bug.values())) > 1]
        self.asked: list[tuple[QuizQuestion, float]] = []
        most = max(len(question.choices) for question in self.pool)
        self.likelihoods = np.zeros((len(self.pool), most, len(self.chances)))
        """The chance of each answer under each bug."""
        for n, question in enumerate(self.pool):
            for choice in range(len(question.choices)):
                self.likelihoods[n, choice] = self.likelihood(question, choice)
        logs = np.log(np.maximum(self.likelihoods, TINY))
        self._known = (self.likelihoods * logs).sum(1)

    def likelihood(self, question: QuizQuestion, given: float) -> NDArray[np.float64]:
        """Return the chance of an answer under every bug; a guess takes all answers alike."""
        many = len(question.choices)
        chance = np.full(len(self.chances), 1.0 / many)
        for n, name in enumerate(NAMES):
            if (its := question.by_bug.get(name)) is not None:
                chance[n] = 1.0 - SLIP if given == its else SLIP / max(1, many - 1)
        return chance

    def take(self, question: QuizQuestion, given: float | None) -> None:
        """Learn from an answer."""
        if given is None or not question.by_bug:
            return
        self.asked.append((question, given))
        chances = self.chances * self.likelihood(question, given)
        self.chances = chances / chances.sum()

    @property
    def is_sure(self) -> bool:
        best = int(self.chances.argmax())
        return bool(self.chances[best] >= (SURE if best else SURE_OF_NONE))

    def next(self) -> QuizQuestion | None:
        """Return the question that leaves the least doubt, and none once it is sure."""
        used = {id(question) for question, _ in self.asked}
        left = [n for n, question in enumerate(self.pool) if id(question) not in used]
        if self.is_sure or not left:
            return None
        total = (self.likelihoods @ self.chances)[left]
        doubt = (total * np.log(np.maximum(total, TINY))).sum(1) - self._known[left] @ self.chances
        return self.pool[left[int(doubt.argmin())]]

    def shown(self, bug: str) -> tuple[int, int]:
        """Return how many answers are a bug's where it has its own, and of how many."""
        own = [given == question.by_bug[bug] for question, given in self.asked
               if question.by_bug.get(bug) not in (None, question.by_bug.get(SOUND))]  # fmt: skip
        return sum(own), len(own)

    @property
    def bug(self) -> str | None:
        """The bug that it is sure of, if most answers show it."""
        best = int(self.chances.argmax())
        if not self.is_sure or not 0 < best < len(NAMES):
            return None
        made, of = self.shown(NAMES[best])
        return NAMES[best] if 2 * made > of else None

    @property
    def sentence(self) -> str:
        if self.bug is None:
            return "none of the museum explains your answers"
        made, of = self.shown(self.bug)
        return f"{MISTAKES[self.bug]} ({made} of {of})"

"""What an update reads: the numbers behind the terms of its equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from game import space
from learners.engine.choices import exploration_rate
from learners.kernel.parameters import parameters
from learners.tape.events import Backup
from tui.lab.microscope.steps import Kind
from tui.lab.microscope.symbols import Look
from tui.lab.microscope.update import Update

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout, Table
    from learners.rules.spec import PlayerSpec


@dataclass(frozen=True)
class Candidate:
    """A move that an update looks at."""

    edge: int
    cell: int
    value: float


def edges_of(board: int) -> range:
    """The moves of a position."""
    s = space()
    return range(int(s.first_edge[board]), int(s.first_edge[board + 1]))


def candidates(
    table: Table, v: NDArray[np.float64], board: int, which: int = -1
) -> list[Candidate]:
    """The moves of a position with what a table says of each.

    Args:
        table: the learner's; for the opponent's moves too where it values positions.
        v: memory.
        board: the position.
        which: which of its tables (0, 1); -1 for the number by which moves are ranked.
    """
    s = space()
    entries = table.entries
    if which < 0 and entries.of_state is None:
        known = table.preferences(v)[edges_of(board).start : edges_of(board).stop]
    elif entries.of_state is not None:
        successors = s.edge_successor[edges_of(board).start : edges_of(board).stop]
        known = table.values(v)[0][entries.of_state[successors]]
    else:
        rows = entries.of_edge[edges_of(board).start : edges_of(board).stop]
        known = table.values(v)[which][rows]
    return [
        Candidate(edge, int(s.edge_cell[edge]), float(value))
        for edge, value in zip(edges_of(board), known, strict=True)
    ]


def best_of(options: list[Candidate]) -> Candidate:
    """The first of the highest valued."""
    return max(options, key=lambda candidate: candidate.value)


def epsilon_of(table: Table, layout: Layout, game: int, *, frozen: bool = False) -> float:
    """How often a player moves at random in a game."""
    return float(exploration_rate(parameters(table, layout, frozen), game))


def scale_of_values(spec: PlayerSpec) -> tuple[float, float]:
    """From the least to the most that a learner's values can be: its rewards."""
    win, draw, loss = spec.rule.rewards(spec.settings)
    low, high = min(win, draw, loss), max(win, draw, loss)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


@dataclass(frozen=True)
class Reading:
    """What one backup reads besides the entry itself."""

    reward: float = 0.0
    """R: what the result is worth, or what it adds in beads."""
    gamma: float = 1.0
    looked: float | None = None
    """The value looked at, before the discount."""
    candidate: Candidate | None = None
    """The move that it belongs to."""
    written_table: int = 0
    """Which of two tables is written (0, 1)."""
    is_end: bool = False
    """The game is over in what it looks at."""
    is_refill: bool = False
    """An empty matchbox is filled anew."""


def reading_of(update: Update, layout: Layout, v: NDArray[np.float64]) -> Reading:
    """What the update reads, from memory as it is before the write."""
    event, table = update.backup, update.table
    step = update.target_step
    gamma = float(update.spec.settings.get("gamma", 1.0))
    is_end = step is not None and step.is_end
    reward = reward_of(update, v) if is_end else 0.0
    if event is None or step is None:
        return Reading(reward, gamma, is_end=is_end)
    which = (event.entry - table.base) // len(table.entries.boards)
    if update.look is Look.REPLY:
        found = best_of(candidates(table, v, update.path[update.step.place]))
        return Reading(reward, gamma, found.value, found)
    if update.kind is Kind.BEADS:
        return Reading(reward, looked=event.old, is_end=True, is_refill=is_refill(update, event))
    if update.look is not Look.TURN:
        return Reading(reward, gamma, event.target, is_end=is_end)
    if is_end:
        return Reading(reward, gamma, 0.0, written_table=which, is_end=True)
    value, candidate = looked_at(update, layout, v, which, gamma)
    return Reading(reward, gamma, value, candidate, written_table=which)


def looked_at(
    update: Update, layout: Layout, v: NDArray[np.float64], which: int, gamma: float
) -> tuple[float, Candidate | None]:
    """What an action-value backup reads at the player's next turn, and whose value it is."""
    table, event, step = update.table, update.backup, update.target_step
    assert event is not None and step is not None and step.move is not None
    board = update.path[step.place]
    if "Q₂(S′,a*)" in update.terms:
        chooses = candidates(table, v, board, which)
        values = {c.edge: c.value for c in candidates(table, v, board, 1 - which)}
        most = best_of(chooses).value
        tied = [c for c in chooses if c.value == most]
        chosen = next((c for c in tied if gamma * values[c.edge] == event.target), tied[0])
        return values[chosen.edge], chosen
    options = candidates(table, v, board, 0)
    if "Q(S′,A′)" in update.terms:
        made = next(c for c in options if c.cell == step.move.cell)
        return made.value, made
    best = best_of(options)
    if "Σ π(a)Q(S′,a)" in update.terms:
        epsilon = epsilon_of(table, layout, update.event.game)
        mean = sum(c.value for c in options) / len(options)
        return (1.0 - epsilon) * best.value + epsilon * mean, None
    return best.value, best


def reward_of(update: Update, v: NDArray[np.float64]) -> float:
    """What the game's result is worth to the player, or adds in beads."""
    over = update.game.over
    if over is None:
        return 0.0
    slot = {"X": 1, "O": 2, "draw": 3}[over.result]
    return float(v[update.table.rewards + slot])


def is_refill(update: Update, event: Backup) -> bool:
    """Whether a backup fills an empty box anew instead of rewarding the colour played."""
    move = update.step.move
    if move is None:
        return False
    own = update.table.base + int(update.table.entries.of_edge[move.edge])
    if event.entry != own:
        return True
    row = update.learned_row - update.game.first
    earlier = update.game.events[row - 1]
    return isinstance(earlier, Backup) and earlier.board == event.board


def beads_changed(update: Update) -> int:
    """n of `menace-code`: what a result adds to, or takes from, the colour of a move."""
    length = len(update.moves)
    return (9 - length) // 2 + (10 - length + update.step.place) // 2

"""What an update reads: the numbers behind the terms of its equation, as they were recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from game import space
from learners.engine.choices import exploration_rate
from learners.kernel.parameters import parameters
from learners.rules.equation import TargetKind, Term, TermRole
from learners.tape.events import Backup
from tui.lab.microscope.update import Kind, Step, Update

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.kernel.memory import Layout, Table
    from learners.rules.spec import PlayerSpec

NO_ENTRY: Final = -1


@dataclass(frozen=True)
class Candidate:
    """A move that an update looks at."""

    edge: int
    cell: int
    value: float


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
    entries, edges = table.entries, space().edges_of(board)
    moves = slice(edges.start, edges.stop)
    if entries.of_state is not None:
        known = table.values(v)[0][entries.of_state[s.edge_successor[moves]]]
    elif which < 0:
        known = table.preferences(v, edges)
    else:
        known = table.values(v)[which][entries.of_edge[moves]]
    return [
        Candidate(edge, int(s.edge_cell[edge]), float(value))
        for edge, value in zip(edges, known, strict=True)
    ]


def best_of(options: list[Candidate]) -> Candidate:
    """The first of the highest valued."""
    return max(options, key=lambda candidate: candidate.value)


@dataclass(frozen=True)
class Colour:
    """The beads of one colour in a matchbox."""

    number: int
    """Its cell on the canonical board, 0-8: symmetric positions show the same colours."""
    cells: tuple[int, ...]
    """The cells that it stands for: more than one where a symmetry exchanges them."""
    beads: float
    share: float
    """Of all beads in the box; 0 in an empty one."""
    entry: int
    """Index into memory; `NO_ENTRY` where a move is forced and needs no bead."""


def colours_of(table: Table, v: NDArray[np.float64], board: int) -> tuple[Colour, ...]:
    """The colours of a position's box, by their first cell."""
    values = table.values(v)[0]
    cells: dict[int, list[int]] = {}
    for edge in space().edges_of(board):
        entry = int(table.entries.of_edge[edge])
        cells.setdefault(entry, []).append(int(space().edge_cell[edge]))
    total = sum(float(values[entry]) for entry in cells)
    return tuple(
        Colour(
            number=int(table.entries.cells[entry]),
            cells=tuple(alike),
            beads=float(values[entry]),
            share=float(values[entry]) / total if total else 0.0,
            entry=table.base + entry if table.entries.live[entry] else NO_ENTRY,
        )
        for entry, alike in cells.items()
    )


def epsilon_of(table: Table, layout: Layout, game: int, *, frozen: bool = False) -> float:
    """How often a player moves at random in a game."""
    return float(exploration_rate(parameters(table, layout, frozen), game))


def scale_of_values(spec: PlayerSpec) -> tuple[float, float]:
    """From the least to the most that a learner's values can be: its rewards."""
    win, draw, loss = spec.rule.rewards(spec.settings)
    low, high = min(win, draw, loss), max(win, draw, loss)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def entry_of_board(table: Table, position: int) -> int:
    """The entry of a board; of one on which the game is over, that of what the result is worth.

    One table for both sides values the end for whoever moved last, so it keeps its own entries.
    """
    outcome = int(space().outcome[position])
    if outcome and not table.spec.rule.one_table:
        return table.rewards + outcome
    assert table.entries.of_state is not None
    return table.base + int(table.entries.of_state[position])


def entry_of_edge(table: Table, edge: int, which: int = 0) -> int:
    """The entry by which a player's move is valued, in one of its tables (0, 1)."""
    if table.entries.of_state is not None:
        return entry_of_board(table, int(space().edge_successor[edge]))
    own = int(table.entries.of_edge[edge])
    if not table.spec.rule.estimates and not table.entries.live[own]:
        return NO_ENTRY
    return table.base + which * len(table.entries.boards) + own


def entry_of_step(update: Update, step: Step, which: int = 0) -> int:
    """The entry of a time step, in one of the player's tables (0, 1)."""
    table, over = update.table, update.game.over
    if step.is_end and over is not None:
        return table.rewards + {"X": 1, "O": 2, "draw": 3}[over.result]
    if table.entries.of_state is not None:
        return entry_of_board(table, update.path[step.place])
    return NO_ENTRY if step.move is None else entry_of_edge(table, step.move.edge, which)


def board_of(table: Table, entry: int) -> tuple[int, int] | None:
    """The position id and cell (-1 for none) of an entry; None for what a result is worth."""
    within = entry - table.base
    if not 0 <= within < table.size:
        return None
    own = within % len(table.entries.boards)
    return int(table.entries.boards[own]), int(table.entries.cells[own])


@dataclass(frozen=True)
class TargetInputs:
    """What one backup read besides the entry itself."""

    reward: float = 0.0
    """What the result is worth, or what it adds in beads; 0 before the end."""
    value: float | None = None
    """What is looked at: the first number that the target is made of."""
    candidate: Candidate | None = None
    """The move that it belongs to."""
    written_table: int = 0
    """Which of two tables is written (0, 1)."""
    is_end: bool = False
    """The game is over in what it looks at."""
    is_refill: bool = False
    """An empty matchbox is filled anew."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """By symbol, what the terms of the target were."""
    entries: Mapping[str, int] = field(default_factory=dict)
    """By symbol, which entries they were read from."""


def inputs_of(update: Update, v: NDArray[np.float64]) -> TargetInputs:
    """What the update reads, from memory as it is before the write."""
    event, table, step = update.backup, update.table, update.target_step
    is_end = step is not None and step.is_end and update.target_kind is not TargetKind.BEST_REPLY
    reward = reward_of(update, v) if is_end else 0.0
    if event is None or step is None:
        return TargetInputs(reward, is_end=is_end)
    if update.kind is Kind.BEADS:
        reader = TermReader(update, event, step, 0)
        refill = is_refill(update, event)
        return TargetInputs(
            reward, value=event.old, is_end=True, is_refill=refill, numbers=reader.numbers
        )
    which = max(0, event.entry - table.base) // len(table.entries.boards)
    reader = TermReader(update, event, step, which)
    found = {term.symbol: reader.entry_and_move(term) for term in update.equation.read}
    first = next(iter(update.equation.read), None)
    return TargetInputs(
        reward=reward,
        value=event.target if first is None else reader.numbers.get(first.symbol),
        candidate=None if first is None else found[first.symbol][1],
        written_table=which,
        is_end=is_end,
        numbers=reader.numbers,
        entries={symbol: entry for symbol, (entry, _) in found.items()},
    )


class TermReader:
    """Finds the numbers and the entries of the terms in what was recorded of a backup."""

    def __init__(self, update: Update, event: Backup, step: Step, which: int) -> None:
        self.update = update
        self.event = event
        self.step = step
        self.which = which
        self.other = 1 - which if update.spec.rule.tables > 1 else 0
        self.read = {self._shown(e): value for e, value in update.reads.earlier.items()}
        known = ((term.symbol, self._number(term)) for term in update.equation.terms)
        self.numbers = {symbol: number for symbol, number in known if number is not None}

    def _shown(self, entry: int) -> int:
        """The entry as which one that was read is shown: of a final board, that of the result."""
        place = board_of(self.update.table, entry)
        is_state = place is not None and place[1] < 0
        return entry_of_board(self.update.table, place[0]) if place and is_state else entry

    def _number(self, term: Term) -> float | None:
        """The number of a term, as far as the equation alone does not have it."""
        reads = self.update.reads
        if term.role is TermRole.TARGET:
            return self.event.target
        if term.variable in reads.variables:
            return reads.variables[term.variable]
        if term.role is TermRole.REWARD:
            rewards = range(self.update.table.rewards, self.update.table.rewards + 4)
            return next((n for e, n in self.read.items() if e in rewards), 0.0)
        if term.role not in (TermRole.READ, TermRole.ERROR) or term.variable:
            return None
        if not self.update.equation.is_composed:
            return self.event.target
        if term.looks_at is None:
            return None
        if term.looks_at.is_pair and self.step.is_end:
            return 0.0
        if term.looks_at is TargetKind.BEST_PAIR:
            return max(reads.values.values(), default=None)
        return self.read.get(self._entry_looked_at(term))

    def _entry_looked_at(self, term: Term) -> int:
        last = self.update.steps[-1]
        step = last if term.looks_at is TargetKind.END else self.step
        return entry_of_step(self.update, step, self.other)

    def entry_and_move(self, term: Term) -> tuple[int, Candidate | None]:
        """The entry that a term was read from, and the move whose value it is."""
        update, step = self.update, self.step
        number = self.numbers.get(term.symbol)
        if term.looks_at is None or number is None:
            return NO_ENTRY, None
        if term.looks_at is TargetKind.BEST_REPLY:
            return self._move_read(update.path[update.step.place], number)
        if step.is_end and term.looks_at.is_pair:
            return NO_ENTRY, None
        if term.looks_at is TargetKind.BEST_PAIR:
            return self._move_read(update.path[step.place], number)
        if term.looks_at is TargetKind.NEXT_PAIR and step.move is not None:
            move = Candidate(step.move.edge, step.move.cell, number)
            return entry_of_edge(update.table, move.edge, self.other), move
        if term.looks_at is TargetKind.EXPECTED_PAIR or update.kind is not Kind.STATES:
            return NO_ENTRY, None
        entry = self._entry_looked_at(term)
        return entry if self.read.get(entry) == number else NO_ENTRY, None

    def _move_read(self, board: int, number: float) -> tuple[int, Candidate | None]:
        """The first move of a position whose entry was read with this number."""
        for edge in space().edges_of(board):
            entry = entry_of_edge(self.update.table, edge, self.other)
            if self.update.reads.values.get(entry) == number:
                return entry, Candidate(edge, int(space().edge_cell[edge]), number)
        return NO_ENTRY, None


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

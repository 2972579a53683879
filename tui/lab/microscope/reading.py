"""One update as one record: what was read, the target, old and new, and its game.

Everything that Step shows is a function of an `Update`; nothing else reads the history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, true_values
from afterstate_lab.learners.rules.equation import Equation, TargetKind, Term, TermRole
from afterstate_lab.learners.tape.recording import RESULTS, Backup, Event, GameOver, Learning, Move
from afterstate_lab.learners.tape.seating import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, WRITE, Timeline
from afterstate_lab.learners.tape.update import BackupRecord, record_of
from afterstate_lab.tui.blocks.block import Quantity, Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.recording import Recording
    from afterstate_lab.learners.tape.update import Code, SourceLine

NO_ENTRY: Final = -1
NEAR: Final = 0.05
"""As near as this to its value under current play, no backup is a mistake."""
SLOTS: Final = {result: slot for slot, result in RESULTS.items()}
"""The index of each result's reward."""


class Read(NamedTuple):
    """A number that a target was computed from."""

    number: float
    entry: int = NO_ENTRY
    """Its index into memory."""
    cell: int | None = None


@dataclass(frozen=True)
class Step:
    """A time step of a player: an afterstate, a position with the move made in it, or the end."""

    place: int
    board: int
    """Position id."""
    move: Move | None = None
    """The player's move into the afterstate, or from the position."""
    is_end: bool = False
    """Whether the game is over here, also by resignation."""
    entries: tuple[int, ...] = ()
    """The indices of its value, one per table; for the end, of its reward."""
    learned: Learning | None = None
    """What the game learned about it; with traces, by this step's error."""
    at: int = -1
    """The index of that event."""
    looks_at: int = -1
    """The step that its backup read."""


@dataclass(frozen=True, eq=False)
class Update:
    """The update at a moment: an entry that the player changes."""

    player: str
    """The side that learns, X or O: the mover, or a learner that waits for an opponent."""
    table: Table
    seats: Mapping[str, Seat]
    events: tuple[Event, ...]
    """The recorded events of the game."""
    at: int
    """The index of the current event."""
    phase: int
    """The phase of the current event."""
    learned_at: int
    """The index of the backup, or of the reason for none; -1 if nothing is learned."""
    v: NDArray[np.float64]
    """Memory before the current backup."""
    after: NDArray[np.float64]
    """Memory at this moment."""
    recording: Recording
    first: int
    """The row of the game's first event in the recording."""
    codes: Callable[[], Sequence[Code]]
    """Replays the game, once, and returns the code of each event."""
    asks: bool = False
    """Whether the user predicts the new value, so that nothing reveals it."""

    # the game

    @property
    def event(self) -> Event:
        return self.events[self.at]

    @property
    def ply(self) -> int:
        return self.event.ply

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        return tuple(event for event in self.events if isinstance(event, Move))

    @cached_property
    def path(self) -> tuple[int, ...]:
        """The positions of the game, from the empty board to its last move."""
        return (0, *(move.afterstate for move in self.moves))

    @property
    def over(self) -> GameOver | None:
        last = self.events[-1]
        return last if isinstance(last, GameOver) else None

    @property
    def is_resigned(self) -> bool:
        return self.over is not None and self.over.resigned

    @property
    def is_move(self) -> bool:
        """Whether the moment is a move, not a backup."""
        return isinstance(self.event, Move)

    @property
    def choice(self) -> Move | None:
        """The move on display: the current one, or the player's latest; for beads, the move of the
        box.
        """
        if isinstance(self.event, Move):
            return self.event
        if self.is_beads:
            return self.step.move
        own = [move for move in self.moves if move.player == self.player and move.ply <= self.ply]
        return own[-1] if own else None

    @property
    def reply(self) -> Move | None:
        """The opponent's latest move that the player had seen."""
        seen = [m for m in self.moves if m.player != self.player and m.ply <= self.ply]
        return seen[-1] if seen else None

    # the rule

    @property
    def spec(self) -> PlayerSpec:
        return self.table.spec

    @property
    def equation(self) -> Equation:
        return self.spec.rule.equation

    @property
    def kind(self) -> TargetKind:
        """What the player's targets read."""
        return self.equation.kind

    @property
    def is_beads(self) -> bool:
        """Whether the player counts beads, not values."""
        return not self.spec.rule.estimates

    @property
    def is_pair(self) -> bool:
        return not (self.is_beads or self.spec.rule.by_state)

    def table_of(self, player: str) -> Table:
        return self.recording.layout.table(Side.parse(player))

    # time steps

    @cached_property
    def learnings(self) -> dict[int, Learning]:
        """What both players learn in this game, by event."""
        return {at: event for at, event in enumerate(self.events) if isinstance(event, Learning)}

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        steps = list(self._bare_steps)
        for at, event in self.learnings.items():
            index = self.step_of(event)
            if steps and self._concerns(at, event) and steps[index].learned is None:
                to = self._step_read(at)
                steps[index] = replace(steps[index], learned=event, at=at, looks_at=to)
        return tuple(steps)

    @cached_property
    def _bare_steps(self) -> tuple[Step, ...]:
        """The time steps, without what was learned."""
        moves, last, over = self.moves, len(self.moves), self.over
        own = [move for move in moves if move.player == self.player]
        if not self.spec.rule.by_state:
            steps = [self._step(move.ply - 1, move) for move in own]
        else:
            lives, ply = self.table.entries.live, space().ply[self.table.entries.boards]
            if lives[ply == 2 - self.table.side].any():
                own = list(moves)  # The boards after the opponent's moves are time steps too.
            ends = over is not None and not over.resigned
            steps = [self._step(0), *(self._step(m.ply, m, ends and m.ply == last) for m in own)]
        if over is not None and not (steps and steps[-1].is_end):
            steps.append(self._step(last, is_end=True))
        return tuple(steps)

    def _step(self, place: int, move: Move | None = None, is_end: bool = False) -> Step:
        table, board = self.table, self.path[place]
        entries: tuple[int, ...] = (NO_ENTRY,)
        if is_end and self.over is not None:
            entries = (table.rewards + SLOTS[self.over.result],)
        elif table.entries.of_state is not None:
            entries = (entry_of_board(table, board),)
        elif move is not None:
            entries = entries_of_edge(table, move.edge)
        return Step(place, board, move, is_end, entries)

    def _concerns(self, at: int, event: Learning) -> bool:
        """Return whether it is learned by the player, or into a shared table; with traces, by the
        current step's error.
        """
        within = event.entry - self.table.base
        shares = self.kind is TargetKind.BEST_REPLY and 0 <= within < self.table.size
        if event.player != self.player and not shares:
            return False
        if self.kind is not TargetKind.TRACE:
            return True
        if not isinstance(event, Backup):
            return at == self.learned_at or at < self.at
        return self.learned_at >= 0 and self.head_of(at) == self.head_of(self.learned_at)

    def step_of(self, event: Learning) -> int:
        """Return the time step of an entry: the one with as many moves played."""
        ply, steps = space().ply[event.board], self._bare_steps
        return next((n for n, step in enumerate(steps) if step.place == ply and not step.is_end), 0)

    def head_of(self, at: int) -> int:
        """Return the first backup of the step that an event belongs to."""
        while at > 0 and is_together(self.events[at - 1], self.events[at]):
            at -= 1
        return at

    def _step_read(self, at: int) -> int:
        """Return the time step that an event's learning reads; without a read, the next."""
        steps, event = self._bare_steps, self.learnings[at]
        last = len(steps) - 1
        is_read = self.spec.rule.by_state and self.kind is not TargetKind.BEST_REPLY
        if is_read and isinstance(event, Backup) and event.read >= 0:
            if self.recording.layout.ends[event.read]:
                return last
            read = (n for n, step in enumerate(steps) if event.read in step.entries)
            if (found := next(read, None)) is not None:
                return found
        return last if self.kind is TargetKind.END else min(self.step_of(event) + 1, last)

    @cached_property
    def index(self) -> int:
        """The index of the backed-up step."""
        if self.learned is not None:
            return self.step_of(self.learned)
        if isinstance(self.event, GameOver):
            return max(0, len(self.steps) - 2)
        seen = [not step.is_end and step.place < self.ply - self.is_pair for step in self.steps]
        return max((index for index, is_seen in enumerate(seen) if is_seen), default=0)

    @cached_property
    def looks_at(self) -> int | None:
        """The index of the step that the target reads, if known."""
        if self.learned is not None:
            return self._step_read(self.learned_at)
        after = self.index + 1
        if isinstance(self.event, GameOver):
            return len(self.steps) - 1 if self.steps else None
        reached = after < len(self.steps) and self.steps[after].place <= self.ply
        return after if reached and not self.is_beads else None

    @property
    def step(self) -> Step:
        return self.steps[self.index] if self.steps else Step(0, 0)

    @property
    def target(self) -> Step | None:
        """The time step that the target reads."""
        return None if self.looks_at is None or not self.steps else self.steps[self.looks_at]

    # the backup

    @property
    def learned(self) -> Learning | None:
        """The backup, or the reason for none."""
        return self.learnings.get(self.learned_at)

    @property
    def backup(self) -> Backup | None:
        return self.learned if isinstance(self.learned, Backup) else None

    @property
    def error(self) -> float:
        """δ: the TD error; with traces, the newest time step's. 0 without a backup."""
        traced = self.kind is TargetKind.TRACE and self.learned_at >= 0
        head = self.learnings[self.head_of(self.learned_at)] if traced else self.learned
        return head.error if isinstance(head, Backup) else 0.0

    @property
    def which(self) -> int:
        """The table that is written (0, 1)."""
        if self.backup is None or self.spec.rule.tables == 1:
            return 0
        return (self.backup.entry - self.table.base) // len(self.table.entries.boards)

    @property
    def looks_at_end(self) -> bool:
        """Whether the target reads the end of the game."""
        if self.is_beads and self.backup is not None:
            return True
        is_end = self.target is not None and self.target.is_end
        return is_end and self.kind is not TargetKind.BEST_REPLY

    @property
    def reward(self) -> float:
        """The reward, or the beads added; 0 before the end."""
        return self.result_in(self.v) if self.looks_at_end else 0.0

    def result_in(self, v: NDArray[np.float64]) -> float:
        """Return the reward of the game's result, or its beads."""
        return 0.0 if self.over is None else float(v[self.table.rewards + SLOTS[self.over.result]])

    @cached_property
    def reads(self) -> Mapping[str, Read]:
        """The numbers of the target by symbol; empty without a backup."""
        found = {term.symbol: self._read(term) for term in self.equation.terms}
        return {symbol: read for symbol, read in found.items() if read is not None}

    @cached_property
    def record(self) -> BackupRecord | None:
        """What the backup's target was made of; None without a backup."""
        if self.backup is None:
            return None
        return record_of(self.recording, self.first + self.learned_at)

    def _read(self, term: Term) -> Read | None:
        """Return the number of a term that the equation does not contain, and its entry."""
        made, target, looks_at = self.record, self.target, term.looks_at
        if made is None or target is None:
            return None
        backup = made.backup
        if term.role is TermRole.TARGET:
            return Read(backup.target)
        if term.variable:
            variables = self.codes()[self.learned_at].variables
            if term.variable in variables:
                return Read(variables[term.variable])
        if term.role is TermRole.REWARD:
            return Read(made.reward)
        if term.role not in (TermRole.READ, TermRole.ERROR) or term.variable or looks_at is None:
            return None
        if looks_at.is_pair and target.is_end:
            return Read(0.0)
        step = self.steps[-1] if looks_at is TargetKind.END else target
        entry = self.entry_of(step)
        if backup.read >= 0 and (looks_at is TargetKind.BEST_REPLY or not step.is_end):
            entry = backup.read
        elif not self.equation.is_composed and backup.read < 0:
            entry = NO_ENTRY
        number = float(made.v[entry]) if self.equation.is_composed else backup.target
        return Read(number, entry, self._cell_read(looks_at, target, entry))

    def _cell_read(self, looks_at: TargetKind, target: Step, entry: int) -> int | None:
        """Return the cell of the move whose value was read."""
        if looks_at is TargetKind.NEXT_PAIR:
            return None if target.move is None else target.move.cell
        if looks_at not in (TargetKind.BEST_PAIR, TargetKind.BEST_REPLY):
            return None
        board = self.step.board if looks_at is TargetKind.BEST_REPLY else target.board
        edges = (e for e in space().edges_of(board) if entry in entries_of_edge(self.table, e))
        return next((int(space().edge_cell[edge]) for edge in edges), None)

    @property
    def looked(self) -> Read | None:
        """The first number of the target."""
        first = next(iter(self.equation.read), None)
        if first is None:
            return None if self.backup is None else Read(self.backup.target)
        return self.reads.get(first.symbol)

    @property
    def is_refill(self) -> bool:
        """Whether an empty box is refilled instead of rewarding the colour played."""
        return self.record is not None and self.record.is_refill

    @property
    def code(self) -> SourceLine | None:
        """The line of code of the backup; before it is known, of the game's first."""
        own = (at for at, event in self.learnings.items() if event.player == self.player)
        at = self.learned_at if self.learned_at >= 0 else next(own, -1)
        return None if at < 0 else self.codes()[at].line

    # what is known in the current phase

    @property
    def is_decided(self) -> bool:
        return not self.is_move or self.phase >= CHOICE

    @property
    def at_work(self) -> bool:
        """Whether the current event is the backup."""
        return self.backup is not None and self.event is self.backup

    @property
    def knows_target(self) -> bool:
        if self.backup is None:
            return False
        return not self.is_move or (self.phase == CHOICE and self.kind is not TargetKind.END)

    @property
    def is_written(self) -> bool:
        return self.backup is not None and not self.is_move and self.phase == WRITE

    @property
    def is_masked(self) -> bool:
        """Whether the new value must stay hidden."""
        return self.asks and self.backup is not None and not self.is_written

    def is_revealed(self, step: Step) -> bool:
        """Return whether the move of a step is already chosen."""
        return step.move is not None and (self.event is not step.move or self.is_decided)

    def is_known(self, step: Step) -> bool:
        """Return whether a time step is reached, so that its numbers can be selected."""
        if step.is_end and self.is_resigned:
            return not self.is_move
        done = step.place if step.move is None else step.move.ply
        return done < self.ply + self.is_decided

    # the meaning of each number, as far as known in this phase

    def meaning(self, entry: int) -> Quantity | None:
        """Return the current value of an entry."""
        if entry == NO_ENTRY:
            return None
        if entry == self.entry:
            return Quantity(Role.NEW if self.is_written else Role.OLD, entry)
        if entry == self.reward_entry:
            return Quantity(Role.REWARD, entry)
        is_read = self.knows_target and any(read.entry == entry for read in self.reads.values())
        return Quantity(Role.READ if is_read else Role.ENTRY, entry)

    def meaning_before(self, entry: int) -> Quantity | None:
        """Return the value of an entry before the current backup."""
        if entry == self.entry != NO_ENTRY and self.event is self.learned:
            return Quantity(Role.OLD, entry)
        return self.meaning(entry)

    def mean_before(self, entries: tuple[int, ...]) -> Quantity | None:
        """The mean of two tables' entries before the current backup, or None if that changed it."""
        changed = self.is_written and self.event is self.learned and self.entry in entries
        return None if changed else Quantity(Role.MEAN, entries[0])

    def step_meaning(self, step: Step) -> Quantity | None:
        """Return the current value of a time step."""
        return self.meaning(self.entry_of(step)) if self.is_known(step) else None

    def old_meaning(self) -> Quantity | None:
        return None if self.entry == NO_ENTRY else Quantity(Role.OLD, self.entry)

    @property
    def reward_entry(self) -> int:
        """The entry of the reward that the equation has a term for."""
        has_term = any(term.role is TermRole.REWARD for term in self.equation.terms)
        is_known = has_term and self.knows_target and not self.is_refill
        is_end = self.target is not None and self.target.is_end
        return self.entry_of(self.target) if self.target and is_known and is_end else NO_ENTRY

    def looked_meaning(self) -> Quantity | None:
        """Return what is read first, or the sum; None if it is 0 after the end."""
        if self.is_beads or not self.knows_target:
            return None
        first = next(iter(self.equation.read), None)
        return Quantity(Role.TARGET) if first is None else self.read_meaning(first)

    def read_meaning(self, term: Term) -> Quantity | None:
        """Return what a term of the target was read from."""
        if self.is_beads or not self.knows_target or (self.looks_at_end and self.kind.is_pair):
            return None
        found = self.reads.get(term.symbol)
        return Quantity(Role.READ, NO_ENTRY if found is None else found.entry)

    def term_meaning(self, term: Term) -> Quantity | None:
        """Return the meaning of a term's number."""
        role = term.role
        if not term.is_number or role is TermRole.NUMBER:
            return None
        if role is TermRole.OLD:
            return self.old_meaning()
        if role is TermRole.NEW:
            return Quantity(Role.NEW, self.entry) if self.is_written else None
        if role is TermRole.READ:
            return self.read_meaning(term)
        if role in (TermRole.STEP, TermRole.DISCOUNT):
            return Quantity(Role(role.value))
        if not self.knows_target or (self.is_refill and role is not TermRole.TRACE):
            return None
        entries = {TermRole.TRACE: self.entry, TermRole.REWARD: self.reward_entry}
        return Quantity(Role(role.value), entries.get(role, NO_ENTRY))

    # values

    def held(self, step: Step, v: NDArray[np.float64], which: int = -1) -> float | None:
        """Return the value of a step in memory, if it has one: `which` of two tables, -1 for the
        number that ranks moves.
        """
        if step.is_end:
            return self.result_in(v)
        if self.table.entries.of_state is not None:
            return float(v[self.table.base + self.table.entries.of_state[step.board]])
        return None if step.move is None else value_of_edge(self.table, v, step.move.edge, which)

    def value_of(self, step: Step) -> float | None:
        """Return the value of a step, in the table that is written; a move's once chosen."""
        rule = self.spec.rule
        if not rule.learns or not (step.is_end or rule.by_state or self.is_revealed(step)):
            return None
        return self.held(step, self.after, self.which if self.spec.rule.tables > 1 else -1)

    def entry_of(self, step: Step) -> int:
        """Return the index of a step's value, in the table that is written."""
        return step.entries[min(self.which, len(step.entries) - 1)] if step.entries else NO_ENTRY

    @property
    def value(self) -> float | None:
        """The value of the current entry, if known."""
        is_reached = self.is_decided or self.step.place < self.ply
        return self.value_of(self.step) if is_reached and self.steps else None

    @cached_property
    def entry(self) -> int:
        """The entry that is written, or `NO_ENTRY` before it is known."""
        if self.value is None:
            return NO_ENTRY
        return self.entry_of(self.step) if self.learned is None else self.learned.entry

    @property
    def old(self) -> float | None:
        """The value of the entry before the backup, if known."""
        return self.value if self.value is None or self.backup is None else self.backup.old

    def now_of(self, step: Step) -> float:
        """Return v_π of a step: its value under current play."""
        return float(self._v_pi(self.player)[self._valued(step)])

    def _valued(self, step: Step) -> int:
        """Return the position of a step's exact value."""
        is_pair = step.move is not None and not self.spec.rule.by_state and self.is_revealed(step)
        return step.move.afterstate if step.move is not None and is_pair else step.board

    def _v_pi(self, player: str) -> NDArray[np.float64]:
        return self._current_play.v_pi(Side.parse(player))

    @cached_property
    def _current_play(self) -> EvaluatedState:
        return EvaluatedState(self.recording.layout, self.after, self.event.game)

    @cached_property
    def truths(self) -> Mapping[str, NDArray[np.float64]]:
        """float64[5478], v* by position for X and O; of beads, from a loss (0) to a win (1)."""
        found = {}
        for player in "XO":
            spec, layout = self.table_of(player).spec, self.recording.layout
            values = true_values(layout, self.after, Side.parse(player), self.event.game)
            if spec.rule.learns and not spec.rule.estimates:
                win, _, loss = spec.rule.rewards(spec.settings)
                values = (values - loss) / ((win - loss) or 1.0)
            found[player] = values
        return found

    def role_of_change(self, backup: Backup) -> str:
        """Return `better` for a change towards v_π, `worse` for one away from it.

        Near it, return `text`.
        """
        if not self.table_of(backup.player).spec.rule.estimates:
            return "text"
        truth = float(self._v_pi(backup.player)[position_of(backup)])
        if abs(backup.new - truth) < NEAR:
            return "text"
        was, now = abs(backup.old - truth), abs(backup.new - truth)
        return "better" if now < was else "worse" if now > was else "text"


def update_at(timeline: Timeline, *, asks: bool = False) -> Update | None:
    """Return the update of the current event, or None before the first event."""
    event, first = timeline.event, timeline.rows.start
    if event is None:
        return None
    events, at = tuple(timeline.events_of_game()), timeline.row - first
    layout, seating = timeline.recording.layout, timeline.run.seating_of(timeline.game)
    seats = {"X": seating.x, "O": seating.o}
    tables = {"X": layout.x, "O": layout.o}
    learning = [
        player
        for player, table in tables.items()
        if seats[player] is Seat.LEARNS and table.spec.learns and table.spec.rule.learns
    ]
    player, learned_at = whose(events, at, learning)
    before = after = timeline.v.copy()
    if isinstance(event, Backup) and timeline.at > timeline.row:
        before = after.copy()
        before[event.entry] = event.old
    return Update(
        player,
        tables[player],
        seats,
        events,
        at,
        timeline.phase,
        learned_at,
        before,
        after,
        timeline.recording,
        first,
        partial(timeline.codes, timeline.recording, timeline.game),
        asks,
    )


def whose(events: tuple[Event, ...], at: int, learning: list[str]) -> tuple[str, int]:
    """Return the side that an event belongs to, and its learning event; -1 for none."""
    event = events[at]
    if isinstance(event, Learning):
        return event.player, at
    if isinstance(event, Move):
        other = "O" if event.player == "X" else "X"
        waits = event.player not in learning and other in learning
        player = other if waits else event.player
        for later in range(at + 1, len(events)):
            found = events[later]
            if isinstance(found, Move):
                break
            if isinstance(found, Learning) and found.player == player:
                return player, later
        return player, -1
    for earlier in range(at - 1, -1, -1):
        found = events[earlier]
        if isinstance(found, Learning):
            return found.player, earlier
    return next(iter(learning), "X"), -1


def position_of(event: Learning) -> int:
    """Return the position that an event's entry is about: a board, or the board after a move."""
    return event.board if event.cell is None else int(space().successor[event.board, event.cell])


def is_together(earlier: Event, event: Event) -> bool:
    """Return whether an event is made together with the previous backup, of an earlier board."""
    if not (isinstance(earlier, Backup) and isinstance(event, Learning)):
        return False
    same = (earlier.player, earlier.ply) == (event.player, event.ply)
    return same and bool(space().ply[earlier.board] > space().ply[event.board])


# what a table holds


@dataclass(frozen=True)
class Colour:
    """The beads of one colour in a matchbox."""

    number: int
    """Its cell on the canonical board, 0-8, so that symmetric positions share colours."""
    cells: tuple[int, ...]
    """Its cells: several if a symmetry exchanges them."""
    beads: float
    share: float
    """Its share of the beads; 0 in an empty box."""
    entry: int
    """Index into memory; `NO_ENTRY` if the move is forced."""


def colours_of(table: Table, v: NDArray[np.float64], board: int) -> tuple[Colour, ...]:
    """Return the colours of a position's box, by their first cell."""
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


def value_of_edge(table: Table, v: NDArray[np.float64], edge: int, which: int = -1) -> float:
    """Return a table's value of a move (also the opponent's, for position values); `which` of two
    tables, -1 for the number that ranks moves.
    """
    entries = table.entries
    if entries.of_state is not None:
        return float(table.values(v)[0][entries.of_state[space().edge_successor[edge]]])
    if which < 0:
        return float(table.preferences(v, range(edge, edge + 1))[0])
    return float(table.values(v)[which][entries.of_edge[edge]])


def values_of(
    table: Table, v: NDArray[np.float64], board: int, which: int = -1
) -> dict[int, float]:
    """Return a table's values of a position's moves by cell; see `value_of_edge`."""
    return {
        int(space().edge_cell[edge]): value_of_edge(table, v, edge, which)
        for edge in space().edges_of(board)
    }


def best_of(table: Table, v: NDArray[np.float64], board: int) -> tuple[int, float]:
    """Return the best cell of a position, the first of equal ones, and its value."""
    return max(values_of(table, v, board).items(), key=lambda known: known[1])


def entry_of_board(table: Table, position: int) -> int:
    """Return the entry of a board; for a finished board, the entry of the reward.

    One table for both sides values the end for the last mover, so it keeps its own entries.
    """
    outcome = int(space().outcome[position])
    if outcome and not table.spec.rule.one_table:
        return table.rewards + outcome
    assert table.entries.of_state is not None
    return table.base + int(table.entries.of_state[position])


def entries_of_edge(table: Table, edge: int) -> tuple[int, ...]:
    """Return the entries of a player's move, one per table."""
    if table.entries.of_state is not None:
        return (entry_of_board(table, int(space().edge_successor[edge])),)
    own = int(table.entries.of_edge[edge])
    if not table.spec.rule.estimates and not table.entries.live[own]:
        return (NO_ENTRY,)
    many = len(table.entries.boards)
    return tuple(table.base + which * many + own for which in range(table.spec.rule.tables))


def board_of(table: Table, entry: int) -> tuple[int, int] | None:
    """Return the position and cell (-1 for none) of an entry, or None for a reward."""
    within = entry - table.base
    if not 0 <= within < table.size:
        return None
    own = within % len(table.entries.boards)
    return int(table.entries.boards[own]), int(table.entries.cells[own])


def scale_of_values(spec: PlayerSpec) -> tuple[float, float]:
    """Return the range of a learner's values: its rewards."""
    win, draw, loss = spec.rule.rewards(spec.settings)
    low, high = min(win, draw, loss), max(win, draw, loss)
    return (low, high) if low < high else (low - 1.0, high + 1.0)

"""One update as one record: what was read, the target, old and new, and its game.

Everything that Step shows is a function of an `Update`; nothing else reads the history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import Floats
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, true_values
from afterstate_lab.learners.kernel.memory import Table
from afterstate_lab.learners.rules.base import Rule
from afterstate_lab.learners.rules.equation import NUMBERS, Equation, TargetKind, Term, TermRole
from afterstate_lab.learners.tape.recording import (
    RESULTS,
    Backup,
    Event,
    GameOver,
    Learning,
    Move,
    Recording,
)
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, WRITE, Timeline
from afterstate_lab.learners.tape.update import BackupRecord, Code, SourceLine, codes_of, record_of
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.lab.labels import board_label, owner_of

NO_ENTRY: Final = -1
NEAR: Final = 0.05
"""As near as this to its value under current play, no backup is a mistake."""
SLOTS: Final = {result: slot for slot, result in RESULTS.items()}
"""The index of each result's reward."""


class Read(NamedTuple):
    """A number of the equation."""

    number: float
    role: TermRole | None = None
    """The role in which it is selected, if it can be."""
    entry: int = NO_ENTRY
    """Its index into memory."""
    cell: int | None = None
    """The move whose value it is, if that is not the state's."""

    @property
    def means(self) -> Quantity | None:
        """What it is selected as."""
        entry = NO_ENTRY if self.role is TermRole.ERROR else self.entry
        return None if self.role is None else Quantity(self.role, entry)


class Step(NamedTuple):
    """A time step of a player: an afterstate, a position with the move made in it, or the end."""

    place: int
    board: int = 0
    """Position id."""
    move: Move | None = None
    """The player's move into the afterstate, or from the position."""
    is_end: bool = False
    """Whether the game is over here, also by resignation."""
    entries: tuple[int, ...] = ()
    """The indices of its value, one per table; for the end, of its reward."""
    entry: int = NO_ENTRY
    """The index of its value in the table that is written."""
    position: int = 0
    """The position with the move, if it is already chosen."""
    is_known: bool = False
    """Whether it is reached, so that its numbers can be selected."""


@lean_dataclass
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
    v: Floats
    """Memory before the current backup."""
    after: Floats
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

    def latest(self, *, own: bool) -> Move | None:
        """Return the latest move that the player had made, or seen."""
        seen = (move for move in reversed(self.moves) if move.ply <= self.event.ply)
        return next((move for move in seen if (move.player == self.player) == own), None)

    @property
    def choice(self) -> Move | None:
        """The move on display: the current one, or the player's latest; for beads, the move of the
        box.
        """
        if isinstance(self.event, Move):
            return self.event
        return self.step.move if self.is_beads else self.latest(own=True)

    # the rule

    @property
    def rule(self) -> type[Rule]:
        return self.table.rule

    @property
    def equation(self) -> Equation:
        return self.rule.equation

    @property
    def kind(self) -> TargetKind:
        """What the player's targets read."""
        return self.equation.kind

    @property
    def is_beads(self) -> bool:
        """Whether the player counts beads, not values."""
        return not self.rule.estimates

    def table_of(self, player: str) -> Table:
        return self.recording.layout.table(Side.parse(player))

    # time steps

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        entries, over, is_by_state = self.table.entries, self.over, self.rule.by_state
        is_others = space().ply[entries.boards] == 2 - self.table.side
        # The boards after the opponent's moves are time steps too if they are learned.
        learns_all = is_by_state and entries.live[is_others].any()
        own = [move for move in self.moves if learns_all or move.player == self.player]
        steps = [self._step(0)] if is_by_state else []
        steps += [self._step(move.ply - (not is_by_state), move) for move in own]
        if over is not None:
            is_reached = is_by_state and not over.resigned and steps[-1].place == over.ply
            last = steps.pop().move if is_reached else None
            steps.append(self._step(over.ply, last, is_end=True))
        return tuple(steps)

    @cached_property
    def lessons(self) -> Mapping[int, tuple[int, Learning]]:
        """What the player learned in the game about each time step, by its index: the index of the
        first event about it, and that event; with traces, by the current step's error. What anyone
        learns into a shared table is the player's too.
        """
        found: dict[int, tuple[int, Learning]] = {}
        now = None if self.backup is None else (self.backup.ply, self.backup.read)
        for at, event in enumerate(self.events):
            if not isinstance(event, Learning):
                continue
            within = event.entry - self.table.base
            shares = self.kind is TargetKind.BEST_REPLY and 0 <= within < self.table.size
            if event.player != self.player and not shares:
                continue
            if self.kind is TargetKind.TRACE and at != self.learned_at:
                is_of_step = at < self.at
                if isinstance(event, Backup):
                    is_of_step = (event.ply, event.read) == now
                if not is_of_step:
                    continue
            found.setdefault(self.index_of(event), (at, event))
        return found

    def _step(self, place: int, move: Move | None = None, *, is_end: bool = False) -> Step:
        table, board = self.table, self.path[place]
        entries: tuple[int, ...] = (table.base,)
        if is_end and self.over is not None:
            entries = (table.rewards + SLOTS[self.over.result],)
        elif move is not None:
            entries = entries_of_edge(table, move.edge)
        position, made = board, place
        if move is not None:
            made = move.ply
            if self.is_decided or move is not self.event:
                position = move.afterstate
        is_known = made < self.event.ply + self.is_decided
        if is_end and self.is_resigned:
            is_known = not isinstance(self.event, Move)
        entry = entries[min(self.which, len(entries) - 1)]
        return Step(place, board, move, is_end, entries, entry, position, is_known)

    def index_of(self, event: Learning) -> int:
        """Return the time step of an entry: the one with as many moves played."""
        ply, steps = space().ply[event.board], enumerate(self.steps)
        return next((n for n, step in steps if step.place == ply and not step.is_end), 0)

    def step_read(self, event: Learning) -> int:
        """Return the time step that an event's learning reads; without a read, the next."""
        last, read = len(self.steps) - 1, event.read if isinstance(event, Backup) else NO_ENTRY
        is_reply = self.kind is TargetKind.BEST_REPLY
        is_end = read >= 0 and self.recording.layout.ends[read] and not is_reply
        if self.kind is TargetKind.END or is_end:
            return last
        following = min(self.index_of(event) + 1, last)
        return next((n for n, step in enumerate(self.steps) if read in step.entries), following)

    @cached_property
    def index(self) -> int:
        """The index of the backed-up step."""
        if self.learned is not None:
            return self.index_of(self.learned)
        if isinstance(self.event, GameOver):
            return max(0, len(self.steps) - 2)
        ply = self.event.ply - (not (self.is_beads or self.rule.by_state))
        seen = (n for n, step in enumerate(self.steps) if not step.is_end and step.place < ply)
        return max(seen, default=0)

    @cached_property
    def looks_at(self) -> int | None:
        """The index of the step that the target reads, if known."""
        if self.learned is not None:
            return self.step_read(self.learned)
        after = self.index + 1
        is_reached = after < len(self.steps) and self.steps[after].place <= self.event.ply
        is_over = isinstance(self.event, GameOver)
        return after if is_reached and (is_over or not self.is_beads) else None

    @property
    def step(self) -> Step:
        return self.steps[self.index] if self.steps else Step(0)

    @property
    def target(self) -> Step | None:
        """The time step that the target reads."""
        return None if self.looks_at is None else self.steps[self.looks_at]

    # the backup

    @property
    def learned(self) -> Learning | None:
        """The backup, or the reason for none."""
        found = self.events[self.learned_at] if self.learned_at >= 0 else None
        return found if isinstance(found, Learning) else None

    @property
    def backup(self) -> Backup | None:
        return self.learned if isinstance(self.learned, Backup) else None

    @cached_property
    def record(self) -> BackupRecord:
        """What the target of the backup was made of."""
        return record_of(self.recording, self.first + self.learned_at)

    @property
    def errors(self) -> Floats:
        """The TD error that each event applies; with traces, the error of the newest step."""
        return self.recording.errors[self.first :]

    @property
    def error(self) -> float:
        """δ, the TD error; 0 without a backup."""
        return 0.0 if self.backup is None else float(self.errors[self.learned_at])

    @property
    def which(self) -> int:
        """The table that is written (0, 1)."""
        boards, backup = len(self.table.entries.boards), self.backup
        return 0 if backup is None else (backup.entry - self.table.base) // boards

    @property
    def code(self) -> SourceLine | None:
        """The line of code of the backup, or of the reason for none."""
        return None if self.learned is None else self.codes()[self.learned_at].line

    # what is known in the current phase

    @property
    def is_decided(self) -> bool:
        return not isinstance(self.event, Move) or self.phase >= CHOICE

    @property
    def knows_target(self) -> bool:
        is_decided = self.is_decided and self.kind is not TargetKind.END
        return self.backup is not None and (is_decided or not isinstance(self.event, Move))

    @property
    def is_written(self) -> bool:
        return self.backup is not None and self.phase == WRITE

    @property
    def is_masked(self) -> bool:
        """Whether the new value must stay hidden."""
        return self.asks and self.backup is not None and not self.is_written

    @property
    def entry(self) -> int:
        """The entry that is written, or `NO_ENTRY` before it is known."""
        if not (self.rule.learns and self.step.is_known):
            return NO_ENTRY
        return self.step.entry if self.learned is None else self.learned.entry

    # the numbers of the equation

    @cached_property
    def numbers(self) -> tuple[Read | None, ...]:
        """The number of each term; None for a sign, and before it is known."""
        return tuple(self._read(term) for term in self.equation.terms)

    def _read(self, term: Term) -> Read | None:
        role, backup = term.role, self.backup
        if role is TermRole.NUMBER:
            return Read(NUMBERS.get(term.symbol) or float(term.symbol))
        if role is TermRole.OLD:
            old = float(self.after[self.entry]) if backup is None else backup.old
            return None if self.entry == NO_ENTRY else Read(old, role, self.entry)
        if role is TermRole.DISCOUNT:
            return Read(float(self.table.spec.settings.get(term.option, 1.0)), role)
        if backup is None or not (self.is_written if role is TermRole.NEW else self.knows_target):
            return None
        if role in (TermRole.NEW, TermRole.TRACE):
            return Read(getattr(backup, role.value), role, self.entry)
        if role in (TermRole.STEP, TermRole.TARGET):
            return Read(getattr(backup, role.value), role)
        return self._made_of(term, backup)

    def _made_of(self, term: Term, backup: Backup) -> Read | None:
        """Return a number of the target that the equation does not contain."""
        made, target, looks_at = self.record, self.target or self.step, term.looks_at
        is_reward, is_composed = term.role is TermRole.REWARD, self.equation.is_composed
        if made.is_refill:
            return Read(backup.new - backup.old if is_reward else backup.new)
        if looks_at is not None and looks_at.is_pair and target.is_end:
            return Read(0.0)
        variables = self.codes()[self.learned_at].variables if term.variable else {}
        number = variables.get(term.variable, made.reward if is_reward else None)
        if number is not None:
            is_result = is_reward and target.is_end
            return Read(number, term.role, target.entry if is_result else NO_ENTRY)
        if looks_at is None or term.variable:
            return None
        step = self.steps[-1] if looks_at is TargetKind.END else target
        entry = step.entry
        if backup.read >= 0 and (looks_at is TargetKind.BEST_REPLY or not step.is_end):
            entry = backup.read
        elif not is_composed and backup.read < 0:
            entry = NO_ENTRY
        number = float(made.v[entry]) if is_composed else backup.target
        if term.role is TermRole.ERROR:
            number = self.error
        cell = None
        if looks_at is TargetKind.NEXT_PAIR:
            cell = None if target.move is None else target.move.cell
        elif looks_at in (TargetKind.BEST_PAIR, TargetKind.BEST_REPLY):
            board = self.step.board if looks_at is TargetKind.BEST_REPLY else target.board
            edges = (e for e in space().edges_of(board) if entry in entries_of_edge(self.table, e))
            cell = next((int(space().edge_cell[edge]) for edge in edges), None)
        return Read(number, term.role, entry, cell)

    @property
    def reads(self) -> Mapping[str, Read]:
        """What the target was made of, by symbol, as far as known."""
        found = zip(self.equation.terms, self.numbers, strict=True)
        return {term.symbol: read for term, read in found if read and term in self.equation.read}

    def meaning_at(self, step: Step) -> Quantity | None:
        """Return the meaning of a step's current value, once it is reached."""
        if step.entry == NO_ENTRY or not step.is_known:
            return None
        found = (one.role for one in self.numbers if one is not None and one.entry == step.entry)
        role = next(found, None) or TermRole.ENTRY
        return Quantity(TermRole.READ if role is TermRole.ERROR else role, step.entry)

    # entries

    def table_with(self, entry: int) -> Table:
        """Return the table of an entry; of a shared one, the player's."""
        if entry == NO_ENTRY or self.table.place_of(entry) is not None:
            return self.table
        return self.recording.layout.table_of(entry)

    def condition(self, entry: int) -> str:
        """Return the breakpoint of an entry's backups; empty for a constant."""
        table = self.table_with(entry)
        place = table.place_of(entry)
        if place is None:
            return ""
        player = table.side.mark if table.rule.by_state else owner_of(table, place[0])
        return f"wrote {player} {board_label(*place)}"

    # values

    @cached_property
    def v_pi(self) -> Floats:
        """float64[5478]: the value of each position for the player under current play."""
        state = EvaluatedState(self.recording.layout, self.after, self.event.game)
        return state.v_pi(self.table.side)

    def exact(self, player: str) -> Floats:
        """Return float64[5478], v* by position; of beads, from a loss (0) to a win (1)."""
        spec = self.table_of(player).spec
        values = true_values(self.recording.layout, Side.parse(player), self.event.game)
        if spec.rule.learns and not spec.rule.estimates:
            win, _, loss = spec.rewards
            values = (values - loss) / ((win - loss) or 1.0)
        return values

    def role_of_change(self, backup: Backup) -> str:
        """Return `better` for a change towards v_π, `worse` for one away from it.

        Near it, return `text`.
        """
        if self.is_beads:
            return "text"
        board, cell = backup.board, backup.cell
        truth = float(self.v_pi[board if cell is None else space().successor[board, cell]])
        was, now = abs(backup.old - truth), abs(backup.new - truth)
        if now < NEAR or now == was:
            return "text"
        return "better" if now < was else "worse"


def update_at(timeline: Timeline, *, asks: bool = False) -> Update | None:
    """Return the update of the current event, or None before the first event."""
    event, first = timeline.event, timeline.rows.start
    if event is None:
        return None
    events, at = tuple(map(timeline.event_at, timeline.rows)), timeline.row - first
    recording, seating = timeline.recording, timeline.run.seating_of(timeline.game)
    seats = {"X": seating.x, "O": seating.o}
    tables = {"X": recording.layout.x, "O": recording.layout.o}
    learning = [who for who in seats if seats[who] is Seat.LEARNS and tables[who].spec.learns]
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
        recording,
        first,
        partial(codes_of, timeline.run, recording, timeline.game),
        asks,
    )


def whose(events: Sequence[Event], at: int, learning: Sequence[str]) -> tuple[str, int]:
    """Return the side that an event belongs to, and its learning event; -1 for none."""
    event = events[at]
    if isinstance(event, Learning):
        return event.player, at
    found = [(one.player, n) for n, one in enumerate(events) if isinstance(one, Learning)]
    if isinstance(event, GameOver):
        return found[-1] if found else (next(iter(learning), "X"), -1)
    assert isinstance(event, Move)
    other = "O" if event.player == "X" else "X"
    player = other if event.player not in learning and other in learning else event.player
    return next(
        ((who, n) for who, n in found if who == player and n > at and events[n].ply == event.ply),
        (player, -1),
    )


# what a table holds


class Colour(NamedTuple):
    """The beads of one colour in a matchbox."""

    number: int
    """Its cell on the canonical board, 0-8, so that symmetric positions share colours."""
    cells: tuple[int, ...]
    """Its cells: several if a symmetry exchanges them."""
    beads: float
    share: float
    """Its share of the beads; 0 in an empty box."""


def colours_of(table: Table, v: Floats, board: int) -> tuple[Colour, ...]:
    """Return the colours of a position's box, by their first cell."""
    entries, cells = table.entries, dict[int, list[int]]()
    for edge in space().edges_of(board):
        cells.setdefault(int(entries.of_edge[edge]), []).append(int(space().edge_cell[edge]))
    beads = table.values(v)[0][list(cells)].tolist()
    total = sum(beads)
    return tuple(
        Colour(int(entries.cells[entry]), tuple(alike), many, many / total if total else 0.0)
        for (entry, alike), many in zip(cells.items(), beads, strict=True)
    )


def entries_of_edge(table: Table, edge: int) -> tuple[int, ...]:
    """Return the entries of a player's move, one per table.

    A move that ends the game has the entry of the reward; only one table for both sides values the
    end itself, for the last mover.
    """
    entries, own = table.entries, int(table.entries.of_edge[edge])
    if entries.of_state is not None:
        position = space().edge_successor[edge]
        outcome = int(space().outcome[position])
        if outcome and not table.rule.one_table:
            return (table.rewards + outcome,)
        own = int(entries.of_state[position])
    elif not (table.rule.estimates or entries.live[own]):
        return (NO_ENTRY,)
    return tuple(range(table.base + own, table.base + table.size, len(entries.boards)))

"""What every pane of the microscope is made from: the update, and what its numbers stand for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from game import space
from learners.judge.evaluated_state import true_values
from learners.rules.equation import TermRole
from learners.tape.events import Backup
from learners.tape.timeline import CHOICE, TARGET
from tui.blocks.meaning import Quantity, Role
from tui.lab.microscope.inputs import (
    NO_ENTRY,
    TargetInputs,
    candidates,
    entry_of_step,
    inputs_of,
    reward_of,
)
from tui.lab.microscope.update import Kind, Step, Update, table_of_player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.tape.timeline import Timeline

COMPUTED: Final = {
    TermRole.STEP: Role.STEP,
    TermRole.DISCOUNT: Role.DISCOUNT,
    TermRole.ERROR: Role.ERROR,
    TermRole.TRACE: Role.TRACE,
    TermRole.REWARD: Role.REWARD,
    TermRole.BEADS: Role.BEADS,
    TermRole.TARGET: Role.TARGET,
}
"""What a term is, where it is neither the entry nor read from another."""


@dataclass(frozen=True, eq=False)
class UpdateContext:
    """What every pane is made from: a place of a timeline, and the update there."""

    timeline: Timeline
    update: Update
    asks: bool = False
    """What is written is asked of the user before it is shown."""

    @property
    def is_masked(self) -> bool:
        """Whether what the current backup writes may not be told yet."""
        return self.asks and self.update.backup is not None and not self.is_written

    @property
    def is_written(self) -> bool:
        """Whether the backup of the update has been made."""
        return self.update.is_written(self.phase)

    @property
    def phase(self) -> int:
        return self.timeline.phase

    @cached_property
    def v(self) -> NDArray[np.float64]:
        """Memory before the current write, in its last phase too."""
        v, event = self.timeline.v, self.timeline.event
        if isinstance(event, Backup) and self.timeline.at > self.timeline.row:
            v = v.copy()
            v[event.entry] = event.old
        return v

    @cached_property
    def _truths(self) -> dict[str, NDArray[np.float64]]:
        return {}

    def truth(self, player: str) -> NDArray[np.float64]:
        """float64[5478], v* by position for a player; of beads, from a loss (0) to a win (1)."""
        if player not in self._truths:
            table, layout = table_of_player(self.timeline, player), self.timeline.recording.layout
            values = true_values(layout, self.timeline.v, table.side, self.timeline.game)
            rule = table.spec.rule
            if rule.learns and not rule.estimates:
                win, _, loss = rule.rewards(table.spec.settings)
                values = (values - loss) / ((win - loss) or 1.0)
            self._truths[player] = values
        return self._truths[player]

    @cached_property
    def inputs(self) -> TargetInputs:
        return inputs_of(self.update, self.v)

    @cached_property
    def quantities(self) -> Quantities:
        return Quantities(self)

    @cached_property
    def value(self) -> float | None:
        """What the entry that is looked at holds; None while it is not known which that is."""
        if not self.update.is_reached(self.phase):
            return None
        return self.value_of(self.update.step)

    @property
    def exact(self) -> float | None:
        """v* of the entry; None for beads, which are no estimates."""
        update = self.update
        if update.kind is Kind.BEADS or not update.spec.rule.learns or not update.steps:
            return None
        return self.exact_of(update.step)

    def role_of_change(self, backup: Backup) -> str:
        """`better` for a change that leads nearer to v*, `worse` for one that leads away."""
        if not table_of_player(self.timeline, backup.player).spec.rule.estimates:
            return "text"
        board = backup.board
        if backup.cell is not None:
            board = int(space().successor[board, backup.cell])
        truth = float(self.truth(backup.player)[board])
        was, now = abs(backup.old - truth), abs(backup.new - truth)
        return "better" if now < was else "worse" if now > was else "text"

    def is_revealed(self, step: Step) -> bool:
        """Whether the move made in a step has been chosen here."""
        move, event = step.move, self.update.event
        if move is None:
            return False
        return move.ply < event.ply or event is not move or self.phase >= CHOICE

    def value_of(self, step: Step) -> float | None:
        """What the learner knows of a step (of the table that is written, if there are two)."""
        update = self.update
        table, position = update.table, update.path[step.place]
        if not table.spec.rule.learns:
            return None
        if step.is_end:
            return reward_of(update, self.timeline.v)
        if table.entries.of_state is not None:
            return float(self.timeline.v[table.base + table.entries.of_state[position]])
        if step.move is None or not self.is_revealed(step):
            return None
        which = self.inputs.written_table if table.spec.rule.tables > 1 else -1
        known = candidates(table, self.timeline.v, position, which)
        return next(c.value for c in known if c.cell == step.move.cell)

    def exact_of(self, step: Step) -> float:
        position = self.update.path[step.place]
        if self.update.kind is not Kind.STATES and step.move is not None and self.is_revealed(step):
            position = step.move.afterstate
        return float(self.truth(self.update.player)[position])


class Quantities:
    """Says what each number is, as far as it is known in the current phase."""

    def __init__(self, context: UpdateContext) -> None:
        update, phase, inputs = context.update, context.phase, context.inputs
        self.update = update
        self.inputs = inputs
        self.is_decided = not update.is_move or phase >= CHOICE
        self.is_written = update.is_written(phase)
        self.knows_target = update.knows_target(phase)
        self.tells_error = (
            update.backup is not None and update.event is update.backup and phase >= TARGET
        )
        self.backed_up = NO_ENTRY if context.value is None else self._backed_up()
        self.reward, self.reads = NO_ENTRY, dict[str, int]()
        if self.knows_target:
            self.reward, self.reads = self._reward(), dict(inputs.entries)

    def _backed_up(self) -> int:
        learned = self.update.learned
        return self.entry_of(self.update.step) if learned is None else learned.entry

    def _reward(self) -> int:
        """The entry of the reward that the formula has a term for."""
        step, terms = self.update.target_step, self.update.equation.terms
        if step is None or not step.is_end or self.inputs.is_refill:
            return NO_ENTRY
        has_term = any(term.role is TermRole.REWARD for term in terms)
        return self.entry_of(step) if has_term else NO_ENTRY

    def entry_of(self, step: Step) -> int:
        """The entry of a time step (in the table that is written, if there are two)."""
        return entry_of_step(self.update, step, self.inputs.written_table)

    def is_known(self, step: Step) -> bool:
        """Whether a time step is reached in the current phase: its numbers may then be selected."""
        update = self.update
        over, ply = update.game.over, update.ply
        if step.is_end and over is not None and over.resigned:
            return not update.is_move
        done = step.place if step.move is None else step.move.ply
        return done < ply or (done == ply and self.is_decided)

    def of_step(self, step: Step) -> Quantity | None:
        """What a time step holds now."""
        return self.now(self.entry_of(step)) if self.is_known(step) else None

    def mean_before(self, entries: tuple[int, ...]) -> Quantity | None:
        """The mean of two tables' entries before the current write; None where that changed it."""
        if self.is_written and self.backed_up in entries and self.before(entries[0]) is not None:
            changes = self.update.event is self.update.learned
            return None if changes else Quantity(Role.MEAN, entries[0])
        return Quantity(Role.MEAN, entries[0])

    def now(self, entry: int) -> Quantity | None:
        """What an entry holds now."""
        if entry == NO_ENTRY:
            return None
        if entry == self.backed_up:
            return Quantity(Role.NEW if self.is_written else Role.OLD, entry)
        return self._other(entry)

    def before(self, entry: int) -> Quantity | None:
        """What an entry held before the current write; that of an earlier one is done."""
        if entry == self.backed_up != NO_ENTRY and self.update.event is self.update.learned:
            return Quantity(Role.OLD, entry)
        return self.now(entry)

    def _other(self, entry: int) -> Quantity:
        if entry == self.reward:
            return Quantity(Role.REWARD, entry)
        return Quantity(Role.READ if entry in self.reads.values() else Role.ENTRY, entry)

    @property
    def old(self) -> Quantity | None:
        return None if self.backed_up == NO_ENTRY else Quantity(Role.OLD, self.backed_up)

    @property
    def new(self) -> Quantity | None:
        return Quantity(Role.NEW, self.backed_up) if self.is_written else None

    @property
    def looked_at(self) -> Quantity | None:
        """What is read first, or computed from what is read; None where it is 0 after the end."""
        term = next(iter(self.update.equation.read), None)
        return self._whole() if term is None else self._read(term.symbol)

    def _whole(self) -> Quantity | None:
        known = self.knows_target and self.update.kind is not Kind.BEADS
        return Quantity(Role.TARGET) if known else None

    def _read(self, symbol: str) -> Quantity | None:
        """What a term of the target was read from."""
        if not self.knows_target or self.update.kind is Kind.BEADS:
            return None
        if self.inputs.is_end and self.update.target_kind.is_pair:
            return None
        return Quantity(Role.READ, self.reads.get(symbol, NO_ENTRY))

    @property
    def target(self) -> Quantity | None:
        return self._whole() if self.update.equation.is_composed else self.looked_at

    @property
    def error(self) -> Quantity:
        return Quantity(Role.ERROR)

    @property
    def change(self) -> Quantity:
        """New minus old."""
        return Quantity(Role.CHANGE, self.backed_up)

    def of_term(self, place: int) -> Quantity | None:
        """What the number of a term of the formula stands for."""
        term = self.update.equation.terms[place]
        if not term.is_number or term.role is TermRole.NUMBER:
            return None
        if term.role is TermRole.NEW:
            return self.new
        if term.role is TermRole.OLD:
            return self.old
        if term.role is TermRole.READ:
            return self._read(term.symbol)
        if term.role in (TermRole.STEP, TermRole.DISCOUNT):
            return Quantity(COMPUTED[term.role])
        if not self.knows_target:
            return None
        if term.role is TermRole.TRACE:
            return Quantity(Role.TRACE, self.backed_up)
        if self.inputs.is_refill:
            return self.change if term.role is TermRole.REWARD else None
        reward = self.reward if term.role is TermRole.REWARD else NO_ENTRY
        return Quantity(COMPUTED[term.role], reward)

    def wholes_of(self, place: int) -> tuple[Quantity, ...]:
        """What a term is a part of: the target where it is computed, and the error."""
        equation, target = self.update.equation, self.target
        wholes = []
        if target is not None and equation.is_composed and place in equation.target_range:
            wholes.append(target)
        if self.tells_error and place in equation.error_range:
            wholes.append(self.error)
        return tuple(wholes)

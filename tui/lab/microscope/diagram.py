"""The backup diagram of a game (S&B, Figure 1.1), for each kind of learner in its own shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import Backup, Learning, NoBackup
from afterstate_lab.tui.blocks.diagram import Arc, Diagram, DiagramRow
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.labels import side_role
from afterstate_lab.tui.lab.microscope.entries import is_done
from afterstate_lab.tui.lab.microscope.reading import (
    Kind,
    Step,
    best_of,
    candidates,
    entry_of_edge,
    head_of,
    reward_of,
    step_of,
    target_step,
)
from afterstate_lab.tui.theme.numerals import decimals, signed, subscript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from afterstate_lab.tui.lab.microscope.reading import UpdateContext
    from afterstate_lab.tui.views.words import Words

Told = tuple[int, Learning]
"""A row of the tape with what was learned there."""


class DiagramBuilder:
    def __init__(self, context: UpdateContext) -> None:
        self.context = context
        self.update = context.update
        self.row = context.timeline.row
        self.v = context.timeline.v
        self.quantities = context.quantities
        self.learned = self._learned()
        self.rows: list[DiagramRow] = []
        self.row_of_step: dict[int, int] = {}

    def _learned(self) -> Mapping[int, Told]:
        """By time step what was learned of it; with traces, in the current step only."""
        update = self.update
        found: dict[int, Told] = {}
        for row, event in enumerate(update.game.events, update.game.first):
            if not isinstance(event, Learning) or not self._concerns(event):
                continue
            if update.target_kind is TargetKind.TRACE and not self._in_step(row, event):
                continue
            found.setdefault(step_of(event, update.steps), (row, event))
        return found

    def _concerns(self, event: Learning) -> bool:
        """Whether it is learned by the player, or into the boards that both players share."""
        table = self.update.table
        shares = self.update.target_kind is TargetKind.BEST_REPLY
        is_shared = shares and table.base <= event.entry < table.base + table.size
        return event.player == self.update.player or is_shared

    def _in_step(self, row: int, event: Learning) -> bool:
        """Whether traces carry the same error there as in the current update."""
        if isinstance(event, NoBackup):
            return row == self.update.learned_row or row < self.row
        return head_of(self.update.game, row) == self.update.head_row

    def view(self) -> Diagram:
        update = self.update
        for index, step in enumerate(update.steps):
            if step.is_exploratory:
                self._remark(index, step)
            self.row_of_step[index] = len(self.rows)
            self.rows.append(self._state(index, step))
        beads = update.kind is Kind.BEADS
        right = {Kind.STATES: "Figure 1.1", Kind.PAIRS: "pairs S,A", Kind.BEADS: "boxes used"}
        special = {TargetKind.TRACE: "traces z", TargetKind.BEST_REPLY: "best replies"}
        return Diagram(
            rows=tuple(self.rows),
            arcs=self._arcs(),
            places=0 if beads else 4,
            title="backup diagram",
            right=special.get(update.target_kind, right[update.kind]),
        )

    def _remark(self, index: int, step: Step) -> None:
        """The exploratory move that led to a state, or is made in it."""
        assert step.move is not None
        before = index - 1 if self.update.kind is Kind.STATES else index
        told = self.learned.get(before)
        left_out = told is not None and isinstance(told[1], NoBackup)
        said = "no backup" if left_out else f"best {self._best_sibling(step)}"
        self.rows.append(
            DiagramRow(
                "?",
                board=f"explored {step.move.cell + 1}",
                role="remark",
                words=((said, "remark" if left_out else "dim"),),
            )
        )

    def _best_sibling(self, step: Step) -> str:
        """The move that was ranked highest instead: `8 = 1.000`."""
        assert step.move is not None
        best = best_of(candidates(self.update.table, self.v, step.move.board))
        return f"{best.cell + 1} = {decimals(best.value, self._places)}"

    @property
    def _places(self) -> int:
        return 0 if self.update.kind is Kind.BEADS else 3

    def _state(self, index: int, step: Step) -> DiagramRow:
        update = self.update
        board = space().text(update.path[step.place])
        ahead = step.place > update.ply
        role = "dim" if ahead else side_role(update.player) if index == update.index else "text"
        if step.is_end and update.kind is not Kind.STATES:
            value: float | None = reward_of(update, self.v)
            label = "R"
        else:
            value, label = self.value_of(step), f"S{subscript(index)}"
            if update.kind is not Kind.STATES and step.move is not None:
                label = f"S{subscript(index + 1)}"
                board = f"{board}@{step.move.cell + 1}"
        return DiagramRow(
            label=label,
            value=value,
            board=board,
            role=role,
            words=self._words(index, step),
            lit=index == update.index and not step.is_end,
            about=self._about(step),
            quantity=self._quantity(step),
        )

    def _about(self, step: Step) -> tuple[int, ...]:
        """The entries of a step that has come; of each table one."""
        quantities = self.quantities
        if not quantities.is_known(step):
            return ()
        tables = self.update.table.spec.rule.tables
        if step.is_end or step.move is None or tables == 1:
            return (quantities.entry_of(step),)
        table = self.update.table
        return tuple(entry_of_edge(table, step.move.edge, which) for which in range(tables))

    def _quantity(self, step: Step) -> Quantity | None:
        """What the value of a step is; of two tables it is their mean."""
        about = self._about(step)
        return Quantity(Role.MEAN, about[0]) if len(about) > 1 else self.quantities.of_step(step)

    def value_of(self, step: Step) -> float | None:
        """What the learner's memory says of a step."""
        update = self.update
        table, position = update.table, update.path[step.place]
        if table.entries.of_state is not None:
            if step.is_end:
                return reward_of(update, self.v)
            return float(self.v[table.base + table.entries.of_state[position]])
        if step.move is None:
            return None
        return next(
            c.value for c in candidates(table, self.v, position) if c.cell == step.move.cell
        )

    def _words(self, index: int, step: Step) -> Words:
        if step.is_end:
            return (("resigned" if self.update.game.is_resigned else "the end, fixed", "truth"),)
        if index not in self.learned:
            return (("no box", "dim"),) if self._has_no_box(step) else ""
        row, event = self.learned[index]
        if isinstance(event, NoBackup):
            after = self.update.steps[index + 1]
            if not after.is_exploratory:
                return (("forgotten", "remark"),)
            return ((f"★ best {self._best_sibling(after)}", "truth"),)
        assert isinstance(event, Backup)
        change = event.new - event.old
        if self.context.asks and not is_done(self.context.timeline, row):
            return ((f"? {self._when(row)}", "dim"),)
        role = self.context.role_of_change(event) if row == self.row else "dim"
        places = 0 if self.update.kind is Kind.BEADS else 4
        words = [(signed(change, places), role), (f" {self._when(row)}", "dim")]
        if self.update.target_kind is TargetKind.TRACE:
            trace = f"{decimals(event.trace, 2)} "
            words.insert(0, (trace, "text" if row == self.row else "dim"))
        if self.update.target_kind is TargetKind.BEST_REPLY:
            best = best_of(candidates(self.update.table, self.v, self.update.path[step.place]))
            words.insert(0, (f"{'XO'[step.place % 2]}→{best.cell + 1} ", "dim"))
        return tuple(words)

    def _has_no_box(self, step: Step) -> bool:
        """Whether a move needs no matchbox: it is forced."""
        entries = self.update.table.entries
        if self.update.kind is not Kind.BEADS or step.move is None:
            return False
        return not entries.live[entries.of_edge[step.move.edge]]

    def _when(self, row: int) -> str:
        if row == self.row:
            return "now"
        return "done" if row < self.row else "next"

    def _arcs(self) -> tuple[Arc, ...]:
        update = self.update
        if update.target_kind is TargetKind.BEST_REPLY:
            return ()
        arcs: list[Arc] = []
        for index, (row, event) in sorted(self.learned.items()):
            if not isinstance(event, Backup):
                continue
            newest = None if update.head is None else step_of(update.head, update.steps)
            source = target_step(update.table, update.game, row, update.steps, newest)
            if source <= index:
                continue
            role = "key" if self._when(row) == "now" else "dim"
            arcs.append(Arc(self.row_of_step[index], self.row_of_step[source], role))
        return tuple(arcs)

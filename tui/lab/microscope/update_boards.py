"""The two boards of an update: what is backed up, and what the backup looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import GameOver
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE
from afterstate_lab.tui.blocks.meaning import Value
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.lab.labels import board_label, side_role
from afterstate_lab.tui.lab.microscope.reading import Kind, Step, colours_of, reward_of, seat_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from afterstate_lab.tui.blocks.meaning import Quantity
    from afterstate_lab.tui.lab.microscope.reading import UpdateContext
    from afterstate_lab.tui.views.words import Words

EXACT: Final = 3
"""Decimals of exact values, here as in the lists."""


class UpdateBoards:
    def __init__(self, context: UpdateContext) -> None:
        self.context = context
        self.update = context.update
        self.phase = context.phase
        self.inputs = context.inputs
        self.quantities = context.quantities
        self.timeline = context.timeline
        self.v = context.timeline.v
        self.truth = context.truth(context.update.player)

    def visits_of(self, step: Step) -> int | None:
        """How often the entry of a step was written."""
        update = self.update
        table, position = update.table, update.path[step.place]
        visits = table.visits(self.v).sum(axis=0)
        if step.is_end:
            return None
        if table.entries.of_state is not None:
            return int(visits[table.entries.of_state[position]])
        if step.move is None or not self.context.is_revealed(step):
            return None
        return int(visits[table.entries.of_edge[step.move.edge]])

    def backed_up(self) -> SmallBoard:
        update = self.update
        step = update.step
        lit = not update.is_move and self.phase in (TARGET, WRITE)
        if not update.is_reached(self.phase):
            before = space().text(update.path[update.event.ply - 1])
            return SmallBoard(before, title=self._title("before", lit=False))
        name = {
            Kind.STATES: update.equation.state,
            Kind.PAIRS: "S,A",
            Kind.BEADS: "the box",
        }[update.kind]
        return self._view(step, name, lit=lit, pair=update.kind is not Kind.STATES)

    def looked_at(self) -> SmallBoard:
        update = self.update
        event = update.event
        if update.is_move and (self.phase < CHOICE or event.ply > self._place_looked_at()):
            return self._on_the_way()
        if update.is_move and update.target is None:
            return self._on_the_way()
        step = update.target_step
        if step is None:
            return self._on_the_way()
        if update.target_kind is TargetKind.BEST_REPLY and self.inputs.candidate is not None:
            return self._best_reply(step)
        lit = not isinstance(event, GameOver) and self.phase in (CHOICE, TARGET)
        if step.is_end:
            return self._the_end(step, lit=lit)
        if update.kind is Kind.PAIRS:
            return self._next_turn(step, lit=lit)
        name = "Sₜ₊ₙ" if update.target_kind is TargetKind.HORIZON else "Sₜ₊₁"
        return self._view(step, name, lit=lit)

    def _place_looked_at(self) -> int:
        """Plies played in what is looked at, with the move made there."""
        step = self.update.target_step
        if step is None or step.move is None:
            return 9
        return step.move.ply

    def _on_the_way(self) -> SmallBoard:
        """The board of the current move, before or after it is made."""
        update = self.update
        ply = update.event.ply
        made = not update.is_move or self.phase >= CHOICE
        place = ply if made else ply - 1
        moved = (update.moves[place - 1].cell,) if place else ()
        mover = update.moves[place - 1].player if place else update.player
        name = "start" if not place else "next" if mover == update.player else "reply"
        yours = place and seat_of(self.timeline, mover) is Seat.HUMAN
        return SmallBoard(
            cells=space().text(update.path[place]),
            title=self._title(
                name, lit=self.phase < VALUES or made, who=", yours" if yours else f" of {mover}"
            ),
            moved=moved,
            values=(Value("v*", float(self.truth[update.path[place]]), "truth", places=EXACT),),
        )

    def _best_reply(self, step: Step) -> SmallBoard:
        """The board after the opponent's best reply, which may never have been made."""
        candidate = self.inputs.candidate
        assert candidate is not None
        position = int(space().edge_successor[candidate.edge])
        mover = "XO"[step.place % 2]
        return SmallBoard(
            cells=space().text(position),
            title=self._title("s′", lit=self.phase == TARGET, who=f" best of {mover}"),
            moved=(candidate.cell,),
            values=(Value("V", candidate.value, "strong", self.quantities.looked_at),),
        )

    def _the_end(self, step: Step, *, lit: bool) -> SmallBoard:
        """The board on which the game ended, with what that is worth."""
        update = self.update
        beads = update.kind is Kind.BEADS
        label = "V" if update.kind is Kind.STATES else "R"
        worth = Value(label, reward_of(update, self.v), "target", self.quantities.of_step(step))
        return SmallBoard(
            cells=space().text(update.path[step.place]),
            title=self._title("the end", lit=lit, who=f" for {update.player}"),
            moved=self._just_played(step),
            values=(worth,),
            places=0 if beads else 6,
            note="resigned" if update.game.is_resigned else "",
        )

    def _next_turn(self, step: Step, *, lit: bool) -> SmallBoard:
        """S′: the board at the player's next turn, the move that is looked at marked."""
        update, candidate = self.update, self.inputs.candidate
        position = update.path[step.place]
        moved = tuple(move.cell for move in update.moves[update.step.place : step.place])
        looked = self.quantities.looked_at
        values: list[Value] = []
        if self.inputs.value is not None and update.backup is not None:
            label = "Q" if candidate else "ΣπQ"
            values.append(Value(label, self.inputs.value, "target", looked))
        values.append(Value("v*", float(self.truth[position]), "truth", places=EXACT))
        return SmallBoard(
            cells=space().text(position),
            title=self._title("S′", lit=lit),
            moved=moved,
            placed=None if candidate is None else candidate.cell,
            meanings=quantities_of_cells({} if candidate is None else {candidate.cell: looked}),
            values=tuple(values),
        )

    def _view(self, step: Step, name: str, *, lit: bool, pair: bool = False) -> SmallBoard:
        update = self.update
        position = update.path[step.place]
        placed = step.move.cell if pair and step.move and self.context.is_revealed(step) else None
        visits = self.visits_of(step)
        beads = update.kind is Kind.BEADS
        values: list[Value] = []
        value, quantity = self.context.value_of(step), self.quantities.of_step(step)
        if value is not None:
            label = "beads" if beads else "Q" if pair else "V"
            values.append(Value(label, value, "strong", quantity))
        if not beads:
            values.append(Value("v*", self.context.exact_of(step), "truth", places=EXACT))
        elif step.move is not None:
            total = sum(c.beads for c in colours_of(update.table, self.v, position))
            values.append(Value("of", total, "text"))
        return SmallBoard(
            cells=space().text(position),
            title=self._title(name, lit=lit),
            right="" if visits is None else f"n {visits:,}",
            moved=self._just_played(step) if not pair else (),
            placed=placed,
            meanings=quantities_of_cells({} if placed is None else {placed: quantity}),
            values=tuple(values),
            places=0 if beads else 6,
            note=self._stored(step),
        )

    def _just_played(self, step: Step) -> tuple[int, ...]:
        """The cells played since the step before."""
        update = self.update
        if not step.place:
            return ()
        first = step.place - 1
        before = update.step.place
        if step is not update.step and before < first:
            first = max(before, step.place - 2)
        return tuple(move.cell for move in update.moves[first : step.place])

    def _stored(self, step: Step) -> Words:
        """Under which board its entry is stored, where symmetric boards share one."""
        update = self.update
        entries, position = update.table.entries, update.path[step.place]
        if step.is_end:
            return ""
        if entries.of_state is not None:
            kept, cell = int(entries.boards[entries.of_state[position]]), -1
            same = kept == position
        elif step.move is not None and self.context.is_revealed(step):
            entry = int(entries.of_edge[step.move.edge])
            kept, cell = int(entries.boards[entry]), int(entries.cells[entry])
            same = kept == position and cell == step.move.cell
        else:
            return ""
        if same:
            return ""
        return (("stored ", "dim"), ("as ", "dim"), (board_label(kept, cell), "text"))

    def _title(self, name: str, *, lit: bool, who: str = "") -> Words:
        player = self.update.player
        return (
            (name, "key" if lit else side_role(player, strong=True)),
            (who or f" of {player}", "dim"),
        )


def quantities_of_cells(known: Mapping[int, Quantity | None]) -> tuple[Quantity | None, ...]:
    """What the cells of a board stand for, where the moves there are valued."""
    return tuple(known.get(cell) for cell in range(9))

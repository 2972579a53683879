"""The two boards of an update: the one backed up, and the one the target reads."""

from __future__ import annotations

from typing import Any

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import GameOver
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE
from afterstate_lab.tui.blocks.meaning import Value
from afterstate_lab.tui.blocks.small_board import SmallBoard
from afterstate_lab.tui.lab.labels import board_label, side_role
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.reading import Step, Update, colours_of
from afterstate_lab.tui.views.words import Words


def backed_up(u: Update) -> SmallBoard:
    """Return S_t, or the pair S, A."""
    lit = not u.is_move and u.phase in (TARGET, WRITE)
    if not u.is_reached:
        return board_of(u, u.path[u.ply - 1], "before", lit=False)
    name = "the box" if u.is_beads else "S,A" if u.is_pair else u.equation.state
    return board_of_step(u, u.step, name, lit=lit)


def looked_at(u: Update) -> SmallBoard:
    """Return the board that the target reads, as far as it is known in this phase."""
    step = u.target
    until = 9 if step is None or step.move is None else step.move.ply
    if step is None or (u.is_move and (u.phase < CHOICE or u.ply > until)):
        return on_the_way(u)
    lit = not isinstance(u.event, GameOver) and u.phase in (CHOICE, TARGET)
    read = u.looked
    cell = None if read is None else read.cell
    if u.kind is TargetKind.BEST_REPLY and read is not None and cell is not None:
        value = Value("V", read.number, "strong", meanings.looked_at(u))
        board = int(space().successor[u.step.board, cell])
        who = f" best of {'XO'[step.place % 2]}"
        lit = u.phase == TARGET
        return board_of(u, board, "s′", who, lit=lit, moved=(cell,), values=(value,))
    if step.is_end:
        label = "V" if u.spec.rule.by_state else "R"
        worth = Value(label, u.result_in(u.after), "target", meanings.of_step(u, step))
        note = "resigned" if u.is_resigned else ""
        return board_of(u, step.board, "the end", f" for {u.player}", lit=lit, note=note,
                        moved=just_played(u, step), values=(worth,), places=places(u))  # fmt: skip
    if not u.is_pair:
        name = "Sₜ₊ₙ" if u.kind is TargetKind.HORIZON else "Sₜ₊₁"
        return board_of_step(u, step, name, lit=lit)
    values = [exact(u, step.board)]
    if read is not None:
        label, means = "ΣπQ" if cell is None else "Q", meanings.looked_at(u)
        values.insert(0, Value(label, read.number, "target", means))
    moved = tuple(move.cell for move in u.moves[u.step.place : step.place])
    known = {} if cell is None else {cell: meanings.looked_at(u)}
    return board_of(u, step.board, "S′", lit=lit, moved=moved, placed=cell, values=tuple(values),
                    meanings=tuple(map(known.get, range(9))))  # fmt: skip


def on_the_way(u: Update) -> SmallBoard:
    """Return the board of the current move, before or after it is made."""
    made = not u.is_move or u.phase >= CHOICE
    place = u.ply if made else u.ply - 1
    last = u.moves[place - 1] if place else None
    mover = u.player if last is None else last.player
    name = "start" if last is None else "next" if mover == u.player else "reply"
    yours = last is not None and u.seats[mover] is Seat.HUMAN
    return board_of(
        u, u.path[place], name, ", yours" if yours else f" of {mover}",
        lit=u.phase < VALUES or made, moved=() if last is None else (last.cell,),
        values=(exact(u, u.path[place]),),
    )  # fmt: skip


def board_of_step(u: Update, step: Step, name: str, *, lit: bool) -> SmallBoard:
    """Return a time step with its known values; a pair with its move."""
    is_move = not u.spec.rule.by_state
    placed = step.move.cell if is_move and step.move and u.is_revealed(step) else None
    value, visits = u.value_of(step), u.visits_of(step)
    means = None if value is None else meanings.of_step(u, step)
    values = []
    if value is not None:
        label = "beads" if u.is_beads else "Q" if u.is_pair else "V"
        values.append(Value(label, value, "strong", means))
    if not u.is_beads:
        values.append(Value("v*", u.exact_of(step), "truth", places=3))
    elif step.move is not None:
        total = sum(colour.beads for colour in colours_of(u.table, u.after, step.board))
        values.append(Value("of", total, "text"))
    return board_of(
        u, step.board, name, lit=lit, right="" if visits is None else f"n {visits:,}",
        moved=() if is_move else just_played(u, step), placed=placed, values=tuple(values),
        meanings=tuple(means if cell == placed else None for cell in range(9)),
        note=stored(u, step), places=places(u),
    )  # fmt: skip


def board_of(u: Update, board: int, name: str, who: str = "", *, lit: bool, **given: Any
             ) -> SmallBoard:  # fmt: skip
    role = "key" if lit else side_role(u.player, strong=True)
    title = ((name, role), (who or f" of {u.player}", "dim"))
    return SmallBoard(space().text(board), title=title, **given)


def places(u: Update) -> int:
    return 0 if u.is_beads else 6


def exact(u: Update, board: int) -> Value:
    return Value("v*", float(u.truths[u.player][board]), "truth", places=3)


def just_played(u: Update, step: Step) -> tuple[int, ...]:
    """Return the cells played since the previous step."""
    if not step.place:
        return ()
    first = step.place - 1
    if step is not u.step and u.step.place < first:
        first = max(u.step.place, step.place - 2)
    return tuple(move.cell for move in u.moves[first : step.place])


def stored(u: Update, step: Step) -> Words:
    """Return the board that stores the value, if symmetric boards share one."""
    entries = u.table.entries
    if step.is_end:
        return ""
    if entries.of_state is not None:
        kept, cell = int(entries.boards[entries.of_state[step.board]]), -1
        same = kept == step.board
    elif step.move is not None and u.is_revealed(step):
        entry = int(entries.of_edge[step.move.edge])
        kept, cell = int(entries.boards[entry]), int(entries.cells[entry])
        same = (kept, cell) == (step.board, step.move.cell)
    else:
        return ""
    return "" if same else (("stored ", "dim"), ("as ", "dim"), (board_label(kept, cell), "text"))

"""The candidates of a move: their values, the chosen one, and the random numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.engine.choices import exploration_rate
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.tape.recording import Backup, GameOver, mover_values
from afterstate_lab.learners.tape.seating import Seat
from afterstate_lab.learners.tape.timeline import CHOICE, VALUES
from afterstate_lab.tui.blocks.block import Quantity, Role, Selectable
from afterstate_lab.tui.blocks.span import Line, Pen, Piece, bar, fit, width
from afterstate_lab.tui.blocks.speech import figure, joined, listed, spoken
from afterstate_lab.tui.lab.microscope.reading import (
    NO_ENTRY,
    Colour,
    Update,
    colours_of,
    entries_of_edge,
    scale_of_values,
    values_of,
)
from afterstate_lab.tui.theme.numerals import count_in, decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import Move

CELL, VALUE, VISITS = 5, 7, 7
"""Minimum columns of cells, values and visits."""


def beads(number: float) -> str:
    return f"{number:,.0f} {'bead' if round(number) == 1 else 'beads'}"


class Candidate(NamedTuple):
    """A move to choose from, or the moves of one bead colour."""

    cells: tuple[int, ...]
    value: float | None = None
    exact: float | None = None
    taken: bool = False
    best: bool = False
    visits: int | None = None
    share: float | None = None
    """Its probability, or its share of the beads; shown instead of the visits."""
    both: tuple[tuple[float, Quantity | None], ...] = ()
    """The values of both tables."""
    colour: int | None = None
    entries: tuple[int, ...] = ()
    """The entries that it was read from."""
    means: Quantity | None = None
    """The meaning of the value."""
    note: str = "taken"
    """The word if it is chosen."""

    @property
    def name(self) -> str:
        return " ".join(str(cell + 1) for cell in self.cells)

    @property
    def worth(self) -> str:
        """Its value, beads or probability, in words."""
        if self.colour is not None and self.value is not None:
            return f"with {beads(self.value)}"
        if self.value is not None:
            return f"at {figure(self.value, 3)}"
        return "" if self.share is None else f"with a chance of {self.share:.0%}"


@lean_dataclass(frozen=True)
class Choice(Selectable):
    """A row per candidate, best first: value, visits, exact value, a bar, a star for the greedy;
    the random numbers are its `right`.
    """

    candidates: Sequence[Candidate] = ()
    label: str = "V"
    """The head of the values."""
    count_label: str = "n"
    """The head of the visits, or shares."""
    scale: tuple[float, float] = (0.0, 1.0)
    """The values of an empty and of a full bar."""
    places: int = 5
    """Decimals of the values."""
    optimum: str = "v*"
    """The head of the exact values."""

    def quantities(self) -> Iterator[Quantity | None]:
        for candidate in self.candidates:
            yield from (candidate.means, *(means for _, means in candidate.both))

    def say(self) -> Iterator[str]:
        """Yield every candidate in full, and the random numbers."""
        for one in self.candidates:
            facts = [one.worth] if one.worth else []
            if one.exact is not None:
                facts.append(f"exact value {figure(one.exact, 3)}")
            if one.visits is not None:
                facts.append(f"{one.visits:,} {'visit' if one.visits == 1 else 'visits'}")
            facts += ["its best"] * one.best + [one.note] * one.taken
            yield f"{listed(one.cells)} {', '.join(facts)}."
        if dice := spoken(joined(self.right)):
            yield f"Dice: {dice}."

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """Return the heads and the rows; the last row counts hidden ones."""
        shown, many = self.candidates, max(0, rows - 2)
        if len(shown) > rows - 1:
            first, others = shown[:many], shown[many:]
            wanted = [one for one in others if one.taken or self.points_at(one.entries)][:many]
            shown = (*first[: many - len(wanted)], *wanted)
        body = [fit((pen.piece(self._heads(), "dim"),), columns)]
        body += [self._row(one, columns, pen) for one in shown]
        if len(shown) < len(self.candidates):
            body.append((pen.piece(f"  {len(self.candidates) - len(shown)} more", "dim"),))
        return body

    def _heads(self) -> str:
        cell, value, visits = self._widths()
        both = next((one.both for one in self.candidates), ())
        names = [
            f" {name:<{len(decimals(number))}}"
            for name, (number, _) in zip(("Q₁", "Q₂"), both, strict=False)
        ]
        label = f"{self.label:<{value}}{''.join(names)}"
        return f" {'cell':<{cell}} {label} {self.count_label:>{visits}}  {self.optimum}"

    def _row(self, one: Candidate, columns: int, pen: Pen) -> Line:
        cell, value, visits = self._widths()
        number = "" if one.value is None else decimals(one.value, self.places)
        many = count_in(one.visits, visits) if one.share is None else f"{100 * one.share:.0f}%"
        exact = "" if one.exact is None else decimals(one.exact)
        line: list[Piece] = [
            self.pointer(pen, self.points_at(one.entries)),
            pen.piece(f"{one.name:<{cell + 1}}", "written" if one.taken else "dim"),
            *self.number(pen, number, value, "strong" if one.taken else "dim", one.means),
        ]
        for each, means in one.both:
            line.append(self.pointer(pen, self.has(means)))
            line += self.number(pen, decimals(each), 0, "dim", means)
        line += [pen.piece(f" {many:>{visits}}  ", "dim"), pen.piece(f"{exact:<4}  ", "truth")]
        star, note = "★" if one.best else " ", one.note if one.taken else ""
        end = f"{star} {note:<5} " if columns - width(tuple(line)) >= 8 else star
        room = columns - width(tuple(line)) - len(end)
        line += fit(self._drawn(one, room, pen), max(0, room))
        line.append(pen.piece(end, "better" if one.best else "text"))
        return self.row(tuple(line), columns, one.means, lit=one.taken)

    def _drawn(self, one: Candidate, room: int, pen: Pen) -> Line:
        """Return the share of the beads in beads, or a bar."""
        if room < 5:
            return ()
        if one.colour is not None:
            many = max(1, round((one.share or 0.0) * (room - 1))) if one.value else 0
            return ((pen.bead(one.colour) * many, f"bead {one.colour}"),)
        low, high = self.scale
        level = one.share
        if level is None and one.value is not None and high > low:
            level = (one.value - low) / (high - low)
        return bar(level, room - 1, "better" if one.taken else "meter", pen.glyphs)

    def _widths(self) -> tuple[int, int, int]:
        """The columns of cells, values and visits; shared beads and long numbers get theirs."""
        known = [one.value for one in self.candidates if one.value is not None]
        numbers = [len(decimals(number, self.places)) for number in known]
        cells = [len(one.name) for one in self.candidates]
        least = VALUE if self.places else max([len(self.label), *numbers]) + 2
        return max([CELL, *cells]), max([least, *numbers]), max(VISITS, len(self.count_label))


def choice_of(u: Update) -> Choice:
    """Return the current choice; for a player that resigned, the empty box."""
    move, over = u.choice, u.event
    if isinstance(over, GameOver) and over.resigned:
        loser = "O" if over.result == "X" else "X"
        found, title = candidates(u, loser, u.path[-1], None, valued=True), f"{loser}'s matchbox"
        return Choice(found, "beads", "share", places=0, title=title, right="empty: resigns")
    if move is None:
        return Choice(right="no choice yet", title="choice")
    player, table = move.player, u.table_of(move.player)
    rule, phase = table.spec.rule, u.phase if u.event is move else CHOICE
    head = "key" if u.event is move and phase in (VALUES, CHOICE) else "title"
    right, taken = (dice(u, move), move.cell) if phase >= CHOICE else ("", None)
    is_human = u.seats[player] is Seat.HUMAN
    if is_human or (rule.draws and not rule.learns):
        found = unvalued(u, move, taken, drawn=not is_human)
        made = Choice(found, "", "n" if is_human else "chance")
    else:
        found = candidates(u, player, move.board, taken, valued=phase >= VALUES)
        made = Choice(found, "beads", "share", places=0)
        if rule.estimates:
            label = "V" if rule.by_state else "Q" if rule.tables == 1 else "mean"
            made = Choice(found, label, scale=scale_of_values(table.spec))
    heading = ((f"{player}'s choice at ply {move.ply}", head),)
    optimal = optimum(u.recording.layout, table.side)
    return replace(made, title=heading, right=right, optimum=optimal)


def candidates(
    u: Update, player: str, board: int, taken: int | None, *, valued: bool
) -> list[Candidate]:
    """Return a learner's moves, the best first, of two tables both values next to their mean; or
    the colours of its matchbox, the fullest first.
    """
    table, truth, s = u.table_of(player), u.exact(player), space()
    known, each = mover_values(table, u.v, board), values_of(table, u.v, board)
    visits, most = table.visits(u.v).sum(axis=0), max(known.values())
    groups: dict[tuple[int, ...], Colour | None] = {(cell,): None for cell in known}
    if not table.spec.rule.estimates:
        groups = {colour.cells: colour for colour in colours_of(table, u.v, board)}
    found = []
    for cells, colour in groups.items():
        cell = taken if taken in cells else cells[0]
        edge, is_best = int(s.edge_of[board, cell]), known[cell] == most
        entries = entries_of_edge(table, edge) if valued else ()
        held = [before(u, entry) for entry in entries] or [None] * len(each[cell])
        one = Candidate(
            cells,
            known[cell],
            float(truth[s.successor[board, cell]]),
            taken in cells,
            is_best,
            entries=entries,
            means=held[0],
        )
        if colour is not None:
            one = one._replace(
                best=is_best and most > 0 and len(groups) > 1,
                share=colour.share,
                colour=colour.number,
                note="drawn" if table.spec.rule.draws else "taken",
            )
        else:
            one = one._replace(visits=int(visits[table.entries.of_edge[edge]]))
        if len(held) > 1:
            is_written = isinstance(u.event, Backup) and u.is_written and u.entry in entries
            mean = Quantity(Role.MEAN, entries[0]) if entries and not is_written else None
            one = one._replace(both=tuple(zip(each[cell], held, strict=True)), means=mean)
        found.append(one)
    return sorted(found, key=lambda one: (-known[one.cells[0]], one.colour or 0, one.cells))


def before(u: Update, entry: int) -> Quantity | None:
    """Return the meaning of an entry's value before the current backup."""
    if isinstance(u.event, Backup) and entry == u.entry != NO_ENTRY:
        return Quantity(Role.OLD, entry)
    return u.meaning(entry)


def unvalued(u: Update, move: Move, taken: int | None, *, drawn: bool) -> list[Candidate]:
    """Return the moves of a player without values, the likeliest first."""
    s, truth, layout = space(), u.exact(move.player), u.recording.layout
    shares = EvaluatedState(layout, u.v, move.game).behaviour(Side.parse(move.player))
    found = [
        Candidate(
            (int(s.edge_cell[edge]),),
            exact=float(truth[s.edge_successor[edge]]),
            taken=int(s.edge_cell[edge]) == taken,
            share=float(shares[edge]) if drawn else None,
        )
        for edge in s.edges_of(move.board)
    ]
    return sorted(found, key=lambda one: -(one.share or 0.0))


def epsilon_at(u: Update, move: Move) -> float:
    """Return how often the mover moves at random in this game."""
    table = u.table_of(move.player)
    is_frozen = u.seats[move.player] is Seat.FROZEN
    is_frozen |= table.spec.rule.learns and not table.spec.learns
    chosen = parameters(table, u.recording.layout, is_frozen)
    return float(exploration_rate(chosen, move.game))


def said_random(u: Update, move: Move) -> bool:
    """Return whether a random move was due, for a player that is otherwise greedy."""
    rule = u.table_of(move.player).spec.rule
    by_dice = rule.learns and not rule.draws and move.choice != "scripted"
    return by_dice and move.explore < epsilon_at(u, move)


def dice(u: Update, move: Move) -> str:
    """Return the random numbers of a choice, and what they decided."""
    if move.choice == "scripted":
        return "from outside"
    table = u.table_of(move.player)
    rule = table.spec.rule
    if rule.learns and move.choice == "drawn":
        total = sum(colour.beads for colour in colours_of(table, u.v, move.board))
        return f"u {decimals(move.pick, 4)} of {beads(total)}"
    epsilon = epsilon_at(u, move)
    below = move.explore < epsilon
    if rule.draws and not rule.learns and epsilon == 0.0:
        return f"u {decimals(move.pick, 4)}"
    said = "explores" if move.exploratory else "random" if below else "greedy"
    sign = "<" if below else "≥"
    return f"u {decimals(move.explore, 4)} {sign} ε {decimals(epsilon, 2)}  {said}"

"""The panes of Step: one update of one entry, from every side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import space
from learners.events import Backup, Learning, Move, NoBackup
from learners.evaluation import rms_against, true_values
from learners.source_lines import backup_lines
from learners.timeline import CHOICE, REPLY, TARGET, VALUES, WRITE, Timeline
from tui.lab.labels import entry_label, side_role
from tui.lab.update import Update, place_of
from tui.numerals import decimals, signed
from tui.views.update import (
    AfterstateView,
    ChoiceRow,
    ChoiceView,
    DiagramRow,
    DiagramView,
    EntriesView,
    EntryRow,
    MarkView,
    TermView,
    UpdateView,
)
from tui.views.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Microscope:
    """Builds the panes of one place of a timeline.

    Args:
        timeline: the place.
        update: the update looked at there.
    """

    def __init__(self, timeline: Timeline, update: Update) -> None:
        self.timeline = timeline
        self.update = update
        self.v = timeline.v
        self.phase = timeline.phase
        self.truth = true_values(
            timeline.recording.layout, self.v, update.table.side, timeline.game
        )

    def _truth_of(self, player: str) -> NDArray[np.float64]:
        """v* by position, for a player."""
        if player == self.update.player:
            return self.truth
        layout = self.timeline.recording.layout
        return true_values(layout, self.v, 1 - self.update.table.side, self.timeline.game)

    def value_of(self, position: int) -> float | None:
        """V of a position, for a learner that keeps one."""
        of_state = self.update.table.entries.of_state
        if of_state is None or not self.update.table.spec.rule.learns:
            return None
        return float(self.v[self.update.table.base + of_state[position]])

    def visits_of(self, position: int) -> int | None:
        """How often V of a position was written."""
        of_state = self.update.table.entries.of_state
        if of_state is None:
            return None
        return int(self.v[len(self.v) // 2 + self.update.table.base + of_state[position]])

    def afterstate(self) -> AfterstateView:
        """S_t."""
        update = self.update
        position = update.path[update.before]
        moved = (update.moves[update.before - 1].cell,) if update.before else ()
        return self._state("Sₜ", position, moved, lit=self.phase in (TARGET, WRITE))

    def next_afterstate(self) -> AfterstateView:
        """S_t+1, or as much of it as has happened in the phase of now."""
        update = self.update
        shown = update.after
        choosing = isinstance(update.event, Move)
        if choosing and self.phase in (REPLY, VALUES):
            shown = update.after - 1
        moved = tuple(move.cell for move in update.moves[update.before : shown])
        position = update.path[shown]
        if shown < update.after:
            return self._state("reply", position, moved, lit=self.phase == REPLY, valued=False)
        return self._state("Sₜ₊₁", position, moved, lit=self.phase in (CHOICE, TARGET))

    def _state(
        self, title: str, position: int, moved: tuple[int, ...], *, lit: bool, valued: bool = True
    ) -> AfterstateView:
        values: list[tuple[str, float | None, str]] = []
        right: Words = ""
        if valued:
            visits = self.visits_of(position)
            right = "" if visits is None else f"n {visits:,}"
            value = self.value_of(position)
            if value is not None:
                values.append(("V", value, "strong"))
            values.append(("v*", float(self.truth[position]), "truth"))
        player = self.update.player
        return AfterstateView(
            cells=space().text(position),
            title=((title, "key" if lit else side_role(player, strong=True)), (f" of {player}", "dim")),
            right=right,
            moved=moved,
            values=tuple(values),
        )

    def choice(self) -> ChoiceView:
        """The candidates of the player's move, best first, and its dice."""
        move = self.update.choice
        if move is None:
            return ChoiceView(rows=(), right="no choice yet")
        s = space()
        table = self.update.table
        known = table.preferences(self.v)
        edges = range(int(s.first_edge[move.board]), int(s.first_edge[move.board + 1]))
        best = max(float(known[edge]) for edge in edges)
        lit = self.phase in (VALUES, CHOICE) and isinstance(self.update.event, Move)
        decided = self.phase >= CHOICE or not isinstance(self.update.event, Move)
        visits = table.visits(self.v).sum(axis=0)
        rows = [
            ChoiceRow(
                cell=str(int(s.edge_cell[edge]) + 1),
                value=float(known[edge]),
                visits=int(visits[table.entries.of_edge[edge]]),
                truth=float(self.truth[s.edge_successor[edge]]),
                best=float(known[edge]) == best,
                taken=decided and edge == move.edge,
            )
            for edge in edges
        ]
        rows.sort(key=lambda row: (-(row.value or 0.0), row.cell))
        return ChoiceView(
            rows=tuple(rows),
            title=((f"choice at ply {move.ply}", "key" if lit else "title"),),
            right=self._dice(move) if decided else "",
            value_label="V" if table.entries.of_state is not None else "Q",
        )

    def _dice(self, move: Move) -> Words:
        if move.choice == "scripted":
            return "given from outside"
        if move.choice == "drawn":
            return f"drawn, u {decimals(move.pick, 4)}"
        epsilon = self.update.table.spec.settings["epsilon"]
        rate = decimals(epsilon[1][0], 2) if epsilon[0] == "constant" else "ε"
        below = move.explore < epsilon[1][0] if epsilon[0] == "constant" else move.exploratory
        sign, so = ("<", "random") if below else ("≥", "greedy")
        said = "random, exploratory" if move.exploratory else so
        return f"u {decimals(move.explore, 4)} {sign} ε {rate}  {said}"

    def equation(self) -> UpdateView:
        """The update as rule, numbers, code and words, and on the number line."""
        rule = self.update.table.spec.rule
        event = self.update.backup
        looked_at = isinstance(self.update.event, Backup)
        if event is None:
            return UpdateView(terms=(), words=self._words_without(), right=rule.source)
        lines = backup_lines(rule)
        code = lines[0] if lines else None
        return UpdateView(
            terms=self._terms(event),
            delta=event.error if looked_at and self.phase >= TARGET else None,
            step=event.new - event.old if looked_at and self.phase >= TARGET else None,
            code=code.text if code else "",
            place=f"{code.file}:{code.number}" if code else "",
            words=self._words(event) if looked_at else self._move_words(),
            marks=self._marks(event),
            right=rule.source,
        )

    def _words_without(self) -> Words:
        event = self.update.event
        if isinstance(event, NoBackup):
            return (
                f"The move was {event.reason}: it teaches nothing about the value before it. "
                f"{self.update.table.spec.rule.value_symbol} of {entry_label(event)} stays as it is."
            )
        return self._move_words()

    def _terms(self, event: Backup) -> tuple[TermView, ...]:
        rule = self.update.table.spec.rule
        at_work = isinstance(self.update.event, Backup)
        written = at_work and self.phase == WRITE
        reading = at_work and self.phase == TARGET
        known = at_work or self.phase == CHOICE
        value, target = rule.value_symbol, rule.target_symbol
        old = decimals(event.old, 6)
        terms = [
            TermView(value, decimals(event.new, 6) if written else "?", "written", written),
            TermView("←", "←", "dim"),
            TermView(value, old, "text", reading),
            TermView("+", "+", "dim"),
            TermView("α", decimals(event.step, 4).rstrip("0") or "0", "text", reading),
        ]
        if event.trace != 1.0:
            terms.append(TermView("z", decimals(event.trace, 4), "text", reading))
        terms += [
            TermView("[", "[", "dim"),
            TermView(target, decimals(event.target, 6) if known else "?", "target", reading),
            TermView("−", "−", "dim"),
            TermView(value, old, "text", reading),
            TermView("]", "]", "dim"),
        ]
        return tuple(terms)

    def _marks(self, event: Backup) -> tuple[MarkView, ...]:
        truth = float(self.truth[self.update.path[self.update.before]])
        at_work = isinstance(self.update.event, Backup)
        marks = [MarkView(truth, "v*", "truth", "┃")]
        if at_work or self.phase == CHOICE:
            marks.append(MarkView(event.target, "target", "target", "┃"))
        marks.append(MarkView(event.old, "old", "text", "●"))
        if at_work and self.phase == WRITE:
            marks.append(MarkView(event.new, "new", "written", "○"))
        return tuple(marks)

    def _words(self, event: Backup) -> Words:
        target, old = decimals(event.target), decimals(event.old)
        name = self.update.table.spec.rule.value_symbol
        by = f"by {decimals(event.step, 2)} of the gap"
        reply = self.update.reply
        after = f"After {reply.player}→{reply.cell + 1}, " if reply is not None else "Now "
        ended = space().outcome[self.update.path[self.update.after]] > 0
        leads = "the game is over and worth" if ended else "the next state promises"
        if event.target == event.old:
            return f"{after}{leads} {target}, just what was expected: {name} stays."
        verb, gap = ("raise", "more") if event.error > 0 else ("lower", "less")
        return f"{after}{leads} {target}, {gap} than the {old} expected: {verb} {name} {by}."

    def _move_words(self) -> Words:
        event = self.update.event
        if not isinstance(event, Move):
            return "The game is over; nothing more is learned from it."
        if self.phase == REPLY and self.update.reply is not None:
            return f"The reply is seen: {self.update.reply.player} marked cell {self.update.reply.cell + 1}."
        if self.phase == VALUES:
            return f"{event.player} looks up the value of every afterstate that it can reach."
        how = {
            "greedy": "takes the best one it knows (ties are equally likely)",
            "exploratory": "explores: the dice chose a move although another is valued higher",
            "drawn": "draws its move by chance",
            "scripted": "plays a move given from outside",
        }[event.choice]
        return f"{event.player} {how}: cell {event.cell + 1}."

    def diagram(self) -> DiagramView:
        """The backup diagram of the game, for the player of the update (S&B, Figure 1.1)."""
        update = self.update
        learned = {
            place_of(event, update.path): (row, event)
            for row in self.timeline.rows
            for event in [self.timeline.event_at(row)]
            if isinstance(event, Learning) and event.player == update.player
        }
        first = 1 if update.player == "X" else 2
        own = [0, *range(first, len(update.path), 2)]
        ended = space().outcome[update.path[-1]] > 0
        if ended and own[-1] != len(update.path) - 1:
            own.append(len(update.path) - 1)
        rows: list[DiagramRow] = []
        for t, place in enumerate(own):
            row, event = learned.get(place, (-1, None))
            earlier = learned.get(own[t - 1]) if t else None
            read = earlier is not None and isinstance(earlier[1], Backup)
            if t and earlier is not None and isinstance(earlier[1], NoBackup):
                cell = update.moves[place - 1].cell + 1
                rows.append(DiagramRow("?", words=((f"explored {cell}, no backup", "remark"),)))
            terminal = ended and place == len(update.path) - 1
            rows.append(
                DiagramRow(
                    label=f"S{subscript(t)}",
                    value=self.value_of(update.path[place]),
                    board=space().text(update.path[place]),
                    role=side_role(update.player) if place == update.before else "text",
                    written=isinstance(event, Backup),
                    read=read,
                    words=self._told(row, event, terminal),
                    lit=place == update.before,
                )
            )
        return DiagramView(rows=tuple(rows), right="Figure 1.1")

    def _told(self, row: int, event: Learning | None, terminal: bool) -> Words:
        if terminal:
            return (("the end, fixed", "truth"),)
        if not isinstance(event, Backup):
            return ""
        when = "now" if row == self.timeline.row else "done" if row < self.timeline.row else "next"
        change = event.new - event.old
        role = "worse" if change < 0 else "better" if change > 0 else "dim"
        return ((signed(change, 5), role), (f" {when}", "dim"))

    def entries(self) -> EntriesView:
        """The entries that this game has changed so far, newest first."""
        timeline = self.timeline
        done = [event for event in timeline.events_so_far() if isinstance(event, Backup)]
        if done and timeline.phase != WRITE:
            done = [event for event in done if event is not timeline.event]
        rows = tuple(
            EntryRow(
                board=entry_label(event),
                old=event.old,
                new=event.new,
                truth=float(self._truth_of(event.player)[event.board]),
                role=side_role(event.player),
                lit=event is timeline.event,
            )
            for event in reversed(done)
        )
        return EntriesView(rows=rows, notes=self._error_note(), right="v* exact")

    def _error_note(self) -> tuple[Words, ...]:
        table = self.update.table
        if not table.spec.rule.learns or not table.spec.rule.estimates:
            return ()
        error = rms_against(table, self.v, self.truth)
        return (((f"{self.update.player} rms V−v* ", "dim"), (decimals(error, 5), "text")),)


def subscript(number: int) -> str:
    """A number as subscript digits."""
    return "".join(chr(0x2080 + int(digit)) for digit in str(number))

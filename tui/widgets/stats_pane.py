"""The stats: what exact evaluation says of both players, and how the last games went."""

from __future__ import annotations

from typing import Final

from tui.theme.canvas import bar, stacked
from tui.theme.look import Line, blank, fit, width
from tui.theme.numerals import NONE, count, decimals, duration, short
from tui.views.lab import SideStats, StatsView
from tui.widgets.pane import Pane

LABEL = 10
"""Columns of the labels at the left."""

_VERDICTS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("beatable", "worse"),
    False: ("unbeatable", "better"),
    None: (NONE, "dim"),
}


class StatsPane(Pane[StatsView]):
    """Beatable or not, against random and perfect opponents, the last games, the training."""

    def lines(self, view: StatsView, columns: int, rows: int) -> list[Line]:
        """The frame and as many rows as there is room for, the most telling first."""
        inside = columns - 4
        table = [self._head(), *(self._side(side) for side in view.sides)]
        rest = [self._last(view, inside), self._rms(view, inside), self._training(view, inside)]
        rest += self._others(view)
        air: list[Line] = [()] if rows - 2 > len(table) + len(rest) else []
        body = (table + air + rest)[: max(0, rows - 2)]
        return self.framed(view, columns, rows, body)

    def _head(self) -> Line:
        text = f"{'':14}{'v random':<14}perfect optimal"
        return (self.look.piece(text, "dim"),)

    def _side(self, side: SideStats) -> Line:
        look = self.look
        word, role = _VERDICTS[side.beatable]
        mark = "x_strong" if side.mark == "X" else "o_strong"
        shares = "".join(f" {decimals(value):>4}" for value in (side.draw, side.loss))
        perfect = NONE if side.perfect_draw is None else f"={decimals(side.perfect_draw, 2)}"
        of = "" if side.of is None else f"/{count(side.of)}"
        return (
            look.piece(side.mark, mark),
            look.piece(f"  {word:<10} ", role),
            look.piece(f"{decimals(side.win):>4}", "text"),
            look.piece(f"{shares} ", "dim"),
            look.piece(f"{perfect:>5}  ", "text"),
            look.piece(count(side.optimal), "text"),
            look.piece(of, "dim"),
        )

    def _last(self, view: StatsView, inside: int) -> Line:
        look = self.look
        won, drawn, lost = view.results
        games = won + drawn + lost
        head = look.piece(f"{f'last {games}':<{LABEL}}", "dim")
        if not games:
            return (head, look.piece(NONE, "dim"))
        shares = (("X", won, "x"), ("=", drawn, "draw"), ("O", lost, "o"))
        words = look.line(
            tuple(
                part
                for letter, games_of, role in shares
                for part in (
                    (f" {letter}", role),
                    (f" {round(100 * games_of / games):>2}", "text"),
                )
            )
        )
        room = inside - LABEL - width(words)
        return (head, *stacked(shares, room, look), *words)

    def _rms(self, view: StatsView, inside: int) -> Line:
        look = self.look
        pieces = [look.piece(f"{view.rms_label:<{LABEL - 1}} ", "dim")]
        for side in view.sides:
            pieces.append(look.piece(side.mark, "x" if side.mark == "X" else "o"))
            pieces.append(look.piece(f" {decimals(side.rms)}  ", "text"))
        seen = (
            look.piece("seen ", "dim"),
            look.piece(count(view.seen), "text"),
            look.piece("" if view.seen_of is None else f"/{count(view.seen_of)}", "dim"),
        )
        gap = inside - width(tuple(pieces)) - width(seen)
        return (*pieces, *blank(gap), *seen) if gap >= 0 else tuple(pieces)

    def _others(self, view: StatsView) -> list[Line]:
        """A row for each figure that has no place above."""
        look, rows = self.look, dict[str, list[tuple[str, str]]]()
        for side in view.sides:
            for label, value in side.others:
                rows.setdefault(label, []).append((side.mark, value))
        lines: list[Line] = []
        for label, values in rows.items():
            line: Line = (look.piece(f"{label:<{LABEL - 1}} ", "dim"),)
            for mark, value in values:
                line = (*line, look.piece(mark, mark.lower()), look.piece(f" {value}  ", "text"))
            lines.append(line)
        return lines

    def _training(self, view: StatsView, inside: int) -> Line:
        look = self.look
        head = look.piece(f"{'training':<{LABEL}}", "dim")
        rate = (look.piece(short(view.rate), "text"), look.piece(" games/s", "dim"))
        if view.progress is None:
            return (head, *rate, *blank(1), *look.line(view.note, "dim"))
        share = look.piece(f" {view.progress:>4.0%}", "text")
        left = look.piece(f" {duration(view.left)} left", "dim")
        tail: Line = (share, left, *blank(1), *rate)
        room = inside - LABEL - width(tail)
        drawn = bar(view.progress, room, look.palette.key, look.glyphs)
        return (head, *fit(drawn, max(0, room)), *tail)

"""The stats: what exact evaluation says of both players, and how the last games went."""

from __future__ import annotations

from typing import Final, NamedTuple

from tui.theme.canvas import bar, stacked
from tui.theme.look import Line, blank, fit, width
from tui.theme.numerals import NONE, count, decimals, duration, percents, short
from tui.views.lab import StatsView
from tui.widgets.pane import Pane

WIDE: Final = 58
"""From so many columns inside the frame on every label is written in full."""
NAMED: Final = 40
"""From so many columns on a draw has its word in the last games: `X 24 = 69` reads as a sum."""
VERDICT: Final = 10

_VERDICTS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("beatable", "worse"),
    False: ("unbeatable", "better"),
    None: (NONE, "dim"),
}


class Column(NamedTuple):
    """A column of the table: two heads, and a number of each side."""

    group: str
    """What the columns from here on have in common."""
    head: str
    cells: tuple[str, ...]
    role: str = "text"
    left: bool = False
    shares_group: bool = False
    """Whether the columns after it belong to its group."""

    @property
    def wide(self) -> int:
        group = "" if self.shares_group else self.group
        return max(map(len, (group, self.head, *self.cells)))


class StatsPane(Pane[StatsView]):
    """Beatable or not, against random and perfect opponents, the last games, the training."""

    def lines(self, view: StatsView, columns: int, rows: int) -> list[Line]:
        """The frame and as many rows as there is room for, the most telling first."""
        inside = columns - 4
        table = self._table(view, inside)
        has_games = bool(view.results != (0, 0, 0) or view.rate or view.note)
        has_rate = view.progress is not None or bool(view.rate or view.note or view.until)
        rest = [
            *([self._last(view, inside)] if has_games else []),
            *self._error_and_seen(view, inside, rows - 4 - len(table)),
            *([self._training(view, inside)] if has_rate else []),
            *self._others(view, inside),
        ]
        air: list[Line] = [()] if rows - 2 > len(table) + len(rest) else []
        body = (table + air + rest)[: max(0, rows - 2)]
        return self.framed(view, columns, rows, body)

    def _table(self, view: StatsView, inside: int) -> list[Line]:
        """Two rows of heads and a row for each side; columns without room are left out."""
        look, is_wide = self.look, inside >= WIDE
        gap = 2 if is_wide else 1
        start = 1 + gap + VERDICT
        kept: list[Column] = []
        for column in self._columns(view, is_wide):
            if start + sum(gap + one.wide for one in (*kept, column)) <= inside:
                kept.append(column)
        groups = heads = " " * start
        lines: list[Line] = []
        for side in view.sides:
            word, role = ("you", "text") if side.is_person else _VERDICTS[side.beatable]
            mark = look.piece(f"{side.mark}{'':{gap}}", f"{side.mark.lower()}_strong")
            lines.append((mark, look.piece(f"{word:<{VERDICT}}", role)))
        for column in kept:
            align = "<" if column.left or column.shares_group else ">"
            if column.group:
                room = len(heads) + gap - len(groups)
                groups += f"{'':{room}}{column.group:{align}{column.wide}}"
            align = "<" if column.left else ">"
            heads += f"{'':{gap}}{column.head:{align}{column.wide}}"
            for n, cell in enumerate(column.cells):
                some, slash, of = cell.partition("/") if "/" in cell else cell.partition(" of ")
                room = column.wide - len(cell)
                before, after = (0, room) if column.left else (room, 0)
                words = (
                    (f"{'':{gap + before}}{some}", column.role),
                    (f"{slash}{of}{'':{after}}", "dim"),
                )
                lines[n] = (*lines[n], *look.line(words))
        return [(look.piece(groups, "dim"),), (look.piece(heads, "dim"),), *lines]

    def _columns(self, view: StatsView, is_wide: bool) -> tuple[Column, ...]:
        """The columns, the most telling first."""

        def told(values: list[float | None]) -> tuple[str, ...]:
            return tuple(f"{decimals(value):>4}" for value in values)

        out_of = " of " if is_wide else "/"
        right = tuple(
            count(side.optimal) + ("" if side.of is None else f"{out_of}{count(side.of)}")
            for side in view.sides
        )
        sides = view.sides
        random = "against random" if is_wide else "v random"
        perfect = ("perfect", "draws") if is_wide else ("perfect", "draw")
        return (
            Column(random, "win", told([side.win for side in sides]), shares_group=True),
            Column("", "draw", told([side.draw for side in sides]), "dim"),
            Column("", "loss", told([side.loss for side in sides]), "dim"),
            Column(*perfect, told([side.perfect_draw for side in sides])),
            Column("right", "moves", right, left=True),
        )

    def _last(self, view: StatsView, inside: int) -> Line:
        look, is_wide = self.look, inside >= WIDE
        won, drawn, lost = view.results or (0, 0, 0)
        games = won + drawn + lost
        named = (
            f"last {games} games" if is_wide and games else f"last {games}" if games else "games"
        )
        head = look.piece(f"{named:<{self._label(is_wide)}}", "dim")
        if not games:
            return (head, look.piece(NONE if view.results is None else "none yet", "dim"))
        shares = (("X", won, "x"), ("=", drawn, "draw"), ("O", lost, "o"))
        parts = percents([part / games for _, part, _ in shares])
        words = look.line(
            tuple(
                part
                for (letter, _, role), percent in zip(shares, parts, strict=True)
                for part in (
                    (
                        f" {'draw' if inside >= NAMED and letter == '=' else letter}",
                        "dim" if letter == "=" else role,
                    ),
                    (f" {percent:>2.0f}{'%' * is_wide}", "text"),
                )
            )
        )
        room = inside - width((head,)) - width(words)
        return (head, *stacked(shares, room, look), *words)

    def _label(self, is_wide: bool) -> int:
        """Columns of the labels at the left."""
        return 16 if is_wide else 10

    def _error_and_seen(self, view: StatsView, inside: int, room: int) -> list[Line]:
        """The error and the entries seen: in one row where there are few."""
        look, is_wide = self.look, inside >= WIDE
        label = self._label(is_wide)
        errors: list[tuple[str, str]] = [(f"{'error':<{label}}", "dim")]
        for side in (side for side in view.sides if not side.is_person):
            errors += [(side.mark, side.mark.lower()), (f" {decimals(side.rms)}  ", "text")]
        if is_wide and room >= 3:
            told = [look.line((*errors, (view.rms_label, "dim")))]
            if view.seen:
                seen = seen_words(view, is_long=True)
                told.append(look.line(((f"{'entries seen':<{label}}", "dim"), *seen)))
            return told
        line = look.line(tuple(errors))
        for is_long in (True, False):
            end = look.line((("seen ", "dim"), *seen_words(view, is_long=is_long)))
            gap = inside - width(line) - width(end)
            if view.seen and gap >= 0:
                return [(*line, *blank(gap), *end)]
        return [line]

    def _others(self, view: StatsView, inside: int) -> list[Line]:
        """A row for each figure that has no place above."""
        look, rows = self.look, dict[str, list[tuple[str, str]]]()
        for side in view.sides:
            for label, value in side.others:
                rows.setdefault(label, []).append((side.mark, value))
        lines: list[Line] = []
        column = self._label(inside >= WIDE)
        for label, values in rows.items():
            line: Line = (look.piece(f"{label:<{column - 1}} ", "dim"),)
            for mark, value in values:
                line = (*line, look.piece(mark, mark.lower()), look.piece(f" {value}  ", "text"))
            lines.append(line)
        return lines

    def _training(self, view: StatsView, inside: int) -> Line:
        look = self.look
        head = look.piece(f"{'training':<{self._label(inside >= WIDE)}}", "dim")
        rate = (look.piece(short(view.rate), "text"), look.piece(" games/s", "dim"))
        if view.until:
            ends: list[Line] = [(*blank(2), *rate)] if view.rate else []
            told = [look.line(words, "text") for words in view.until]
            for line in [(*words, *end) for words in told for end in (*ends, ())]:
                if width((head, *line)) <= inside:
                    return (head, *line)
            return (head, *told[-1])
        if view.progress is None:
            before: Line = () if view.rate is None else (*rate, *blank(2))
            for note in view.note:
                line = (head, *before, *look.line(note, "dim"))
                if width(line) <= inside:
                    return line
            return (head, *before)
        share = look.piece(f" {view.progress:>4.0%}", "text")
        left = look.piece(f" {duration(view.left)} left", "dim")
        tail: Line = (share, left, *blank(1), *rate)
        for shorter in ((share, left), (share,)):
            if width((head, *tail)) > inside:
                tail = shorter
        room = inside - width((head,)) - width(tail)
        drawn = bar(view.progress, room, look.palette.key, look.glyphs)
        return (head, *fit(drawn, max(0, room)), *tail)


def seen_words(view: StatsView, *, is_long: bool) -> list[tuple[str, str]]:
    """The coverage of each side: so many of its entries, or the share of them."""
    words: list[tuple[str, str]] = []
    for mark, n, of in view.seen:
        gap = f"{'  ' if words else ''}{mark}{' ' * bool(mark)}"
        share = f"{count(n)} of {count(of)}" if is_long else f"{n / of:.0%}"
        words += [(gap, mark.lower() or "text"), (share, "text")]
    return words

"""Show exact metrics of both players, recent results, and the progress of a training run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen, Words, bar, blank, fit, stacked, width
from afterstate_lab.tui.blocks.speech import figure
from afterstate_lab.tui.theme.numerals import NONE, decimals, duration, percents, short

VERDICT: Final = 10
VERDICTS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("beatable", "worse"),
    False: ("unbeatable", "better"),
    None: (NONE, "dim"),
}


class SideStats(NamedTuple):
    """The exact metrics of one player; None if unknown."""

    mark: str
    beatable: bool | None = None
    win: float | None = None
    """The chance of a win against a random opponent, like `draw` and `loss`."""
    draw: float | None = None
    loss: float | None = None
    perfect_draw: float | None = None
    """The share of draws against a perfect opponent."""
    optimal: int | None = None
    """Number of positions with optimal greedy moves."""
    of: int | None = None
    """Number of positions."""
    rms: float | None = None
    """The error of its values against minimax."""
    is_person: bool = False
    """Whether a person plays this side, to whom no metrics apply."""
    worst: float | None = None
    """The chance of a loss against the best opponent."""
    as_played: SideStats | None = None
    """Its metrics as it plays, if it draws its moves."""

    def say(self) -> Iterator[str]:
        """Yield whether it can be beaten, its chances, and how well it plays."""
        if self.beatable is None:
            yield f"{self.mark} {'is you' if self.is_person else 'does not learn'}."
            return
        can = "cannot be beaten"
        if self.beatable:
            can = f"can be beaten, with probability up to {figure(self.worst)}"
        yield f"{self.mark} {can}."
        yield (
            f"Against random {self.mark} wins {figure(self.win)}, draws {figure(self.draw)}, "
            f"loses {figure(self.loss)}; against perfect it draws {figure(self.perfect_draw)}."
        )
        yield f"{self.mark} plays optimally in {self.optimal:,} of {self.of:,} positions."
        if self.as_played is not None:
            beaten, chances, _ = self.as_played.say()
            yield f"As it plays, drawing its moves, {beaten}"
            yield chances


def results_words(results: tuple[int, int, int]) -> str:
    won_x, drawn, won_o = results
    return f"X won {won_x:,}, {drawn:,} {'draw' if drawn == 1 else 'draws'}, O won {won_o:,}."


@lean_dataclass(frozen=True, kw_only=True)
class Stats(Block):
    title: Words = "stats"
    right: Words = "exact, greedy play"
    sides: Sequence[SideStats]
    results: tuple[int, int, int] | None = (0, 0, 0)
    """The latest games won by X, drawn, won by O, if known."""
    seen: tuple[tuple[str, int, int], ...] = ()
    """Coverage: side (empty for a shared table), visited entries, all entries."""
    rate: float | None = None
    """Games per second."""
    progress: float | None = None
    """The progress of a training run, 0 to 1."""
    left: float | None = None
    """Seconds left."""
    until: str = ""
    """The progress until unbeatable."""
    needs = Room(7, 9)

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        inside = columns - 2
        table = self._table(inside)
        rest = [self._last(inside, pen), self._error_and_seen(inside)]
        rest += self._training(inside, pen)
        air: list[Line] = [()] if rows > len(table) + len(rest) else []
        return [(*blank(1), *line) for line in (*table, *air, *rest)[: max(0, rows)]]

    def say(self) -> Iterator[str]:
        if self.results and (many := sum(self.results)):
            games = "game" if many == 1 else f"{many:,} games"
            yield f"Of the latest {games}: {results_words(self.results)}"
        for side in self.sides:
            yield from side.say()
            if side.rms is not None:
                whose = f"{side.mark}'s values against minimax"
                yield f"The root mean square error of {whose} is {figure(side.rms)}."
        for mark, seen, of in self.seen:
            yield (
                f"{mark} has visited {seen:,} of {of:,} values."
                if mark
                else (f"X and O have visited {seen:,} of the {of:,} values that they share.")
            )

    def _table(self, inside: int) -> list[Line]:
        """Return two rows of heads and one per side, without columns that do not fit."""
        groups = heads = " " * (2 + VERDICT)
        lines: list[Line] = []
        for side in self.sides:
            word, role = ("you", "text") if side.is_person else VERDICTS[side.beatable]
            mark = f"{side.mark} ", f"{side.mark.lower()}_strong"
            lines.append((mark, (f"{word:<{VERDICT}}", role)))
        sides = self.sides
        optimal = [NONE if side.of is None else f"{side.optimal:,}/{side.of:,}" for side in sides]
        for group, head, role, numbers in (
            ("v random", "win", "text", [f"{decimals(side.win):>4}" for side in sides]),
            ("", "draw", "dim", [decimals(side.draw) for side in sides]),
            ("", "loss", "dim", [decimals(side.loss) for side in sides]),
            ("perfect", "draws", "text", [decimals(side.perfect_draw) for side in sides]),
            ("optimal", "moves", "text", optimal),
        ):
            own = "" if head == "win" else group  # that group is over three columns
            wide = max(map(len, (own, head, *numbers)))
            if len(heads) + 1 + wide > inside:
                break
            if group:
                groups = f"{groups:{len(heads) + 1}}{group:>{wide}}"
            heads += f" {head:>{wide}}"
            for n, number in enumerate(numbers):
                some, of, whole = number.partition("/")
                before = " " * (1 + wide - len(number))
                lines[n] = (*lines[n], (f"{before}{some}", role), (f"{of}{whole}", "dim"))
        return [((groups, "dim"),), ((heads, "dim"),), *lines]

    def _last(self, inside: int, pen: Pen) -> Line:
        """Return the latest results as a bar and in percent."""
        if not self.results or not (games := sum(self.results)):
            none = NONE if self.results is None else "none yet"
            return ("games     ", "dim"), (none, "dim")
        head, roles = (f"last {games:<5}", "dim"), ("x", "draw", "o")
        words: list[tuple[str, str]] = []
        parts = percents([many / games for many in self.results])
        for name, percent, role in zip(("X", "draw", "O"), parts, roles, strict=True):
            words += (f" {name}", role), (f" {percent:>2.0f}", "text")
        shares = zip("███" if pen.paints else "X=O", self.results, roles, strict=True)
        return (head, *stacked([*shares], inside - width((head, *words))), *words)

    def _error_and_seen(self, inside: int) -> Line:
        """Return the error, and the coverage if it fits."""
        line = [("rms V−mm  ", "dim")]
        for side in (side for side in self.sides if not side.is_person):
            line += [(side.mark, side.mark.lower()), (f" {decimals(side.rms)}  ", "text")]
        seen = [("visited", "dim")]
        for mark, n, of in self.seen:
            seen += (f" {mark}".rstrip(), mark.lower() or "text"), (f" {n / of:.0%}", "text")
        gap = inside - width((*line, *seen))
        return (*line, *blank(gap), *seen) if self.seen and gap >= 0 else tuple(line)

    def _training(self, inside: int, pen: Pen) -> list[Line]:
        """Return a bar or what it waits for, with the time left and the speed if they fit."""
        if self.progress is None and not (self.rate or self.until):
            return []
        share = "" if self.progress is None else f"{self.progress:>4.0%}"
        left = "" if self.left is None else ((f"{duration(self.left)} left", "dim"),)
        rate = ((short(self.rate), "text"), (" games/s", "dim")) if self.rate else ""
        parts: tuple[Words, ...] = (self.until or share, left, rate)
        room = inside - width(head := (("training  ", "dim"),))
        told: Line = ()
        for words in parts:
            more = (*blank(bool(told)), *pen.line(words))
            if words and width(more) <= room - width(told):
                told = (*told, *more)
        if self.progress is None or self.until:
            return [(*head, *told)]
        room -= width(told) + 1
        return [(*head, *fit(bar(self.progress, room, "key", pen.glyphs), room), *blank(1), *told)]

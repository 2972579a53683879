"""Show exact metrics of both players, recent results, and the progress of a training run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.tui.blocks.block import Block, Room
from afterstate_lab.tui.blocks.span import Line, Pen, Words, bar, blank, fit, stacked, width
from afterstate_lab.tui.blocks.speech import figure
from afterstate_lab.tui.theme.numerals import NONE, decimals, duration, percents, short

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.evaluation import Evaluation

VERDICT: Final = 10
VERDICTS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("beatable", "worse"),
    False: ("unbeatable", "better"),
    None: (NONE, "dim"),
}


class SideStats(NamedTuple):
    mark: str
    found: Evaluation | None = None
    """Its exact metrics, if it learns."""
    is_person: bool = False
    """Whether a person plays this side, to whom no metrics apply."""

    def number(self, metric: f.Figure) -> str:
        value = None if self.found is None else self.found[metric]
        if isinstance(value, tuple):
            return "/".join(f"{part:,}" for part in value)
        return decimals(value)


def judged(mark: str, found: Evaluation) -> Iterator[str]:
    """Yield whether a side can be beaten, its chances, and how well it plays."""
    can = "cannot be beaten"
    if found[f.BEATABLE]:
        can = f"can be beaten, with probability up to {figure(found[f.WORST_LOSS])}"
    yield f"{mark} {can}."
    win, draw, loss, perfect = (
        figure(found[one]) for one in (f.WIN, f.DRAW, f.LOSS, f.PERFECT_DRAW)
    )
    yield (
        f"Against random {mark} wins {win}, draws {draw}, loses {loss}; "
        f"against perfect it draws {perfect}."
    )
    right, of = found[f.OPTIMAL]
    yield f"{mark} plays optimally in {right:,} of {of:,} positions."
    if found.as_played is not None:
        beaten, chances, _ = judged(mark, found.as_played)
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
        for mark, found, is_person in self.sides:
            if found is None:
                yield f"{mark} {'is you' if is_person else 'does not learn'}."
                continue
            yield from judged(mark, found)
            if (error := found[f.RMS_MINIMAX]) is not None:
                whose = f"{mark}'s values against minimax"
                yield f"The root mean square error of {whose} is {figure(error)}."
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
            word, role = VERDICTS[None if side.found is None else side.found[f.BEATABLE]]
            if side.is_person:
                word, role = "you", "text"
            mark = f"{side.mark} ", f"{side.mark.lower()}_strong"
            lines.append((mark, (f"{word:<{VERDICT}}", role)))
        for group, head, role, metric in (
            ("v random", " win", "text", f.WIN),
            ("", "draw", "dim", f.DRAW),
            ("", "loss", "dim", f.LOSS),
            ("perfect", "draws", "text", f.PERFECT_DRAW),
            ("optimal", "moves", "text", f.OPTIMAL),
        ):
            numbers = [side.number(metric) for side in self.sides]
            own = "" if metric is f.WIN else group  # that group is over three columns
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
            line += [(side.mark, side.mark.lower()), (f" {side.number(f.RMS_MINIMAX)}  ", "text")]
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
        if self.progress is None:
            return [(*head, *told)]
        room -= width(told) + 1
        return [(*head, *fit(bar(self.progress, room, "key", pen.glyphs), room), *blank(1), *told)]

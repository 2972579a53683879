"""The knob: turn an option with the arrow keys, and see at once what is learned."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.expect import Sample, sampled
from afterstate_lab.learners.experiments.plan import followed, knob, knobs, size, spaced
from afterstate_lab.learners.judge.figures import WORST_LOSS
from afterstate_lab.learners.rules.options import IntegerOption
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.blocks import (
    Beside,
    Cell,
    Cells,
    CellView,
    Column,
    HeatScale,
    Room,
    Stack,
    Table,
    Track,
)
from afterstate_lab.tui.blocks.curve import Curve, Series, span
from afterstate_lab.tui.lab.autosave import is_worth_saving
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.pages.page import (
    BACK,
    Key,
    LabController,
    Leave,
    Opened,
    Page,
    Work,
    to_lab,
)
from afterstate_lab.tui.theme.numerals import bare, short

Players = tuple[PlayerSpec, PlayerSpec]
GREEK: Final = {"α": "alpha", "ε": "epsilon", "λ": "lambda", "γ": "gamma"}
SIZE: Final = (20, 20_000)
"""Seeds, and games of each."""
POINTS: Final = 9
"""Points of a curve; each is measured with every seed while you wait."""
SECONDS: Final = 1.0
"""Seconds after which no more seeds begin: two are what the interpreter plays in that time."""
PATIENCE: Final = 0.15
"""Seconds without a new picture after which a turn is finished although there is a newer one."""
REST: Final = 0.7
"""Seconds after which the setting on screen is the one that later turns are compared with."""
WIDEST: Final = 100
"""The longest range of an option that is drawn whole, not up to the next power of ten."""


class Dial(Track):
    """The range of an option, with its value now and before."""

    framed = True


class Knob:
    """The state of the page.

    Args:
        lab: has the players, also those whose seats others have taken.
        name: the option to turn; by default the first.
        size: seeds, and games of each.
    """

    def __init__(self, lab: LabController, name: str = "", size: tuple[int, int] = SIZE) -> None:
        run = lab.session.run
        self.lab, self.players, self.seed, self.size = lab, (run.x, run.o), run.seed, size
        self.name = GREEK.get(name, name) or next(iter(knobs(*self.players)), "alpha")
        self.option, self.metrics = knob(*self.players, self.name), followed(*self.players)
        self.points = spaced(size[1], POINTS, log=True)
        self.shown: Sample | None = None
        self.ghost: Sample | None = None
        """What was on screen before you began to turn."""
        self._known: dict[Players, Sample | str] = {}
        """What each setting led to, or the trouble with it."""
        self._latest = 1
        self._range: tuple[float, float] | None = None
        """The range of the curves so far: an axis that stays shows what moves."""
        self._shown_at = self._turned_at = time.monotonic()

    @property
    def is_current(self) -> bool:
        """Whether the current setting is on screen."""
        return self.players in self._known

    def value(self, players: Players) -> float:
        """Return the option's value of some players."""
        found = next(one for one in players if self.name in knobs(one)).settings[self.name]
        return float(found[1][0] if isinstance(found, tuple) else found)

    def turn(self, by: int) -> str | None:
        """Turn the option by some steps."""
        self._latest = by
        return self.set(self._value(by))

    def _value(self, by: int) -> str:
        """Return the value of the option some steps on."""
        option, value = self.option, self.value(self.players)
        step = 0.01 if option.high - option.low <= 1 else 0.1
        if isinstance(option, IntegerOption):
            step = max(1, 10 ** (len(f"{value:.0f}") - 2))
        value = min(max(round(value / step + by) * step, option.low), option.high)
        return f"{value:.12g}"

    def _turned(self, text: str) -> Players:
        """Return the players with another value of the option."""
        value = self.option.parse(text.strip())
        x, o = (
            spec.with_setting(self.name, value) if self.name in knobs(spec) else spec
            for spec in self.players
        )
        return x, o

    def set(self, text: str) -> str | None:
        """Turn the option to a value."""
        players = self._turned(text)
        if players == self.players:
            return f"{self.name} is {text} already."
        now = time.monotonic()
        if now - self._turned_at > REST or self.ghost is None:
            self.ghost = self.shown
        self.players, self._turned_at = players, now
        if players in self._known:
            self._show(self._known[players])
        return None

    def _work(self) -> Work | None:
        """Return the work on this setting; once it is shown, on those to which a key leads."""
        began, wanted = self.players, [self.players]
        if isinstance(self._known.get(self.players), Sample):
            wanted = [self._turned(self._value(by)) for by in (self._latest, -self._latest)]
        for players in wanted:
            if players not in self._known:
                then = partial(self._take, players, began)
                return Work(partial(self._play, players, began), then=then)
        return None

    def _play(
        self, players: Players, began: Players, stop: Callable[[], bool]
    ) -> Sample | str | None:
        is_ended = False  # for good: who turns back finds it without all of its seeds

        def is_old() -> bool:
            nonlocal is_ended
            waits = players == began and time.monotonic() - self._shown_at > PATIENCE
            is_ended = is_ended or stop() or not (waits or self.players in (began, players))
            return is_ended

        try:
            found = sampled(
                *players,
                self.points,
                self.size[0],
                seconds=SECONDS,
                fewest=1,
                metrics=self.metrics,
                stop=is_old,
            )
        except UsageError as error:
            return sentence(error)
        return None if is_old() else found

    def _take(self, players: Players, began: Players, found: Sample | str | None) -> None:
        if found is None:
            return
        if players == self.players or (players == began and not self.is_current):
            self._show(found)
        self._known[players] = found

    def _show(self, found: Sample | str) -> None:
        if isinstance(found, Sample):
            self.shown, self._shown_at = found, time.monotonic()
            ends = [y for series in self._series(found) for _, y in series.points]
            self._range = span([*ends, *(self._range or ())])

    def keep(self) -> Leave:
        """Leave for a new run with these players."""
        said = f"A new run with {self.name} {number(self.value(self.players))}."
        if self.lab.autosave is not None and is_worth_saving(self.lab.session):
            said += " The previous run is saved."
        return to_lab(self.lab.set_up(Settings(*self.players, self.seed), said))

    # what is shown

    def page(self) -> Page:
        x, o = self.players
        found = self._known.get(self.players)
        seeds, games = self.size
        return Page(
            "TURN",
            Stack((self._line(), self._curves(), Beside((self._opening(), self._verdicts())))),
            title=(("X", player_label(x)), ("O", player_label(o))),
            right=size(seeds if self.shown is None else len(self.shown), games),
            note=found if isinstance(found, str) else "",
            work=self._work(),
            keys=(
                Key("right l", "turn", lambda: self.turn(1), "turn it up", signs="← →"),
                Key("left h", "turn back", lambda: self.turn(-1), "turn it down", hidden=True),
                Key("equals_sign", "set", self.set, "type it", f"a value: {self.option.range}"),
                Key("enter", "keep", self.keep, "begin a run with these players"),
                BACK,
            ),
        )

    def _line(self) -> Dial:
        option, value = self.option, self.value(self.players)
        low, high = option.low, option.high
        if high - low > WIDEST:
            high = 10.0 ** max(1, len(f"{abs(value):.0f}"))
            low = max(low, -high if value < 0 else 0.0)
        before = value if self.ghost is None else self.value(self.ghost.players)
        at, was = (min(1.0, max(0.0, (one - low) / (high - low))) for one in (value, before))
        return Dial(
            at=at,
            marks=((was, "○"),),
            said=f"from {number(low)} to {number(high)}",
            right=f"before: {number(before)}" if before != value else "",
            footer=option.help,
            title=((f"{self.name} {number(value)}", "now"),),
        )

    def _curves(self) -> Curve:
        names = {f"rms V−{one.metric.against}" for one in self.metrics if one.metric.against}
        return Curve(
            series=self._series(self.shown) + self._series(self.ghost, is_ghost=True),
            x_range=(float(self.points[0]), float(self.points[-1])),
            log_x=True,
            y_range=self._range,
            title=" and ".join(names) or "wins against random moves",
            right="mean over the seeds",
            note=f"Playing {size(*self.size)}…",
            rank=-1,
        )

    def _series(self, sample: Sample | None, *, is_ghost: bool = False) -> list[Series]:
        """Return the curves of a setting."""
        if sample is None:
            return []
        means = sample.values.mean(axis=0).tolist()
        return [
            Series(
                list(zip(map(float, sample.points), mean, strict=True)),
                (),
                mark.lower(),
                "" if is_ghost else mark,
                f"{mark}, before" if is_ghost else mark,
                is_ghost,
            )
            for mark, mean in zip((one.side.mark for one in self.metrics), means, strict=True)
        ]

    def _opening(self) -> Cells:
        rule = self.players[0].rule
        values = []
        if self.shown is not None and Side.X in self.shown.layout.learners:
            values = self.shown.opening.mean(axis=0).tolist()
        scale = HeatScale(values or (0.0,), self.players[0].rewards)
        cells = [CellView(value=v, heat=scale.heat(v), best=v == max(values)) for v in values]
        return Cells(
            cells=cells or [CellView()] * 9,
            title="the opening",
            right="what X expects" if rule.estimates else "beads of X",
            width=Room(31, 31),
            least_columns=31,
            height=Room(7, 13, 0.3),
        )

    def _verdicts(self) -> Table:
        columns = (
            Column("", 1, role="strong"),
            Column("", self.size[0], 2, say=""),
            Column("", 8, say="{} are unbeatable"),
            Column("", 10, 1, role="dim"),
        )
        rows = []
        for side in [] if self.shown is None else self.shown.layout.learners:
            safe, was = (
                [] if one is None else (one.of(side, WORST_LOSS) == 0.0).tolist()
                for one in (self.shown, self.ghost)
            )
            dots = [("●", "truth") if is_safe else ("○", "faint") for is_safe in safe]
            before = f"before: {sum(was)}" if was else ""
            rows.append((side.mark, Cell(tuple(dots), ""), f"{sum(safe)} of {len(safe)}", before))
        return Table(
            columns,
            rows,
            tuple,
            None,
            heads=False,
            title=f"unbeatable after {short(self.size[1])} games",
            right="a dot is a seed",
            footer="● unbeatable (proved)  ○ beatable",
        )


def number(value: float) -> str:
    return bare(f"{value:.6g}")


def open_on(lab: LabController, data: object, text: str) -> Opened:
    name, _, value = text.replace("=", " ").strip().partition(" ")
    page = Knob(lab, name)
    if value.strip():
        page.set(value)
    return page.page

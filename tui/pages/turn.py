"""The knob: turn an option with the arrow keys, and see at once what is learned."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.plan import size
from afterstate_lab.learners.experiments.run import Stopped
from afterstate_lab.learners.experiments.turn import GREEK, knob, knobs, turn, turning
from afterstate_lab.learners.rules.options import IntegerOption
from afterstate_lab.tui.blocks.block import Beside, Room, Stack
from afterstate_lab.tui.blocks.cells import Cells, CellView, HeatScale
from afterstate_lab.tui.blocks.curve import Curve, Series, span
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.text import Track
from afterstate_lab.tui.lab.autosave import is_worth_saving
from afterstate_lab.tui.lab.labels import player_label, short_number
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Work, sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import short

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.plan import Arm, Plan
    from afterstate_lab.learners.experiments.turn import Turned
    from afterstate_lab.learners.rules.options import Option
    from afterstate_lab.tui.lab.controller import LabController

SIZE: Final = (20, 20_000)
"""Seeds, and games of each."""
POINTS: Final = 9
"""Points of a curve; each is measured with every seed while you wait."""
PATIENCE: Final = 0.15
"""Seconds without a new picture after which a turn is finished although there is a newer one."""
REST: Final = 0.7
"""Seconds after which the setting on screen is the one that later turns are compared with."""
KEPT: Final = 64
"""The settings that are not computed again when you turn back to them."""
WIDEST: Final = 100
"""The longest range of an option that is drawn whole, not up to the next power of ten."""


class Dial(Track):
    """The range of an option, with its value now and before."""

    framed = True


class Knob:
    """The state of the page.

    Args:
        settings: the players as they are now.
        name: the option to turn; by default the first.
        size: seeds, and games of each.
    """

    def __init__(self, settings: Settings, name: str = "", size: tuple[int, int] = SIZE) -> None:
        self.seed, self.size, self.names = settings.seed, size, [*knobs(settings.x, settings.o)]
        self.name = GREEK.get(name, name) or next(iter(self.names), "alpha")
        self.plan = turning(settings.x, settings.o, self.name, (), *size, POINTS)
        self.shown: Turned | None = None
        self.ghost: Turned | None = None
        """What was on screen before you began to turn."""
        self.trouble = ""
        """Why the players could not be trained."""
        self._known: dict[str, Turned | str] = {}
        """What became of the latest settings, and the trouble with them, by the key of a plan."""
        self._latest = 1
        self._range: tuple[float, float] | None = None
        """The range of the curves so far: an axis that stays shows what moves."""
        self._shown_at = self._turned_at = time.monotonic()

    @property
    def arm(self) -> Arm:
        return self.plan.arms[0]

    @property
    def option(self) -> Option:
        return knob(self.arm.x, self.arm.o, self.name)

    @property
    def is_current(self) -> bool:
        """Whether the current setting is on screen."""
        return self.plan.keys[0] in self._known

    @property
    def _is_one_seed(self) -> bool:
        """Whether the players cannot be compiled, and so one seed has to do."""
        return self.shown is not None and len(self.shown.results.plan.seeds) < self.size[0]

    def value(self, arm: Arm) -> float:
        """Return the option's value of some players."""
        specs = (spec for spec in (arm.x, arm.o) if self.name in knobs(spec))
        found = next(specs).settings[self.name]
        return float(found[1][0] if isinstance(found, tuple) else found)

    def turn(self, by: int) -> str | None:
        """Turn the option by some steps."""
        self._latest = by
        return self.set(self._value(by))

    def _value(self, by: int) -> str:
        """Return the value of the option some steps on."""
        option, value = self.option, self.value(self.arm)
        step = 0.01 if option.high - option.low <= 1 else 0.1
        if isinstance(option, IntegerOption):
            step = max(1, 10 ** (len(f"{value:.0f}") - 2))
        value = min(max(round(value / step + by) * step, option.low), option.high)
        return f"{value:.12g}"

    def _plan(self, text: str) -> Plan:
        """Return the plan of another value of the option."""
        return turning(self.arm.x, self.arm.o, self.name, (text,), *self.size, POINTS)

    def set(self, text: str) -> str | None:
        """Turn the option to a value."""
        self.option.parse(text.strip())
        plan = self._plan(text.strip())
        if (plan.arms[0].x, plan.arms[0].o) == (self.arm.x, self.arm.o):
            return f"{self.name} is {text} already."
        now, before = time.monotonic(), self._turned_at
        if now - before > REST or self.ghost is None:
            self.ghost = self.shown
        self.plan, self.trouble, self._turned_at = plan, "", now
        if (known := self._known.get(plan.keys[0])) is not None:
            self._show(known)
        return None

    def choose(self, by: int) -> None:
        """Turn another option from now on."""
        self.name = self.names[(self.names.index(self.name) + by) % len(self.names)]
        self.ghost = None

    def _work(self) -> Work | None:
        """Return the work on this setting; once it is shown, on those to which a key leads."""
        now, plans = self.plan, [self.plan]
        if self.is_current and self.trouble == "" and not self._is_one_seed:
            plans = [self._plan(self._value(by)) for by in (self._latest, -self._latest)]
        for plan in plans:
            if plan.keys[0] not in self._known:
                return Work(partial(self._play, plan), then=partial(self._take, plan, now))
        return None

    def _play(self, plan: Plan, stop: Callable[[], bool]) -> Turned | str | None:
        now = self.plan

        def is_old() -> bool:
            waits = plan is now and time.monotonic() - self._shown_at > PATIENCE
            return stop() or not (waits or self.plan is now or self.plan.keys == plan.keys)

        try:
            return turn(plan, plan.arms[0], is_old)
        except Stopped:
            return None
        except UsageError as error:
            return sentence(error)

    def _take(self, plan: Plan, now: Plan, found: Turned | str | None) -> None:
        if found is not None:
            if plan.keys == self.plan.keys or (plan is now and not self.is_current):
                self._show(found)
            self._known[plan.keys[0]] = found
            if len(self._known) > KEPT:
                del self._known[next(iter(self._known))]

    def _show(self, found: Turned | str) -> None:
        if isinstance(found, str):
            self.trouble = found
        else:
            self.shown, self._shown_at = found, time.monotonic()
            ends = [y for series in series_of(found) for _, y in series.points]
            self._range = span([*ends, *(self._range or ())])

    # what is shown

    def page(self) -> Page:
        arm, plan = self.arm, self.plan if self.shown is None else self.shown.results.plan
        body = (self._line(), self._curves(), Beside((self._opening(), self._verdicts())))
        settings = Settings(arm.x, arm.o, self.seed)
        return Page(
            "TURN",
            Stack(body),
            title=(("X", player_label(arm.x)), ("O", player_label(arm.o))),
            right=size(len(plan.seeds), plan.games),
            note=self.trouble,
            work=self._work(),
            keys=(
                Key("right l", "turn", lambda: self.turn(1), "turn it up", signs="← →"),
                Key("left h", "turn back", lambda: self.turn(-1), "turn it down", hidden=True),
                Key("down j", "option", lambda: self.choose(1), "the next option", signs="↑ ↓"),
                Key("up k", "option back", lambda: self.choose(-1), "one up", hidden=True),
                Key("equals_sign", "set", self.set, "type it", f"a value: {self.option.range}"),
                Key("enter", "keep", lambda: Leave(settings), "begin a run with these players"),
                BACK,
            ),
        )

    def _line(self) -> Dial:
        option, value = self.option, self.value(self.arm)
        low, high = option.low, option.high
        if high - low > WIDEST:
            high = 10.0 ** max(1, len(f"{abs(value):.0f}"))
            low = max(low, -high if value < 0 else 0.0)
        before = value if self.ghost is None else self.value(self.ghost.results.arm)
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
        plan, series = self.plan, series_of(self.shown) + series_of(self.ghost, is_ghost=True)
        names = {metric.metric.error_label for metric in plan.metrics if metric.metric.against}
        return Curve(
            series=series,
            x_range=(float(plan.points[0]), float(plan.games)),
            log_x=True,
            y_range=self._range,
            title=" and ".join(names) or "wins against random moves",
            right="one seed: not compiled" if self._is_one_seed else "mean over the seeds",
            note=f"Playing {size(*self.size)}…",
            rank=-1,
        )

    def _opening(self) -> Cells:
        values, rule = () if self.shown is None else self.shown.opening, self.arm.x.rule
        scale = HeatScale(values or (0.0,), rule.rewards(self.arm.x.settings))
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
        return Table(
            columns,
            [] if self.shown is None else [*self.shown.beatable],
            self._verdict,
            None,
            heads=False,
            title=f"unbeatable after {short(self.plan.games)} games",
            right="a dot is a seed",
            footer="● unbeatable (proved)  ○ beatable",
        )

    def _verdict(self, side: Side) -> tuple[Cell | Words, ...]:
        shown, was = (() if one is None else one.beatable[side] for one in (self.shown, self.ghost))
        dots = [("○", "faint") if beaten else ("●", "truth") for beaten in shown]
        before = f"before: {len(was) - sum(was)}" if len(was) else ""
        safe = f"{len(shown) - sum(shown)} of {len(shown)}"
        return side.mark, Cell(tuple(dots), ""), safe, before


def series_of(turned: Turned | None, *, is_ghost: bool = False) -> list[Series]:
    """Return the curves of a setting."""
    if turned is None:
        return []
    lines = {
        metric.side.mark: turned.results.curve(metric)
        for metric in turned.results.plan.metrics
        if metric.metric.name != "value"
    }
    return [
        Series(
            list(zip(map(float, line.x), line.y.tolist(), strict=True)),
            (),
            mark.lower(),
            "" if is_ghost else mark,
            f"{mark}, before" if is_ghost else mark,
            is_ghost,
        )
        for mark, line in lines.items()
    ]


def number(value: float) -> str:
    return short_number(f"{value:.6g}")


def open_on(lab: LabController, data: object, text: str) -> Opened:
    name, _, value = text.replace("=", " ").strip().partition(" ")
    page = Knob(lab.session.seated_settings, name)
    if value.strip():
        page.set(value)

    def answered(found: Settings) -> Leave:
        said = f"A new run with {page.name} {number(page.value(page.arm))}."
        if lab.autosave is not None and is_worth_saving(lab.session):
            said += " The previous run is saved."
        return Leave(lab.set_up(found, said))

    return page.page, answered

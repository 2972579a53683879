"""The knob: turn an option with the arrow keys, and see at once what is learned."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import Side
from afterstate_lab.learners.chart_geometry import span
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.plan import size
from afterstate_lab.learners.experiments.run import Stopped
from afterstate_lab.learners.experiments.turn import GREEK, knob, knobs, turn, turning
from afterstate_lab.learners.rules.options import IntegerOption
from afterstate_lab.tui.blocks.block import Beside, Room, Stack
from afterstate_lab.tui.blocks.cells import Cells, CellView
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.number_line import Mark, NumberLine
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.lab.heat import HeatScale
from afterstate_lab.tui.lab.labels import player_label, short_number
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Copy, Work, sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import short
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.learners.experiments.turn import Turned
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.tui.lab.controller import LabController

SEEDS: Final = 20
GAMES: Final = 20_000
PATIENCE: Final = 0.15
"""Seconds without a new picture after which a turn is finished although there is a newer one."""
REST: Final = 0.7
"""Seconds after which the setting on screen is the one that later turns are compared with."""
WIDEST_LINE: Final = 100
"""The longest range of an option that is drawn whole, not up to the next power of ten."""


class Knob:
    """The state of the page.

    Args:
        x: X as it is now.
        o: O as it is now.
        seed: the seed of the run to keep.
        name: the option to turn; by default the first.
        size: seeds, and games of each.
    """

    def __init__(
        self,
        x: PlayerSpec,
        o: PlayerSpec,
        seed: int = 0,
        name: str = "",
        size: tuple[int, int] = (SEEDS, GAMES),
    ) -> None:
        self.seed, self.size, self.names = seed, size, list(knobs(x, o))
        self.name = GREEK.get(name, name) or next(iter(self.names), "alpha")
        if self.name not in self.names:
            knob(x, o, self.name)
            self.names.append(self.name)
        self.plan = turning(x, o, self.name, (), *size)
        self.shown: Turned | None = None
        self.ghost: Turned | None = None
        """What was on screen before you began to turn."""
        self.trouble = ""
        """Why the players could not be trained."""
        self._range: tuple[float, float] | None = None
        """The range of the curves so far: an axis that stays shows what moves."""
        self._shown_at = self._turned_at = time.monotonic()

    @property
    def is_current(self) -> bool:
        """Whether the current setting is on screen."""
        arm = None if self.shown is None else self.shown.results.arm
        return bool(self.trouble) or arm is self.plan.arms[0]

    def value(self, turned: Turned | None = None) -> float:
        """Return the option's value, by default at the current setting."""
        arm = self.plan.arms[0] if turned is None else turned.results.arm
        side, _, name = self.name.rpartition(".")
        specs = [spec for one, spec in (("x", arm.x), ("o", arm.o)) if one in (side or "xo")]
        found = next(spec.settings[name] for spec in specs if name in knobs(spec))
        return float(found[1][0] if isinstance(found, tuple) else found)

    def turn(self, by: int) -> str | None:
        """Turn the option by some steps."""
        option, value = knob(self.plan.arms[0].x, self.plan.arms[0].o, self.name), self.value()
        step = 0.01 if option.high - option.low <= 1 else 0.1
        if isinstance(option, IntegerOption):
            step = max(1, 10 ** (len(f"{value:.0f}") - 2))
        value = min(max(round(value / step + by) * step, option.low), option.high)
        return self.set(f"{value:.12g}")

    def set(self, text: str) -> str | None:
        """Turn the option to a value."""
        x, o = self.plan.arms[0].x, self.plan.arms[0].o
        knob(x, o, self.name).parse(text.strip())
        plan = turning(x, o, self.name, (text.strip(),), *self.size)
        arm = plan.arms[0]
        if (arm.x, arm.o) == (x, o):
            return f"{self.name} is {text} already."
        now, before = time.monotonic(), self._turned_at
        if now - before > REST or self.ghost is None:
            self.ghost = self.shown
        self.plan, self.trouble, self._turned_at = plan, "", now
        return None

    def choose(self, by: int) -> None:
        """Turn another option from now on."""
        self.name = self.names[(self.names.index(self.name) + by) % len(self.names)]
        self.ghost = None

    def _play(self, stop: Callable[[], bool]) -> Turned | str | None:
        plan = self.plan

        def is_old() -> bool:
            waits = time.monotonic() - self._shown_at > PATIENCE
            return stop() or (self.plan is not plan and not waits)

        try:
            return turn(plan, plan.arms[0], is_old, is_quick=True)
        except Stopped:
            return None
        except UsageError as error:
            return sentence(error)

    def _take(self, found: Turned | str | None) -> None:
        if isinstance(found, str):
            self.trouble = found
        elif found is not None:
            self.shown, self._shown_at = found, time.monotonic()
            ends = [y for series in self._series(found) for _, y in series.points]
            self._range = span([*ends, *(self._range or ())])

    # what is shown

    def page(self) -> Page:
        arm = self.plan.arms[0]
        plan = self.plan if self.shown is None else self.shown.results.plan
        body = (self._line(), self._curves(), Beside((self._opening(), self._verdicts())))
        return Page(
            "TURN", Stack(body), keys=self._keys(),
            title=(("X", player_label(arm.x)), ("O", player_label(arm.o))),
            right=size(len(plan.seeds), plan.games),
            note=self.trouble, work=None if self.is_current else Work(self._play, then=self._take),
        )  # fmt: skip

    def _keys(self) -> tuple[Key, ...]:
        arm = self.plan.arms[0]
        option = knob(arm.x, arm.o, self.name)
        return (
            Key("right l", "turn", lambda: self.turn(1), "turn it up", signs="← →"),
            Key("left h", "turn back", lambda: self.turn(-1), "turn it down", hidden=True),
            Key("pageup", "far", lambda: self.turn(10), "ten steps up", hidden=True),
            Key("pagedown", "far back", lambda: self.turn(-10), "ten steps down", hidden=True),
            Key("down j", "option", lambda: self.choose(1), "turn the next option", signs="↑ ↓"),
            Key("up k", "option back", lambda: self.choose(-1), "turn the previous option",
                hidden=True),
            Key("equals_sign", "set", self.set, "type its value", f"a value: {option.range}"),
            Key("enter", "keep", lambda: Leave(Settings(arm.x, arm.o, self.seed)),
                "begin a run with these players"),
            Key("Y", "command", self._command, "copy the command for a range", hidden=True),
            BACK,
        )  # fmt: skip

    def _command(self) -> Copy:
        arm, value = self.plan.arms[0], self.value()
        words = ["afterstate", "turn", f"{self.name}={value:g}:{value:g}:1"]
        return Copy(shlex.join([*words, "--x", str(arm.x), "--o", str(arm.o)]))

    def _line(self) -> NumberLine:
        arm = self.plan.arms[0]
        option, value = knob(arm.x, arm.o, self.name), self.value()
        low, high = option.low, option.high
        if high - low > WIDEST_LINE:
            high = 10.0 ** max(1, len(f"{abs(value):.0f}"))
            low = max(low, -high if value < 0 else 0.0)
        marks = [Mark(value, number(value), "key", "●")]
        right: Words = ""
        if self.ghost is not None and self.value(self.ghost) != value:
            before = self.value(self.ghost)
            marks.insert(0, Mark(before, "", "dim", "○"))
            right = f"before: {number(before)}"
        return NumberLine(
            marks=tuple(marks), scale=(low, high), right=right,
            title=((f"{self.name} {number(value)}", "key"),), footer=option.help, height=Room(4, 4),
        )  # fmt: skip

    def _series(self, turned: Turned, *, is_ghost: bool = False) -> list[Series]:
        plan = turned.results.plan
        found = []
        for metric in (metric for metric in plan.metrics if metric.metric.name != "value"):
            mean = turned.results.curve(metric).mean.tolist()
            mark = metric.side.mark
            points = [(float(x), y) for x, y in zip(plan.points, mean, strict=True)]
            found.append(
                Series(points, role=mark.lower(), label="" if is_ghost else mark,
                       name=f"{mark}{', before' * is_ghost}", dim=is_ghost)
            )  # fmt: skip
        return found

    def _curves(self) -> Curve:
        plan = self.plan
        names = {metric.metric.error_label for metric in plan.metrics if metric.metric.against}
        series = [] if self.shown is None else self._series(self.shown)
        if self.ghost is not None:
            series += self._series(self.ghost, is_ghost=True)
        is_one = self.shown is not None and len(self.shown.results.plan.seeds) == 1
        return Curve(
            series=series, x_range=(float(plan.points[0]), float(plan.games)), y_range=self._range,
            log_x=True, title=" and ".join(names) or "games won",
            right="one seed: not compiled" if is_one else "mean over the seeds",
            note=f"Playing {size(*self.size)}…", rank=-1,
        )  # fmt: skip

    def _opening(self) -> Cells:
        values = () if self.shown is None else self.shown.opening
        spec = self.plan.arms[0].x
        scale = HeatScale(values, spec.rule.rewards(spec.settings)) if values else None
        cells = [
            CellView(value=v, heat=scale.heat(v) if scale else None, best=v == max(values))
            for v in values
        ]
        return Cells(
            cells=cells or [CellView()] * 9, title="the opening",
            right="what X expects" if spec.rule.estimates else "beads of X",
            width=Room(31, 31), least_columns=31, height=Room(7, 13, 0.3),
        )  # fmt: skip

    def _verdicts(self) -> Table:
        columns = (
            Column("", 1, role="strong"), Column("", self.size[0], 2, say=""),
            Column("", 8, say="{} are unbeatable"), Column("", 10, 1, role="dim"),
        )  # fmt: skip
        shown = (None, None) if self.shown is None else self.shown.beatable
        sides = [side for side in Side if shown[side] is not None]
        return Table(
            columns, sides, self._verdict, None, heads=False,
            message="" if sides else "Which of them are unbeatable is proved after the games.",
            title=f"unbeatable after {short(self.plan.games)} games", right="a dot is a seed",
            footer="● unbeatable (proved)  ○ beatable",
        )  # fmt: skip

    def _verdict(self, side: Side) -> tuple[Cell | Words, ...]:
        found = None if self.shown is None else self.shown.beatable[side]
        before = None if self.ghost is None else self.ghost.beatable[side]
        assert found is not None
        dots = [("●" if not beaten else "○", "faint" if beaten else "truth") for beaten in found]
        safe, of = len(found) - int(found.sum()), len(found)
        was = "" if before is None else f"before: {len(before) - int(before.sum())}"
        return side.mark, Cell(tuple(dots), ""), f"{safe} of {of}", was


def number(value: float) -> str:
    return short_number(f"{value:.6g}")


def open_on(lab: LabController, data: object, text: str) -> Opened:
    settings = lab.session.seated_settings
    name, _, value = text.replace("=", " ").strip().partition(" ")
    page = Knob(settings.x, settings.o, settings.seed, name)
    if value.strip():
        page.set(value)
    return page.page, lab.set_up

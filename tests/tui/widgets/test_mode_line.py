"""The mode line: what is said of the line to the terminal stands at its right end."""

from __future__ import annotations

from textual.app import App, ComposeResult

from tui.views.lab import ModeView
from tui.widgets.mode_line import ModeLine

WATCHING = ModeView("WATCH", "td", "td", (("game", "1/1"), ("ply", "0")), status="▶ 2/s")


class OneLine(App[None]):
    """A mode line and nothing else."""

    def compose(self) -> ComposeResult:
        yield ModeLine(WATCHING)


def text(line: ModeLine) -> str:
    return line.render_line(0).text


async def test_a_slow_line_and_the_meter_stand_behind_the_status():
    async with OneLine().run_test(size=(120, 1)) as pilot:
        line = pilot.app.query_one(ModeLine)
        line.slow, line.meter = "slow line, 1 picture/s", "▲  2.0 kB/s   .7 kB"
        await pilot.pause()
        assert text(line).endswith("▶ 2/s  slow line, 1 picture/s  ▲  2.0 kB/s   .7 kB ")
        line.slow = line.meter = ""
        await pilot.pause()
        assert text(line).endswith("▶ 2/s ")


async def test_new_figures_of_the_meter_alone_are_no_news():
    async with OneLine().run_test(size=(120, 1)) as pilot:
        line = pilot.app.query_one(ModeLine)
        line.has_news = False
        line.meter = "▲  2.0 kB/s   .7 kB"
        assert not line.has_news
        line.slow = "slow line, 1 picture/s"
        assert line.has_news


async def test_a_narrow_line_keeps_the_mode_and_what_is_said_of_the_line():
    async with OneLine().run_test(size=(60, 1)) as pilot:
        line = pilot.app.query_one(ModeLine)
        line.slow, line.meter = "slow line, 1 picture/s", "▲  2.0 kB/s   .7 kB"
        await pilot.pause()
        assert "WATCH" in text(line)
        assert text(line).endswith("slow line, 1 picture/s  ▲  2.0 kB/s   .7 kB ")

"""A pane sends the terminal what changed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from rich.segment import Segment
from textual._compositor import ChopsUpdate
from textual.app import App, ComposeResult
from textual.geometry import Region

from tui.theme.look import BARE, Line
from tui.theme.palette import DARK
from tui.widgets.pane import Pane
from tui.widgets.strip import PaneStrip


@dataclass(frozen=True)
class Numbers:
    """Something to show."""

    values: tuple[str, ...]
    title: str = "stats"
    right: str = ""
    focused: bool = False


class NumbersPane(Pane[Numbers]):
    """A number at the end of each line, and a note of every refresh."""

    def __init__(self, view: Numbers | None = None) -> None:
        super().__init__(view)
        self.refreshed: list[Region] = []

    def lines(self, view: Numbers, columns: int, rows: int) -> Sequence[Line]:
        body = [self.look.line(f"{'value':<20}{value}") for value in view.values]
        return self.framed(view, columns, rows, body)

    def refresh(self, *regions: Region, **options: bool) -> NumbersPane:
        self.refreshed += regions
        return super().refresh(*regions, **options)

    @property
    def text(self) -> str:
        return "\n".join(self.render_line(row).text for row in range(self.size.height))


class PaneApp(App[None]):
    """A pane and nothing else."""

    def compose(self) -> ComposeResult:
        yield NumbersPane(Numbers((".500", ".924")))


def sent_for(app: PaneApp, pane: NumbersPane) -> str:
    """What Textual's compositor writes for the pane's refreshes."""
    compositor = app.screen._compositor
    compositor.update_widgets({pane})
    update = compositor.render_update()
    assert isinstance(update, ChopsUpdate)
    return update.render_segments(app.console)


@pytest.fixture
def app() -> PaneApp:
    return PaneApp()


async def test_a_pane_is_its_lines_and_covers_its_size(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)):
        pane = app.query_one(NumbersPane)
        assert pane.text.splitlines()[0] == "╭─ stats ──────────────────────────────╮"
        assert pane.text.splitlines()[2] == "│ value               .924             │"
        assert all(pane.render_line(row).cell_length == 40 for row in range(6))


async def test_only_the_changed_cells_are_refreshed(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        pane.refreshed.clear()
        pane.view = Numbers((".500", ".931"))
        assert pane.refreshed == [Region(24, 2, 2, 1)]


async def test_an_equal_view_refreshes_nothing(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        pane.refreshed.clear()
        pane.view = Numbers((".500", ".924"), focused=False)
        assert pane.refreshed == []


async def test_a_title_costs_only_its_own_cells(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        pane.refreshed.clear()
        pane.view = Numbers((".500", ".924"), title="state")
        assert pane.refreshed == [Region(7, 0, 1, 1)]


async def test_one_changed_number_costs_less_than_sixty_bytes(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        pane.refreshed.clear()
        pane.view = Numbers((".500", ".931"))
        sent = sent_for(app, pane)
        assert "31" in sent
        assert "value" not in sent
        assert len(sent.encode()) < 60


async def test_changes_that_were_not_sent_yet_are_sent_with_the_next(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        pane.refreshed.clear()
        pane.view = Numbers((".500", ".994"))
        pane.view = Numbers((".500", ".995"))
        sent = sent_for(app, pane)
        assert "95" in sent


async def test_a_resized_pane_draws_its_lines_anew(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.resize_terminal(50, 4)
        pane = app.query_one(NumbersPane)
        assert pane.text.splitlines()[3] == "╰" + "─" * 48 + "╯"


async def test_a_new_look_reaches_every_cell(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        pane.look = BARE
        await pilot.pause()
        assert pane.text.isascii()
        styles = [segment.style for row in range(6) for segment in pane.render_line(row)]
        assert all(not style or (style.color is None and style.bgcolor is None) for style in styles)


async def test_a_pane_without_a_view_is_empty_ground(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)):
        pane = app.query_one(NumbersPane)
        pane.view = None
        assert pane.text.strip() == ""


async def test_a_view_set_before_mounting_is_shown() -> None:
    class Early(App[None]):
        def compose(self) -> ComposeResult:
            pane = NumbersPane()
            pane.view = replace(Numbers((".1",)), title="early")
            yield pane

    app = Early()
    async with app.run_test(size=(40, 6)):
        assert "early" in app.query_one(NumbersPane).text


def strip(*pending: tuple[int, int]) -> PaneStrip:
    return PaneStrip([Segment("0123456789", DARK.text)], 10, list(pending))


def test_a_strip_jumps_to_what_is_pending() -> None:
    assert [segment.text for segment in strip((4, 6), (8, 9)).crop(0, 9)] == [
        "\x1b[4C",
        "45",
        "\x1b[2C",
        "8",
    ]


def test_a_strip_cropped_for_any_other_reason_is_whole() -> None:
    changed = strip((4, 6))
    assert changed.crop(0, 7).text == "0123456"
    assert changed.crop(2, 6).text == "2345"
    assert changed.whole(0, 6).text == "012345"


def test_what_was_sent_is_pending_no_more() -> None:
    changed = strip((4, 6))
    changed.crop(0, 6)
    assert changed.crop(0, 6).text == "012345"

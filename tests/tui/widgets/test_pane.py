"""A pane repaints the rows that changed, and the terminal is sent only their changed cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from textual._compositor import CompositorUpdate
from textual.app import App, ComposeResult
from textual.geometry import Region

from afterstate_lab.tui.blocks.span import Line
from afterstate_lab.tui.terminal.picture import PictureStream
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE
from afterstate_lab.tui.theme.look import BARE, DEFAULT, Look
from afterstate_lab.tui.theme.palette import DARK
from afterstate_lab.tui.widgets.pane import Pane, pen_of, strip_of


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
        body = [self.pen.line(f"{'value':<20}{value}") for value in view.values]
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


class Sent:
    """What the terminal is sent for the pane's refreshes."""

    def __init__(self, app: PaneApp, pane: NumbersPane) -> None:
        self._app, self._pane = app, pane
        self._stream = PictureStream(*app.size)
        self._rewritten(app.screen._compositor.render_update(full=True))
        pane.refreshed.clear()

    def update(self) -> str:
        compositor = self._app.screen._compositor
        compositor.update_widgets({self._pane})
        return self._rewritten(compositor.render_update())

    def _rewritten(self, update: object) -> str:
        assert isinstance(update, CompositorUpdate)
        return self._stream.rewrite(update.render_segments(self._app.console))


@pytest.fixture
def app() -> PaneApp:
    return PaneApp()


async def test_a_pane_is_its_lines_and_covers_its_size(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)):
        pane = app.query_one(NumbersPane)
        assert pane.text.splitlines()[0] == "╭─ stats ──────────────────────────────╮"
        assert pane.text.splitlines()[2] == "│ value               .924             │"
        assert all(pane.render_line(row).cell_length == 40 for row in range(6))


async def test_only_the_changed_rows_are_refreshed(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        pane.refreshed.clear()
        pane.view = Numbers((".500", ".931"))
        assert pane.refreshed == [Region(0, 2, 40, 1)]


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
        sent = Sent(app, pane)
        pane.view = Numbers((".500", ".924"), title="state")
        assert pane.refreshed == [Region(0, 0, 40, 1)]
        assert re.fullmatch(r"\x1b\[1;8H(\x1b\[[0-9;]*m)?e", sent.update())


async def test_one_changed_number_costs_less_than_sixty_bytes(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        update = Sent(app, pane)
        pane.view = Numbers((".500", ".931"))
        sent = update.update()
        assert "31" in sent
        assert "value" not in sent
        assert len(sent.encode()) < 60


async def test_changes_that_were_not_sent_yet_are_sent_with_the_next(app: PaneApp) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        await pilot.pause()
        sent = Sent(app, pane)
        pane.view = Numbers((".500", ".994"))
        pane.view = Numbers((".500", ".995"))
        assert "95" in sent.update()


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


async def test_a_view_set_while_the_pane_is_hidden_is_shown_when_it_is_seen_again(
    app: PaneApp,
) -> None:
    async with app.run_test(size=(40, 6)) as pilot:
        pane = app.query_one(NumbersPane)
        pane.display = False
        await pilot.pause()
        pane.view = Numbers((".500", ".931"))
        pane.display = True
        await pilot.pause()
        assert ".931" in pane.text


def test_control_and_wide_characters_never_reach_the_terminal() -> None:
    line: Line = (("a\x1b[2Jb\x07日", "text"),)
    assert strip_of(line, 9, DEFAULT).text == "a·[2Jb·· "


def test_the_ascii_set_yields_only_ascii_cells() -> None:
    assert DEFAULT.glyphs is UNICODE
    assert strip_of(pen_of(DEFAULT).line("╭δ→Sₜ日★é"), 12, Look(DARK, ASCII)).text.isascii()

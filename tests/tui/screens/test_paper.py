"""The paper of a page: what is painted, and what of it is sent."""

from textual.app import App, ComposeResult

from afterstate_lab.tui.blocks.span import Line
from afterstate_lab.tui.screens.paper import Paper, pen_of, strip_of
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE
from afterstate_lab.tui.theme.look import DEFAULT, Look
from afterstate_lab.tui.theme.palette import DARK


class PaperApp(App[None]):
    """Paper and nothing else."""

    DEFAULT_CSS = "Paper { width: 100%; height: 100%; }"

    def compose(self) -> ComposeResult:
        yield Paper()

    def show(self, *texts: str) -> None:
        pen = pen_of(DEFAULT)
        self.query_one(Paper).show([pen.line(text) for text in texts], DEFAULT)


async def test_every_row_is_as_wide_as_the_terminal() -> None:
    app = PaperApp()
    async with app.run_test(size=(40, 6)) as pilot:
        app.show("one", "x" * 60)
        await pilot.resize_terminal(50, 8)
        await pilot.pause()
        paper = app.query_one(Paper)
        assert [paper.render_line(row).cell_length for row in range(8)] == [50] * 8


def test_control_and_wide_characters_never_reach_the_terminal() -> None:
    line: Line = (("a\x1b[2Jb\x07日", "text"),)
    assert strip_of(line, 9, DEFAULT).text == "a·[2Jb·· "


def test_the_ascii_set_yields_only_ascii_cells() -> None:
    assert DEFAULT.glyphs is UNICODE
    assert strip_of(pen_of(DEFAULT).line("╭δ→Sₜ日★é"), 12, Look(DARK, ASCII)).text.isascii()

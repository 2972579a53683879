"""A click says what was clicked."""

from __future__ import annotations

from textual.app import App, ComposeResult

from tui.views.lab import BoardView, CellView, KeysView, LogView
from tui.widgets.board_pane import BoardPane
from tui.widgets.log_pane import LogPane
from tui.widgets.mode_line import KeyBar


class Clicks(App[None]):
    """Three panes and what was heard from them."""

    CSS = "BoardPane { height: 13; width: 28; } LogPane { height: 6; }"

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield BoardPane(BoardView((CellView(value=0.5),) * 9))
        yield LogPane(LogView(("a", "b", "c")))
        yield KeyBar(KeysView((("space", "pause"), ("?", "help"))))

    def on_board_pane_cell_clicked(self, event: BoardPane.CellClicked) -> None:
        self.heard.append(event.cell)

    def on_log_pane_line_clicked(self, event: LogPane.LineClicked) -> None:
        self.heard.append(event.number)

    def on_key_bar_key_chosen(self, event: KeyBar.KeyChosen) -> None:
        self.heard.append(event.key)


async def test_clicks_name_the_cell_the_line_and_the_key() -> None:
    app = Clicks()
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.click(BoardPane, offset=(2, 2))
        await pilot.click(BoardPane, offset=(14, 6))
        await pilot.click(BoardPane, offset=(25, 10))
        await pilot.click(LogPane, offset=(3, 2))
        await pilot.click(KeyBar, offset=(3, 0))
        await pilot.click(KeyBar, offset=(17, 0))
        await pilot.pause()
    assert app.heard == [0, 4, 8, 1, "space", "?"]


async def test_clicks_beside_everything_are_silent() -> None:
    app = Clicks()
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.click(BoardPane, offset=(0, 0))
        await pilot.click(LogPane, offset=(3, 5))
        await pilot.click(KeyBar, offset=(40, 0))
        await pilot.pause()
    assert app.heard == []


async def test_a_row_of_a_wrapped_sentence_is_of_that_line() -> None:
    app = Clicks()
    async with app.run_test(size=(20, 24)) as pilot:
        sentence = (("a sentence that needs two rows", "text"),)
        app.query_one(LogPane).view = LogView(("a", sentence, "c"))
        for row in (1, 2, 3, 4):
            await pilot.click(LogPane, offset=(3, row))
        await pilot.pause()
    assert app.heard == [0, 1, 1, 2]

"""The palette of commands, with its list gone or not there yet."""

from __future__ import annotations

from collections.abc import Callable

from piloting import Desk, desk_of
from textual.command import CommandList
from textual.widgets import Input

from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.palette import LabFinder, LabPalette, on_board, on_cell, typed_line


async def test_a_key_without_a_list_and_an_action_without_widgets_do_nothing(desk: Desk):
    for key in ("down", "enter", "x"):
        await desk.finish("colon")
        palette = desk.screen
        assert isinstance(palette, LabPalette)
        await palette.query(CommandList).remove()
        assert not palette.query_one(Input).cursor_blink, "nothing is written at rest"
        palette.query_one(Input).focus()
        await desk.finish(key)
        assert not isinstance(desk.screen, LabPalette) or desk.screen is palette
        await desk.go_home()
    with desk.app._context():
        palette = LabPalette()
        palette._action_cursor_down()
        for name in ("cursor_up", "page_down"):
            palette._action_command_list(name)
        assert palette.query_one(CommandList).option_count == 0


FOUND = {
    "s": {"greatest lives": "", "backups that made": "why (r)"},
    "p": {
        "undo": "undo (←)", "parameter study": "experiment A parameter study",
        "two-agents": "recipe two-agents", "root mean square": "what is rms",
        "menace as O": "choose learner menace as O",
        "winblock as X": "choose opponent winblock as X", "tour": "lesson ",
        "dark": "theme (d)", "breakpoint": "break (b)",
    },
}  # fmt: skip
"""What is typed, and how what it finds begins; nothing where no command has these words."""


def commands(desk: Desk) -> dict[str, Callable[[], None]]:
    """What the palette offers on the screen in front, by title."""
    return {one.title: one.callback for one in desk.app.get_system_commands(desk.screen)}


async def do(desk: Desk, title: str) -> None:
    """Choose the first command whose title begins so."""
    next(call for name, call in commands(desk).items() if name.startswith(title))()
    await desk.pilot.pause()


async def found(desk: Desk, typed: str) -> list[str]:
    """The titles that the palette, which is open, offers for a text, best first."""
    hits = [hit async for hit in LabFinder(desk.app.screen_stack[-2]).search(typed)]
    return [hit.text for hit in sorted(hits, key=lambda hit: -hit.score)]


@desk_of(games=3)
async def test_everything_is_found_by_what_it_is_and_opened(desk: Desk):
    for mode, words in FOUND.items():
        await desk.press(mode)
        titles = list(commands(desk))
        for typed, title in words.items():
            known = [one for one in titles if typed in one]
            assert any(one.startswith(title) for one in known) == bool(title), typed
    await do(desk, "what is rms:")
    assert type(desk.screen).__name__ == "ExplainScreen"
    await desk.press("Esc")
    await do(desk, "experiment Symmetries")
    assert desk.state.plan.title == "Symmetries"


@desk_of(o="menace", games=3)
async def test_a_board_a_cell_and_a_word_in_full_come_first(desk: Desk):
    await desk.press("s colon")
    first = {
        "xo..x....": "board XO..X....: its values, visits and exact values",
        "cell 5": "cell 5: mark it in your game", "rms": "what is rms:",
        "setup": "setup: choose players",
        "menace": "choose learner menace as O",
    }  # fmt: skip
    for typed, title in first.items():
        assert (await found(desk, typed))[0].startswith(title)
    assert not any("board XX" in title for title in await found(desk, "XX......."))
    assert "board X........: its matchbox" in await found(desk, "X........")
    fork = "cell 5: play it here instead, in a new branch"
    assert fork in await found(desk, "cell 5")


@desk_of(games=3)
async def test_a_board_is_shown_in_its_players_table_and_a_cell_marked_or_forked(desk: Desk):
    for board, side in (("X........", "X"), ("XO..X.O..", "O")):
        (shown,) = on_board(desk.app.screen_stack[0], board)
        shown.callback()
        await desk.pilot.pause()
        table = desk.state
        assert (table.side.mark, table.filter_text, len(table.order)) == (side, board, 1)
        await desk.press("Esc")
    await desk.press("s home")
    run = desk.session.run
    mark, fork = on_cell(desk.app.screen_stack[0], "3")
    fork.callback()
    await desk.pilot.pause()
    assert desk.session.run is not run
    assert str(desk.session.board) == "..X......"
    mark.callback()
    await desk.pilot.pause()
    assert (desk.session.mode, str(desk.session.board)[2]) == (Mode.PLAY, "X")


@desk_of(games=3)
async def test_over_a_list_the_palette_has_what_the_list_and_the_lab_can_do(desk: Desk):
    await desk.press("v colon")
    here = await found(desk, "sort the other way round")
    assert here[0] == "reverse (U): sort the other way round"
    await desk.press("Esc")
    rows = desk.state
    first = rows.order[0]
    await do(desk, here[0])
    assert rows.order[-1] == first
    await do(desk, "step (s)")
    assert desk.app.screen_stack == [desk.screen]
    assert desk.session.mode.value == "step"


async def test_a_line_in_words_does_what_it_says_in_this_tab_or_another(desk: Desk):
    await desk.press("} } s")
    lab = desk.app.screen_stack[0]
    for typed, game in (("go 1.3", 0), ("go 2", 1), ("break flip", 1)):
        (line,) = typed_line(lab, typed)
        line.callback()
        assert desk.session.timeline.game == game
    assert desk.session.breakpoint == "flip"
    (line,) = typed_line(lab, "undo")
    line.callback()
    assert desk.session.mode is Mode.PLAY
    assert not list(typed_line(lab, "nonsense 3"))

"""The palette: everything is found by what it is, and done."""

from __future__ import annotations

from typing import Any

from piloting import Desk, desk_of

from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.explain import Explain
from afterstate_lab.tui.pages.palette import Palette

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


async def found(desk: Desk, typed: str) -> list[str]:
    """The titles that the palette offers for a text, best first."""
    if not isinstance(desk.state, Palette):
        await desk.press("colon")
    desk.state.type(typed)
    return [entry.title for entry in desk.state.found]


async def do(desk: Desk, typed: str, which: int = 0) -> None:
    """Do what the palette offers for a text."""
    await found(desk, typed)
    desk.state.at.cursor = which
    await desk.finish("Enter")


@desk_of(games=3)
async def test_everything_is_found_by_what_it_is_and_opened(desk: Desk):
    for mode, words in FOUND.items():
        await desk.press(mode)
        titles = await found(desk, "")
        await desk.press("Esc")
        for typed, title in words.items():
            known = [one for one in titles if typed in one]
            assert any(one.startswith(title) for one in known) == bool(title), typed
    await do(desk, "rms")
    assert isinstance(desk.state, Explain)
    await desk.press("Esc")
    await do(desk, "experiment Symmetries")
    assert desk.state.plan.title == "Symmetries"
    await do(desk, "no such words at all")
    assert isinstance(desk.state, Palette)


@desk_of(o="menace", games=3)
async def test_a_board_a_cell_and_a_word_in_full_come_first(desk: Desk):
    await desk.press("s")
    first = {
        "xo..x....": "board XO..X....: its values, visits and exact values",
        "cell 5": "cell 5: mark it in your game", "rms": "what is rms:",
        "setup": "setup (o): choose players",
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
        await do(desk, board)
        table = desk.state
        assert (table.side.mark, table.filter_text, len(table.order)) == (side, board, 1)
        await desk.press("Esc")
    await desk.press("s home")
    run = desk.session.run
    await do(desk, "3", which=1)
    assert desk.session.run is not run
    assert str(desk.session.board) == "..X......"
    await do(desk, "cell 3")
    assert (desk.session.mode, str(desk.session.board)[2]) == (Mode.PLAY, "X")


@desk_of(games=3)
async def test_over_a_page_the_palette_has_what_the_page_and_the_lab_can_do(desk: Desk):
    await desk.press("v")
    rows: Any = desk.state
    first = rows.order[0]
    assert (await found(desk, "sort in reverse order"))[0].startswith("reverse (U): sort in")
    await do(desk, "sort in reverse order")
    assert desk.state is rows
    assert rows.order[-1] == first
    await do(desk, "step through what is learned")
    assert desk.in_lab
    assert desk.session.mode.value == "step"


async def test_a_line_in_words_does_what_it_says_in_this_tab_or_another(desk: Desk):
    await desk.press("} } s")
    for typed, game in (("go 1.3", 0), ("go 2", 1), ("break flip", 1)):
        await do(desk, typed)
        assert desk.session.timeline.game == game
    assert desk.session.breakpoint == "flip"
    await do(desk, "undo")
    assert desk.session.mode is Mode.PLAY
    assert not any("nonsense" in title for title in await found(desk, "nonsense 3"))

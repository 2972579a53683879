"""What is typed at the lab leads to the same place, however the line puts it in packets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from piloting import Desk, desk_of, settled
from textual.widgets import Input

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.app import Afterstate
from afterstate_lab.tui.lab.session import Settings
from afterstate_lab.tui.terminal.driver import TerminalInput

EDIT = st.lists(st.sampled_from(["5", "0", "1", "\x7f"]), max_size=6).map("".join)
STROKES = st.one_of(
    st.sampled_from([".", "s", "]", "[", "?q", "+", "\x1b[C", ":why\x7f", "vqs"]),
    st.builds("g{}\r".format, EDIT),
    st.builds("oq:{}\t{}\r".format, EDIT, EDIT),
    st.builds("b{}\r".format, EDIT),
)
LAST = st.builds("t{}{}\r".format, st.sampled_from("123"), EDIT.map(lambda edit: edit[:3]))
"""Trains last: what is typed during a training depends on how fast that is."""


async def place_after(typed: str, sizes: list[int]) -> tuple[object, ...]:
    """Where a line leads that arrives in packets of these sizes, and then all at once."""
    app = Afterstate(Settings(parse_player("td"), parse_player("td"), 7))
    async with app.run_test(size=(80, 24)) as pilot:
        reader = TerminalInput(app.post_message)
        for size in [*sizes, len(typed)]:
            reader.feed(typed[:size].encode())
            typed = typed[size:]
            await settled(pilot)
        fields = [field.value for field in app.screen.query(Input)]
        names = [sheet.page.name for sheet in app.lab_screen.sheets if sheet.page]
        session = app.session
        return names, fields, session.mode, session.run.games, session.board, session.breakpoint


@desk_of(games=3)
async def test_a_click_comes_before_a_later_key_of_its_packet(desk: Desk):
    await desk.press("v")
    at = desk.state.list
    y = next(y for y, line in enumerate(desk.text.split("\n")) if line[1:3] == " X")
    click = f"\x1b[<0;4;{y + 3}M\x1b[<0;4;{y + 3}m"
    await desk.feed(click)
    clicked = at.cursor
    assert clicked > 0
    await desk.feed("\x1b[H" + click + "\x1b[B")
    assert at.cursor == clicked + 1


@pytest.mark.slow
@settings(max_examples=max(3, settings().max_examples // 3))
@given(st.lists(STROKES, min_size=1, max_size=3), LAST, st.lists(st.integers(1, 6), max_size=9))
async def test_packets_do_not_matter(strokes: list[str], last: str, sizes: list[int]):
    typed = "".join(strokes) + last
    assert await place_after(typed, sizes) == await place_after(typed, [1] * len(typed))

"""Terminals of every size, changed in the middle of everything: nothing fails, no number is cut."""

import re

import pytest
from piloting import Desk, at
from textual.events import Resize
from textual.geometry import Size

from afterstate_lab.tui.blocks.block import Place, pasted
from afterstate_lab.tui.screens.paper import pen_of
from afterstate_lab.tui.theme.palette import Look

SIZES = [(80, 24), (120, 40), (200, 60)]
SMALL = [(1, 1), (300, 1), (59, 60)]
NUMBER = re.compile(r"[\d.,]*\d[\d.,]*")
MORE = re.compile(r"\d+ more")
SHARE = re.compile(r"[\d.,]*\d%")
"""What narrow panes show where wide ones have counts."""


def numbers(
    place: Place, columns: int, rows: int, look: Look, but: re.Pattern[str] = MORE
) -> set[str]:
    lines = pasted([Place(place.block, 0, 0, columns, rows)], rows, pen_of(look))
    text = "\n".join("".join(piece for piece, _ in line) for line in lines)
    return set(NUMBER.findall(but.sub("", MORE.sub("", text))))


def cut_numbers(desk: Desk) -> list[tuple[str, set[str]]]:
    """The blocks that are seen, and what of their numbers is a part of another one."""
    found, look = [], desk.screen.look
    for place in desk.screen.places:
        whole = numbers(place, 400, 100, look)
        cut = numbers(place, place.columns, place.rows, look, SHARE) - whole
        if cut := {n for n in cut if is_cut(n, whole)}:
            found.append((type(place.block).__name__, cut))
    return found


def is_cut(number: str, whole: set[str]) -> bool:
    """Whether a number is a part of others and a rounding of none."""
    others = [other for other in whole if number in other]
    return bool(others) and all(rounded(other, number) != number for other in others)


def rounded(number: str, like: str) -> str:
    """A number with as many decimals as another one has."""
    try:
        text = f"{float(number.replace(',', '')):.{len(like.partition('.')[2])}f}"
    except ValueError:
        return number
    return text.removeprefix("0") if like.startswith(".") else text


@pytest.mark.quick("td-places0")
@pytest.mark.parametrize(
    ("players", "places"),
    [
        ("td", ["v"]),
        ("td", ["w", "p 5 h h h", "E Enter", "s [", "s [ r", "Q Enter", "o", "R",
                "p 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 Enter"]),
        ("menace", ["s [ [", "s O"]),
        ("double-q", ["s [ ["]),
        ("tdlambda", ["s [ ["]),
    ],
)  # fmt: skip
async def test_no_screen_cuts_a_number_at_any_size(lab, players: str, places: list[str]):
    async with at(lab(players, players), (120, 40)) as desk:
        await desk.ask("t", "60")
        for keys in places:
            await desk.finish(keys)
            for size in SIZES:
                await desk.resize(size)
                assert cut_numbers(desk) == [], (keys, size)
                await desk.finish("Z")
                assert cut_numbers(desk) == [], (keys, size)
                await desk.press("Esc")
            await desk.go_home()


@pytest.mark.slow
@pytest.mark.parametrize("places", [["space", "s"], ["w", "p 5", "v", "t", "E", "o"]])
async def test_a_terminal_may_change_in_the_middle_of_anything(desk: Desk, places: list[str]):
    await desk.press(".")
    for keys in places:
        await desk.press(keys)
        for size in (*SMALL, (200, 60), *SMALL, (80, 24)):
            await desk.pilot.resize_terminal(*size)
            await desk.press("↓ z")
        await desk.pilot.pause()
        assert desk.app.is_running
        assert desk.app.size == (80, 24)
        await desk.go_home()


async def test_a_question_and_the_palette_follow_the_size_and_no_old_one(
    desk: Desk,
):
    screen = desk.screen
    for key in ("t", "colon"):
        await desk.press(key)
        await desk.resize((2, 30), (40, 12))
        assert not screen.places
        await desk.resize((100, 30))
        assert screen.places
        assert screen.paper.lines[29].text.strip()
        assert {screen.paper.render_line(y).cell_length for y in range(30)} == {100}
        await desk.go_home()
    await desk.press("t")
    screen.post_message(Resize(Size(90, 20), Size(90, 20)))
    await desk.pilot.pause()
    assert screen.outer_size == (80, 24)

"""Terminals of every size, changed in the middle of everything: nothing fails, no number is cut."""

from __future__ import annotations

import re

import pytest
from piloting import answer, page_screen, settled
from textual.pilot import Pilot

from afterstate_lab.tui.blocks.block import Place, pasted
from afterstate_lab.tui.screens.paper import pen_of
from afterstate_lab.tui.theme.look import Look

SIZES = [(80, 24), (120, 40), (200, 60)]
SMALL = [(1, 1), (300, 1), (59, 60)]
NUMBER = re.compile(r"[\d.,]*\d[\d.,]*")
MORE = re.compile(r"\d+ more")


def numbers(place: Place, columns: int, rows: int, look: Look) -> set[str]:
    lines = pasted([Place(place.block, 0, 0, columns, rows)], rows, pen_of(look))
    text = "\n".join("".join(piece for piece, _ in line) for line in lines)
    return set(NUMBER.findall(MORE.sub("", text)))


def cut_numbers(pilot: Pilot[None]) -> list[tuple[str, set[str]]]:
    """The blocks that are seen, and what of their numbers is a part of another one."""
    found = []
    screen = page_screen(pilot)
    for place in screen.places:
        whole = numbers(place, 400, 100, screen.look)
        cut = numbers(place, place.columns, place.rows, screen.look) - whole
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


@pytest.mark.quick("td-('v',)")
@pytest.mark.parametrize(
    ("players", "keys"),
    [
        ("menace", ("s", "left_square_bracket", "left_square_bracket")),
        *(
            pytest.param(learner, ("s", *["left_square_bracket"] * back), marks=pytest.mark.slow)
            for learner, back in (("td", 1), ("double-q", 2), ("tdlambda", 2))
        ),
        pytest.param("td", ("w",), marks=pytest.mark.slow),
        ("td", ("p", "5", "h", "h", "h")),
        ("td", ("v",)),
        pytest.param("td", ("E", "enter"), marks=pytest.mark.slow),
        pytest.param("menace", ("s", "O"), marks=pytest.mark.slow),
        pytest.param("td", ("s", "left_square_bracket", "r"), marks=pytest.mark.slow),
        pytest.param("td", ("Q", "enter"), marks=pytest.mark.slow),
        pytest.param("td", ("p", *"123456789", *"123456789", "enter"), marks=pytest.mark.slow),
        pytest.param("td", ("o",), marks=pytest.mark.slow),
        pytest.param("td", ("R",), marks=pytest.mark.slow),
    ],
    ids=str,
)
async def test_no_screen_cuts_a_number_at_any_size(lab, players, keys):
    app = lab(players, players)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("t")
        await answer(pilot, "60")
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert cut_numbers(pilot) == [], size
            await pilot.press("Z")
            await pilot.pause()
            assert cut_numbers(pilot) == [], size
            await pilot.press("escape")


@pytest.mark.quick("keys0")
@pytest.mark.parametrize(
    "keys",
    [
        *(("space",), ("s",), ("v",)),
        *(pytest.param(k, marks=pytest.mark.slow) for k in (("p", "5"), ("t",), ("E",), ("o",))),
    ],
)
async def test_a_terminal_may_change_in_the_middle_of_anything(lab, keys):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("full_stop", *keys)
        for size in (*SMALL, (200, 60), *SMALL, (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.press("down", "z")
        await pilot.pause()
        assert app.is_running
        assert app.size == (80, 24)

"""No label on any screen without an explanation.

How labels are found: every pane that is drawn is drawn once more without its prose (sentences,
lines of code, cells of tables, which are data); of what is left every word must be in the glossary
or in `ENGLISH`, the few plain words that stand between labels.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest
from piloting import answer, saved, settled
from textual.app import App

from afterstate_lab.tui.blocks.block import Place, pasted
from afterstate_lab.tui.blocks.lesson import LessonCard
from afterstate_lab.tui.blocks.log import Log
from afterstate_lab.tui.lab.glossary import words_in
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.paper import pen_of
from afterstate_lab.tui.theme.look import Look

PROSE = (
    "words", "code", "place", "messages", "message", "selection", "footer", "note", "facts", "head",
    "hints",
)  # fmt: skip
"""Parts of views that hold sentences, or lines of the program."""
DATA = re.compile(r"[XO.?]{9}(@\d)?|\b[0-9a-f]{12}\b|[XO=]{3,}|\b(?:OX|XO)\b")
"""Boards, digits of a sum, shares as letters without colour, and two players' curves that meet."""
WORD = re.compile(r"[^\W\d_]+")
PLAIN = """
    Enter Self a and another any as at begins book chance each for from further in is it its
    itself just lab learned middle more most name no none not No one newest nothing of or other
    own reviews same self since stands the this too v were what yet your k M after
"""
ENGLISH = frozenset(PLAIN.split())


def labels(place: Place, look: Look) -> str:
    """What a block writes besides prose and data."""
    block = place.block
    if isinstance(block, Log):
        told = tuple(line for line in block.lines if not isinstance(line, str) and len(line) > 1)
        block = replace(block, lines=told)
    names = (field.name for field in fields(block) if field.init)
    block = replace(block, **{n: type(getattr(block, n))() for n in names if n in PROSE})
    lines = pasted([place._replace(block=block, x=0, y=0)], place.rows, pen_of(look))
    return "\n".join("".join(text for text, _ in line) for line in lines)


def unexplained(line: str) -> str:
    """A line without the words of the glossary."""
    for found in reversed(words_in(line)):
        line = line[: found.start] + " " * (found.stop - found.start) + line[found.stop :]
    return line


def unknown(app: App[None]) -> set[str]:
    """The words on the screen that nothing explains."""
    found: set[str] = set()
    screen = app.screen
    if not isinstance(screen, LabScreen) or screen.page is None:
        return found
    seen = [
        labels(one, screen.look) for one in screen.places if not isinstance(one.block, LessonCard)
    ]
    seen += [key.word for key in screen.page.keys if key.word and not key.hidden]
    for line in "\n".join(seen).split("\n"):
        found |= set(WORD.findall(unexplained(DATA.sub(" ", line))))
    return found - ENGLISH


@pytest.mark.quick("players0-(80, 24)")
@pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)], ids=str
)
@pytest.mark.parametrize(
    "players",
    [
        *(("td", "td"), ("menace", "perfect")),
        pytest.param(("tdlambda", "q"), marks=pytest.mark.slow),
        pytest.param(("double-q", "random"), marks=pytest.mark.slow),
    ],
)
async def test_no_label_on_any_screen_is_without_an_entry(lab, size, players):
    app = lab(*players)
    async with app.run_test(size=size) as pilot:
        found = unknown(app)
        app.session.run.train(40)
        watch = ["full_stop"] * 3
        step = ["s", "left_curly_bracket", *["right"] * 12, "down", "down"]
        play = ["p", "5", "h", "h", "h", "h"]
        lists = ["v", "escape", "R", "escape", "E", "enter", "escape", "escape"]
        for key in [*watch, *step, *play, *lists]:
            await pilot.press(key)
            await pilot.pause()
            found |= unknown(app)
    assert sorted(found) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
@pytest.mark.parametrize("x", ["td", "menace"])
async def test_no_label_of_the_lists_and_questions_is_without_an_entry(lab, size, x):
    app, found = lab(x), dict[str, str]()
    saved("old")
    saved("new", "q")

    async def press(*keys: str) -> None:
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
            found.update(dict.fromkeys(unknown(app), f"after {key} on {app.screen}"))

    async with app.run_test(size=size) as pilot:
        app.session.run.train(60)
        await press("s", "left_curly_bracket", "space", "down", "r", "escape", "W")
        await answer(pilot, "q" if x == "td" else "td")
        await press("c", "escape", "escape", "v", "enter", "escape", "escape")
        await press("Q", "1", "escape", "O", "down", "escape", "m", "enter", "escape", "w")
        await press("R", "down", "A", "end", "A", "right", "escape", "escape")
        await press("E", "enter", "P", "escape", "space", "escape", "escape", "escape")
        await press("greater_than_sign", "escape", "o", "down", "tab", "end", "escape")
        await press("p", *"123456789", "enter", "down", "escape", "H")
    assert found == {}

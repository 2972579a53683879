"""No label on any screen without an explanation, and every way to ask for one.

How labels are found: every pane that is drawn is drawn once more without its prose (sentences,
lines of code, cells of tables, which are data); of what is left every word must be in the glossary
or in `ENGLISH`, the few plain words that stand between labels.
"""

from __future__ import annotations

import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from piloting import settled
from textual.app import App
from textual.widgets import Label

from tui.lab.explain import asked_for, explain
from tui.lab.glossary import glossary, look_up, words_in
from tui.lab.modes import Mode
from tui.screens.explain import ExplainScreen
from tui.screens.help import HelpScreen
from tui.views.lab import KeysView, LogView
from tui.views.table import TableView
from tui.widgets.cards import HelpPane, TextPane, TourPane
from tui.widgets.pane import Pane

PROSE = (
    "words", "code", "place", "messages", "message", "selection", "footer", "note", "facts", "head",
)  # fmt: skip
"""Parts of views that hold sentences, or lines of the program."""
DATA = re.compile(r"[XO.?]{9}(@\d)?|\b[0-9a-f]{12}\b")
"""Boards, and the first digits of a sum."""
WORD = re.compile(r"[^\W\d_]+")
PLAIN = """
    Self a and any as at book chance for from in is itself just lab middle more name no none not
    nothing of other own players same self since stands the this too v yet your k M
"""
ENGLISH = frozenset(PLAIN.split())


def labels(pane: Pane[Any]) -> str:
    """What a pane writes besides prose and data."""
    view = pane.view
    if isinstance(view, TableView):
        parts = (view.title, view.right, *(column.title for column in view.columns))
        return "  ".join(p if isinstance(p, str) else "".join(t for t, _ in p) for p in parts)
    if isinstance(view, KeysView):
        return "  ".join(label for _, label in view.keys)
    if isinstance(view, LogView):
        told = tuple(line for line in view.lines if not isinstance(line, str) and len(line) > 1)
        view = view._replace(lines=told)
    names = view._fields if isinstance(view, tuple) else [f.name for f in fields(view)]
    empty = {name: type(getattr(view, name))() for name in names if name in PROSE}
    view = view._replace(**empty) if isinstance(view, tuple) else replace(view, **empty)
    lines = pane.lines(view, *pane.size)
    return "\n".join("".join(text for text, _ in line) for line in lines)


def unexplained(line: str) -> str:
    """A line without the words of the glossary."""
    for found in reversed(words_in(line)):
        line = line[: found.start] + " " * (found.stop - found.start) + line[found.stop :]
    return line


def unknown(app: App[None]) -> set[str]:
    """The words on the screen that nothing explains."""
    found: set[str] = set()
    for pane in app.screen.query(Pane):
        is_drawn = pane.display and pane.region.area and pane.view is not None
        if is_drawn and not isinstance(pane, TextPane | TourPane | HelpPane):
            for line in labels(pane).split("\n"):
                found |= set(WORD.findall(unexplained(DATA.sub(" ", line))))
    return found - ENGLISH


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


def test_every_word_says_a_sentence_and_is_there_once():
    words = [word for word in glossary() if word.group != "keys"]
    written = [word for word in words if word.group not in ("figures", "players", "options")]
    assert all(word.says and not word.says.endswith(".") for word in words)
    names = [name for word in written if word.group != "commands" for name in word.names]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("rms", "rms"),
        ("is the step size?", "α"),
        ("alpha", "α"),
        ("does δ mean", "δ"),
        ("a backup", "backup"),
        ("menace", "menace"),
        ("is a quiz", "quiz"),
        ("the address", "address"),
        ("a grade", "grade"),
        ("whence", "whence"),
        ("worst-loss", "worst loss"),
        ("V(Sₜ₊₁)", "V"),
    ],
)
def test_a_question_finds_its_word(text: str, word: str):
    found = asked_for(text)[0]
    assert word in found.names


def test_symbols_with_any_number_are_found_in_a_line():
    found = [(line.word.word, line.start) for line in words_in("S₁₂ .90  V(S₃)")]
    assert found == [("Sₜ", 0), ("V", 9)]


def test_figures_of_now_are_those_of_the_verdict(lab):
    app = lab("td", "random")
    app.session.run.train(50)
    told = explain(look_up("beatable")[0], app.session)
    verdict, none = app.session.evaluation
    assert none is None
    assert told.now == f"X {'yes' if verdict.values['beatable'] else 'no'}"
    assert explain(look_up("alpha")[0], app.session).now == "X 0.1"


def said(app: App[None]) -> str:
    assert isinstance(app.screen, ExplainScreen)
    return " ".join(str(label.content) for label in app.screen.query(Label))


async def test_i_explains_what_is_selected_and_typing_finds_another_word(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(30)
        await pilot.press("s", "left_curly_bracket", "right_square_bracket")
        while app.session.selection is None:
            await pilot.press("right", "down")
        await pilot.press("i")
        first = said(app)
        await pilot.press("down")
        assert said(app) != first
        await pilot.press(*"rms")
        assert "Root mean square" in said(app)
        await pilot.press("escape")
        assert app.session.mode is Mode.STEP


@pytest.mark.parametrize("key", ["v", "R", "E", "question_mark"])
async def test_i_explains_on_every_other_screen(lab, key: str):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key, "i", *"epsilon")
        assert "chance of a random move" in said(app)
        await pilot.press("enter")
        assert not isinstance(app.screen, ExplainScreen)


async def test_a_click_on_a_label_explains_it_and_one_beside_it_closes(lab):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        app.session.run.train(5)
        await pilot.press("full_stop")
        stats = app.screen.panes.stats
        row, line = next(
            (y, line)
            for y in range(stats.size.height)
            if "rms V−minimax" in (line := stats.render_line(y).text)
        )
        await pilot.click(stats, offset=(line.index("rms V−minimax") + 2, row))
        assert "RMS error of its values against minimax" in said(app)
        await pilot.click(offset=(5, 5))
        assert not isinstance(app.screen, ExplainScreen)


async def test_a_word_that_is_none_is_told(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i", *"epsilom")
        assert "is no word of the glossary: did you mean epsilon?" in said(app)


async def test_i_begins_in_the_row_under_the_cursor(lab):
    app = lab("menace", "menace")
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(30)
        await pilot.press("s", "O")
        await settled(pilot)
        await pilot.press("i")
        assert "The player who moves" in said(app)


async def test_help_names_the_key(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        sections = app.screen.query(HelpPane).first().view.sections
        assert any(key == "i" for _, keys in sections for key, _ in keys)


def test_the_page_of_the_docs_has_every_word(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "docs"))
    import reference

    page = "\n".join(reference.PAGES["glossary"]())
    assert sys.modules["reference"]
    for word in glossary():
        assert word.says.replace("|", "\\|") in page

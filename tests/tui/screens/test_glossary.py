"""Every way to ask for the meaning of a word."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from piloting import settled, state
from textual.app import App
from textual.widgets import Label

from afterstate_lab.tui.lab.glossary import asked_for, explain, glossary, look_up, words_in
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.explain import ExplainScreen


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
    assert told[-1] == f"Here and now: X {'yes' if verdict.values['beatable'] else 'no'}"
    assert explain(look_up("alpha")[0], app.session)[-1] == "Here and now: X 0.1"


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


@pytest.mark.quick("v", "question_mark")
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
        lines = [line.text for line in app.screen.paper.lines]
        row = next(y for y, line in enumerate(lines) if "rms V−minimax" in line)
        await pilot.click(offset=(lines[row].index("rms V−minimax") + 2, row))
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
        assert any(key == "i" for key, _ in state(pilot).rows)


def test_the_page_of_the_docs_has_every_word(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "docs"))
    import reference

    page = "\n".join(reference.PAGES["glossary"]())
    assert sys.modules["reference"]
    for word in glossary():
        assert word.says.replace("|", "\\|") in page

"""Every way to ask for the meaning of a word."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from piloting import Desk, desk_of

from afterstate_lab.tui.lab.glossary import asked_for, glossary, words_in
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.explain import Explain


def test_every_word_says_a_sentence_and_is_there_once():
    words = [word for word in glossary() if word.group != "keys"]
    written = [word for word in words if word.group not in ("figures", "players", "options")]
    assert all(word.says and not word.says.endswith(".") for word in words)
    names = [name for word in written if word.group != "commands" for name in word.names]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [("rms", "rms"), ("is the step size?", "α"), ("alpha", "α"), ("does δ mean", "δ"),
     ("a backup", "backup"), ("menace", "menace"), ("is a quiz", "quiz"), ("V(Sₜ₊₁)", "V"),
     ("the address", "address"), ("a grade", "grade"), ("why", "why"),
     ("worst-loss", "loss to best")],
)  # fmt: skip
def test_a_question_finds_its_word(text: str, word: str):
    assert word in asked_for(text)[0].names


def test_symbols_with_any_number_are_found_in_a_line():
    found = [(line.word.word, line.start) for line in words_in("S₁₂ .90  V(S₃)")]
    assert found == [("Sₜ", 0), ("V", 9)]


def said(desk: Desk) -> str:
    assert isinstance(desk.state, Explain)
    return " ".join(block_said for block in desk.state.page().blocks for block_said in block.say())


@desk_of(games=30)
async def test_i_explains_what_is_selected_and_typing_finds_another_word(desk: Desk):
    await desk.press("s { ]")
    while desk.session.selection is None:
        await desk.press("→ ↓")
    await desk.press("i")
    first = said(desk)
    await desk.press("↓")
    assert said(desk) != first
    await desk.press("r m s")
    assert "Root mean square" in said(desk)
    await desk.press("Esc")
    assert desk.session.mode is Mode.STEP
    await desk.press("i e p s i l o m")
    assert "is not in the glossary: did you mean epsilon?" in said(desk)
    await desk.press("Esc")
    for key in "v?":
        await desk.finish(key)
        await desk.press("i e p s i l o n")
        assert "chance of a random move" in said(desk)
        await desk.press("Enter")
        assert not isinstance(desk.state, Explain)
        if key == "?":
            assert any(key == "i" for key, _ in desk.state.rows)
        await desk.go_home()


@desk_of(games=5)
async def test_with_nothing_chosen_i_explains_the_screen_in_three_sentences(desk: Desk):
    for mode, keys in zip(Mode, ("p", "w", "s", "t 9 enter"), strict=True):
        await desk.finish(keys)
        await desk.press("i")
        assert isinstance(desk.state, Explain)
        assert desk.state.words[desk.state.at].word == mode.name
        assert said(desk).count(". ") + said(desk).endswith(".") == 3, mode
        await desk.press("Esc")


@desk_of(size=(120, 40), games=5)
async def test_a_click_on_a_label_explains_it_and_one_beside_it_closes(desk: Desk):
    await desk.press(".")
    await desk.click("rms V−minimax")
    assert "RMS error of its values against minimax" in said(desk)
    await desk.pilot.click(offset=(5, 5))
    assert desk.in_lab


def test_the_page_of_the_docs_has_every_word(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "docs"))
    import reference

    page = "\n".join(reference.PAGES["glossary"]())
    assert sys.modules["reference"]
    for word in glossary():
        assert word.says.replace("|", "\\|") in page

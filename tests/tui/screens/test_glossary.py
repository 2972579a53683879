"""Every way to ask for the meaning of a word."""

import sys
from pathlib import Path

import pytest

from afterstate_lab.learners.judge.figures import FIGURES
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.explain import asked_for, glossary, words_in


def test_every_word_says_a_sentence_and_is_there_once():
    words = glossary()
    written = [word for word in words if word.group not in ("figures", "players", "options")]
    assert all(word.says and not word.says.endswith(".") for word in words)
    assert {figure.name for figure in FIGURES} <= {word.figure for word in words}
    names = [name for word in written for name in word.names]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    modes = [word.says for word in words if word.word in Mode.__members__]
    assert [says.count(". ") for says in modes] == [2, 2, 2, 2], "three sentences each"


@pytest.mark.parametrize(
    ("text", "word"),
    [("rms", "rms V−minimax"), ("is the step size?", "α"), ("alpha", "α"), ("does δ mean", "δ"),
     ("a backup", "backup"), ("menace", "menace"), ("is be", "be"), ("V(Sₜ₊₁)", "V"),
     ("the address", "address"), ("a grade", "grade"), ("why", "WHY"),
     ("worst-loss", "loss to best")],
)  # fmt: skip
def test_a_question_finds_its_word(text: str, word: str):
    assert word in asked_for(text).names


def test_symbols_with_any_number_are_found_in_a_line_and_plain_english_is_not():
    found = [(one.word, at.start()) for at, one in words_in("S₁₂ .90  V(S₃) moves by .1")]
    assert found == [("Sₜ", 0), ("V", 9)]


def test_the_page_of_the_docs_has_every_word(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "docs"))
    import reference

    page = "\n".join(reference.PAGES["glossary"]())
    assert sys.modules["reference"]
    for word in glossary():
        assert word.says.replace("|", "\\|") in page

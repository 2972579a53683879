"""Every way to ask for the meaning of a word, and no label of the lab without one.

How labels are found: every pane that is drawn is drawn once more without its prose (sentences,
lines of code, cells of tables, which are data); of what is left every word must be in the glossary
or in `ENGLISH`, the few plain words that stand between labels.
"""

import re
from dataclasses import fields, replace

import pytest
from piloting import SIZES, at
from textual.app import App

from afterstate_lab.learners.judge.figures import FIGURES
from afterstate_lab.tui.blocks.block import Place, pasted
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.microscope import picture
from afterstate_lab.tui.lab.microscope.reading import Update
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.explain import asked_for, glossary, words_in
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.paper import pen_of, visible
from afterstate_lab.tui.theme.palette import Look


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


PROSE = (
    "words", "code", "place", "messages", "message", "selection", "footer", "note", "facts", "head",
    "hints",
)  # fmt: skip
"""Parts of views that hold sentences, or lines of the program."""
DATA = re.compile(
    r"[XO.?]{9}(@\d)?|[XO·.\d]{3}(?:[│|][XO·.\d]{3}){2}|\b[0-9a-f]{12}\b|[XO=]{3,}|\b(?:OX|XO)\b"
)
"""Boards, digits of a sum, shares as letters without colour, and two players' curves that meet."""
WORD = re.compile(r"[^\W\d_]+")
PLAIN = """
    Enter Self a and another any as at begins book chance each for from further in is it its
    itself just lab learned middle more most name no none not No one newest nothing of or other
    only own reviews same self since stands the this too v were what yet your k M after
    all are boards by end explored games here lost news over s you
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
    texts = (visible(joined(line), look.glyphs) for line in lines)
    return "\n".join(text for text in texts if "CODE" not in text and "WORDS" not in text)


def unknown(app: App[None]) -> set[str]:
    found: set[str] = set()
    screen = app.screen
    assert isinstance(screen, LabScreen)
    if not screen.is_in_lab:
        return found
    card = screen.controller.guide and screen.controller.guide.view()
    seen = [labels(one, screen.app.look) for one in screen.places if one.block != card]
    for line in "\n".join(seen).split("\n"):
        line = DATA.sub(" ", line)
        for word, _ in words_in(line):
            line = line[: word.start()] + " " * len(word[0]) + line[word.end() :]
        found |= set(WORD.findall(line))
    return found - ENGLISH


KEYS = ". . . s { → → → → → → → → → → → → ↓ ↓ W w m space p 5 h h h h"
"""Keys that lead by all labels of the modes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("x", "o", "size"),
    [("menace", "td", "80x24"), ("td", "td", "120x40"), ("tdlambda", "q", "80x24"),
     ("double-q", "perfect", "80x24"), ("menace", "td", "120x40")],
)  # fmt: skip
async def test_no_label_of_the_lab_is_without_an_entry(
    lab, monkeypatch: pytest.MonkeyPatch, x: str, o: str, size: str
):
    monkeypatch.setattr(Update, "code", None)
    monkeypatch.setattr(picture, "moral", lambda update: "")
    monkeypatch.setattr(picture, "sentence", lambda update: "")
    async with at(lab(x, o), SIZES[size]) as desk:
        found = unknown(desk.app)
        desk.session.run.train(60)
        for key in KEYS.split():
            await desk.finish(key)
            if key == "W":
                await desk.ask("", "q" if x == "td" else "td")
            found |= {f"{word}: {key}" for word in unknown(desk.app)}
    assert found == set()

"""Every page: as text, its keys, and what plain mode makes of it.

The texts are in tests/pages. A difference is looked at, and if it is meant, they are made anew:
``AFTERSTATE_NEW_SNAPSHOTS=1 python -m pytest tests/tui/pages/test_every_page.py``.
"""

import os
import re
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import BARE, PEN, SAMPLES, lines, sample, sit, text_of

from afterstate_lab.tui.blocks.block import Block
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.lists import Table
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.commands import written
from afterstate_lab.tui.pages.explain import words_on
from afterstate_lab.tui.plain import say
from afterstate_lab.tui.screens.page import footer, help_of

KEPT = Path(__file__).parents[2] / "pages"
LOOKS = {"80x24": (80, 24, PEN), "120x40": (120, 40, PEN), "ascii": (80, 24, BARE)}
FULL = {one.split("-")[0]: one for one in SAMPLES[::-1]}.values()
"""The first sample of each page, which has all its keys."""
every_page = pytest.mark.parametrize("name", SAMPLES)
shown_page = cache(sample)
"""A page whose state no test here changes."""


@every_page
def test_a_page_is_drawn_as_it_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    make = shown_page(name)
    texts = {look: lines(make(), *room) for look, room in LOOKS.items()}
    found = "".join("\n".join((f"== {look}", *text, "", "")) for look, text in texts.items())
    path = KEPT / f"{name}.txt"
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        KEPT.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def test_no_text_is_left_of_a_page_that_is_gone() -> None:
    assert {path.stem for path in KEPT.glob("*.txt")} == set(SAMPLES)


@every_page
def test_a_footer_is_short_and_a_key_is_there_once_and_says_what_it_does(name: str) -> None:
    page = shown_page(name)()
    pieces = [piece.strip() for piece, _ in footer(page, 300, PEN) if piece.strip()]
    found = list(zip(pieces[::2], pieces[1::2], strict=True))
    assert 3 <= len(found) <= 8
    assert [(key, word) for key, word in found if len(word) > 12] == []
    every = [one for key in page.keys for one in key.key.split()]
    words = [key.word for key in page.keys if key.word]
    assert len(every) == len(set(every)) and len(words) == len(set(words))
    assert all((key.help or key.asks) and key.help.isprintable() for key in page.keys)
    assert "escape" in every
    assert page.typing is None or not {"?", "F1"} & dict(found).keys()
    told = [key for key, _ in help_of(page) if key]
    assert len(told) == len(set(told))


@every_page
def test_a_page_fits_its_window_and_ascii_is_ascii(name: str) -> None:
    make = shown_page(name)
    for pen in (PEN, BARE):
        for columns, rows in ((80, 24), (97, 31), (200, 60)):
            drawn = lines(make(), columns, rows, pen)
            assert len(drawn) == rows
            assert all(len(line) <= columns and line.isprintable() for line in drawn)
            assert pen is PEN or "".join(drawn).isascii()
            assert "back" in drawn[-1]


@every_page
def test_a_page_is_explained_in_three_sentences_that_name_its_keys(name: str) -> None:
    page = shown_page(name)()
    word = words_on(lines(page, 80, 24, PEN), page.name, None, str)[0]
    assert word.says.count(". ") == 2, word
    assert page.name in word.names
    keys = {written(key) for one in page.keys for key in one.key.split()}
    named = set(re.findall(r"(?:Press|,|and) (\S|Enter|Tab|Esc|space) (?:to|for) ", word.says))
    # A page that is over, or has nothing to choose, lacks some of its keys.
    assert named <= keys or name not in FULL, word


NUMBER = re.compile(r"(?:minus |[−-])?(?:\d[\d,]*)?\.?\d+")


def numbers(text: str) -> set[tuple[float, int]]:
    found = set()
    for one in NUMBER.findall(text):
        digits = one.replace(",", "").replace("−", "-").replace("minus ", "-")
        found.add((float(digits), len(digits.partition(".")[2])))
    return found


def pairs_of(block: Block):
    """What a block says, and what it shows of the same."""
    if isinstance(block, Table) and not block.message:
        for n in range(min(block.count, 40)):
            cells = block.cells(block.items[n])
            yield block.said(n), " ".join(map(text_of, cells))
    elif not isinstance(block, Curve):
        for part in getattr(block, "parts", (block,)):
            shown = "\n".join(map(joined, part.draw(300, 100, PEN)))
            for said in part.say():
                yield said, f"{shown} {joined(block.title)} {joined(block.right)}"


CELLS = re.compile(r"^\d+\. |[XO] (has|on) \d(, \d| and \d)*|move \d|^S \d(,A\d)?")
"""Numbers of rows, cells and time steps: these are drawn as places."""


@pytest.mark.parametrize("name", [n for n in SAMPLES if n[:4] not in ("prov", "map-")])
def test_every_number_that_is_said_is_the_one_that_is_drawn(name: str) -> None:
    for block in shown_page(name)().blocks:
        for said, shown in pairs_of(block):
            said = CELLS.sub("", said)
            drawn = numbers(shown)
            for value, places in numbers(said):
                near = [one for one, there in drawn if abs(one - value) <= (
                    0.51 * 10 ** -min(places, there))]  # fmt: skip
                assert near, (type(block).__name__, said, value, shown[:600])


@every_page
def test_a_page_is_said_in_lines_of_text(name: str) -> None:
    told = list(say(shown_page(name)()))
    assert len(told) > 1
    assert all(line.strip() and line.isprintable() for line in told)


NEVER = (
    "run", "export", "delete", "restore", "rename", "note", "open", "film",
)  # fmt: skip
"""Words that need a store, write files or run for long: tested one by one."""
WORDS = st.sampled_from([
    "", "m", "more", "1", "2", "9", "0", "99999999999", "sort by", "by", "a", "X", "visits>3",
    "td:alpha=.3", "back", "§", "%s", "\x1b[2J", "²",
])  # fmt: skip


@pytest.mark.quick("table-td", "setup-menace", "be-td", "runs-td")
@every_page
@settings(max_examples=max(4, settings().max_examples // 3))
@given(st.data())
def test_a_reader_answers_any_line_and_never_raises(name: str, data: st.DataObject) -> None:
    reader = sit()
    reader.push(make := sample(name))
    reader.controller = getattr(make.__self__, "lab", reader.controller)
    for _ in range(6):
        keys = reader.front.make().keys
        own = [key.word for key in keys if key.word and key.word not in NEVER]
        first = data.draw(st.sampled_from(own) | WORDS | st.text(max_size=8))
        line = f"{first} {data.draw(WORDS)}" if data.draw(st.booleans()) else first
        answer = reader.answer(line)
        assert answer and all(isinstance(said, str) for said in answer)
        if len(reader.sheets) == 1:
            return

"""Lessons as files: those of the package hold, and every mistake is one sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import data_folder
from afterstate_lab.tui.lab.lessons.guide import (
    FILE,
    is_same,
    keep_progress,
    progress_of,
    read_progress,
)
from afterstate_lab.tui.lab.lessons.lesson_file import NAMES, Lesson, packaged_lesson
from afterstate_lab.tui.plain.rehearsal import rehearse

PAGE = Path(__file__).parents[3] / "docs" / "lessons.md"
EXAMPLE = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here needs the compiler."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.mark.quick("menace", "credit")
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_of_the_package_holds(name: str):
    rehearse(packaged_lesson(name))


def test_the_lesson_of_the_page_holds():
    rehearse(Lesson.parse("mine.toml", EXAMPLE))


def test_a_lesson_that_no_longer_holds_says_where_and_what_is_so():
    changed = EXAMPLE.replace("step = .2", "step = .3")
    with pytest.raises(UsageError) as error:
        rehearse(Lesson.parse("mine.toml", changed))
    assert str(error.value) == (
        "mine.toml, line 14: step[1].holds: step = .3 does not hold: step is 0.2"
    )


@pytest.mark.parametrize(
    ("was", "now", "line", "says"),
    [
        ('done = "asked phase_back"', 'dune = "asked phase_back"', 18, "did you mean done?"),
        ('about = "What', 'abuot = "What', 2, "did you mean about?"),
        ('"asked phase_back"', '"asked phase_bakc"', 18, "there is no command 'phase_bakc'"),
        ('"asked phase_back"', '"asked cell in train"', 18, "cannot be asked for in train"),
        ('"asked phase_back"', '"sometimes"', 18, "'sometimes' is no condition"),
        ('"asked phase_back"', '"never"', 18, "never is for the last step"),
        ('"1.5.2"', '"5000.1"', 13, "there is no game 5,000"),
        ('"1.5.2"', '"five"', 13, "is no place"),
        ('"1.5.2"', '"1.5.7"', 13, "and no event 7"),
        ('x = "td:alpha=0.2"', 'x = "tdd"', 6, "tdd"),
        ("games = 2000", "games = -1", 8, "must be a whole number from 0"),
        ("{old}", "{odl}", 12, "'odl' is no live number"),
        ("{old}", "{old", 12, "has a brace that is alone"),
        ("X has won.", "X has won.\\u001b[2J", 12, "characters that cannot be printed"),
        ("X has won.", "X has won, by 3 in a row.", 12, "names 3, and nothing in holds asserts"),
        ("X has won.", "X has won." + " And won." * 9, 12, "lines of 56 characters; the card has"),
        ("before V was written\"\ntype", "b" * 39 + "\"\ntype", 16, "the card has room for 54"),
        ("`←` goes", "← goes", 16, "names no key"),
        ("`←` goes", "`← goes", 16, "has a ` that is alone"),
        ("`←` goes", "`5` goes", 16, "5 does nothing in step"),
        ('look = "equation"', 'look = "equations"', 15, "must be one of board, log"),
        ('look = "equation"', 'look = "life"', 15, "is there from 110 columns on"),
        ('look = "equation"', 'look = "life"\nscreen = "80x24"', 16, "from 110 columns on"),
        ('look = "equation"', 'screen = "40x10"', 15, "must be columns and rows from 60x20 on"),
        ('modes = ["step"]', 'modes = ["stop"]', 19, "must be one of play, watch, step, train"),
        ('"new > old"', '"new >"', 14, "asserts nothing"),
        ('"new > old"', '"worst-lust X = 1"', 14, "has no 'worst-lust'"),
        ('answer = "{change:3}"', "", 28, "answered goes with the keys ask and answer"),
        ('done = "answered"', 'done = "won"', 28, "answered goes with"),
        ("[[step]]", "[[steps]]", 10, "did you mean step?"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_with_file_line_and_key(was, now, line, says):
    assert was in EXAMPLE
    with pytest.raises(UsageError) as error:
        rehearse(Lesson.parse("mine.toml", EXAMPLE.replace(was, now, 1)))
    told = str(error.value)
    assert told.startswith(f"mine.toml, line {line}: "), told
    assert says in told
    assert told.isprintable()


def test_a_condition_that_its_keys_never_meet_is_found():
    never_met = EXAMPLE.replace('"asked phase_back"', '"at game over"')
    with pytest.raises(UsageError, match=r"line 18: step\[1\].done: at game over is not met"):
        rehearse(Lesson.parse("mine.toml", never_met))


def test_an_answer_is_right_to_its_last_decimal_or_as_a_word():
    assert is_same(".074", ".074")
    assert is_same("0.0741", ".074")
    assert not is_same(".075", ".074")
    assert is_same(" x ", "X")
    assert not is_same("", "X")
    assert not is_same("nan", ".074")


def test_progress_is_kept_only_forwards_and_only_of_known_lessons():
    assert read_progress() == {}
    keep_progress("tour", 3)
    keep_progress("tour", 2)
    keep_progress("mine", 2)
    assert read_progress() == {"tour": 3}


@pytest.mark.parametrize("data", [b"", b"\xff", b"tour = -1", b"tour = 'a'", b"x = [", b"x = 1"])
def test_progress_that_cannot_be_read_is_no_progress(data: bytes):
    assert progress_of(data) == {}
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_bytes(data)
    keep_progress("tour", 1)
    assert read_progress() == {"tour": 1}

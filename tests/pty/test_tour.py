"""The tour is gone through to its end in real terminals, by the keys that its cards name."""

from __future__ import annotations

import re

import pytest
from sent import colours, only_ascii

from tui.lab.tour import LESSONS
from tui.theme.glyphs import ASCII, LINUX, UNICODE
from tui.widgets.cards import TOUR_ROWS

TYPED = {"Enter": "enter", "Esc": "escape", "→": "right", "←": "left"}
QUESTION = "Enter takes it"
NUMBER = re.compile(r"[.]\d{3,}")


def card(terminal) -> list[str]:
    """The lines in the card over the footer, without its frame."""
    lines = [line.ljust(terminal.screen.columns) for line in terminal.lines[-1 - TOUR_ROWS : -1]]
    assert set(lines[-1].strip()) <= set("╰─╯└┘+-"), "the card ends above the footer"
    return [line[1:-1].strip() for line in lines[1:-1]]


def go_through(terminal, glyphs) -> None:
    """Do what each card says, until the last one stands there."""
    for number, lesson in enumerate(LESSONS, 1):
        terminal.read_until_shown(f"{number}/{len(LESSONS)} {lesson.title}")
        terminal.read_until_quiet(0.05)
        *said, todo = card(terminal)
        if isinstance(lesson.text, str):
            assert " ".join(said).strip() == glyphs.text(lesson.text)
        assert todo == glyphs.text(f"» {lesson.todo.replace('`', '')}")
        if terminal.screen.columns >= 80:  # a narrower log cuts its lines short
            seen = "\n".join(terminal.lines[: -1 - TOUR_ROWS])
            assert all(digits in seen for digits in NUMBER.findall(" ".join(said)))
        if number < len(LESSONS):
            do(terminal, lesson.keys, f"{number + 1}/{len(LESSONS)} ")


def do(terminal, keys, following: str) -> None:
    """Type the keys one after the other; the last again, unless a game goes on by itself."""
    for key in keys:
        press(terminal, key)
    for _ in range(40):
        if following in terminal.text or "/s" in terminal.lines[0]:
            break
        press(terminal, keys[-1])
    terminal.read_until_shown(following, seconds=20)


def press(terminal, key: str) -> None:
    """Type a key as a card names it, and wait for what comes of it."""
    before = len(terminal.written)
    if is_word := len(key) > 1 and key not in TYPED and key != "space":
        terminal.read_until_shown(QUESTION)
    terminal.press(TYPED.get(key, key))
    terminal.read_until(lambda: len(terminal.written) > before)
    if is_word:
        terminal.read_until(lambda: any(line[1:-1].strip() == key for line in terminal.lines))
    if key == "Enter":
        terminal.read_until(lambda: QUESTION not in terminal.text)
    terminal.read_until_quiet(0.05)


def check(lab, glyphs, *options: str, **how) -> bytes:
    """Go through the tour and end it; everything that was written."""
    terminal = lab("--tour", *options, shows=("1/13",), **how)
    go_through(terminal, glyphs)
    terminal.press("T")
    terminal.read_until(lambda: "13/13" not in terminal.text)
    terminal.press("q", "q")
    assert terminal.wait() == 0
    return bytes(terminal.written)


def test_the_tour_is_gone_through_without_colour_and_in_ascii(lab):
    written = check(lab, ASCII, "--ascii", env={"NO_COLOR": "1"})
    assert not colours(written)
    assert only_ascii(written)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "env", "glyphs", "kinds"),
    [
        ((), {}, UNICODE, {"256"}),
        ((), {"NO_COLOR": "1"}, UNICODE, set()),
        (("--ascii",), {}, ASCII, {"256"}),
        ((), {"TERM": "linux"}, LINUX, {"16"}),
        ((), {"LC_ALL": "C"}, ASCII, {"256"}),
        ((), {"TERM": "vt100"}, ASCII, set()),
    ],
    ids=["plain", "NO_COLOR", "ascii", "linux", "C locale", "vt100"],
)
def test_the_tour_is_gone_through_in_terminals_of_all_kinds(lab, options, env, glyphs, kinds):
    written = check(lab, glyphs, *options, env=env)
    assert colours(written) == kinds
    assert only_ascii(written) == (glyphs is ASCII)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (120, 40)])
def test_the_tour_is_gone_through_in_small_and_large_terminals(lab, columns, rows):
    check(lab, UNICODE, columns=columns, rows=rows)

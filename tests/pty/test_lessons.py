"""Lessons are gone through to their end in real terminals, by the keys that their cards name."""

from __future__ import annotations

from contextlib import suppress

import pytest
from visits import styles

from afterstate_lab.tui.cli.play import plain_lab
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.scripts.check import walk
from afterstate_lab.tui.lab.scripts.guide import by_keys
from afterstate_lab.tui.lab.scripts.numbers import LIVE
from afterstate_lab.tui.lab.scripts.script import Script, keys_of, packaged_lesson
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE

CARD_ROWS = 5

TYPED = {
    "Enter": "enter", "Esc": "escape", "→": "right", "←": "left", "↓": "down", "↑": "up",
}  # fmt: skip
QUESTION = "Enter takes it"


def card(terminal) -> list[str]:
    """The lines in the card over the footer, without its frame."""
    lines = [line.ljust(terminal.screen.columns) for line in terminal.lines[-1 - CARD_ROWS : -1]]
    assert set(lines[-1].strip()) <= set("╰─╯└┘+-"), "the card ends above the footer"
    return [line[1:-1].strip() for line in lines[1:-1]]


def verbs_of(lesson: Script) -> list[list[str]]:
    """What is typed in each step of a lesson that is gone through in plain mode."""
    dialogue = plain_lab()
    dialogue.begin(lesson)
    found: list[list[str]] = [[] for _ in lesson.steps]
    for verb in walk(dialogue.controller):
        found[dialogue.controller.lessons.number].append(verb)
        dialogue.answer(verb)
    return found


def mode_of(terminal) -> str:
    """The mode that the first line names; empty on a page."""
    named = terminal.lines[0].split()
    return next((mode.value for mode in Mode if mode.name in named), "")


def go_through(terminal, glyphs, lesson: Script) -> None:
    """Do what each card says, until the last one stands there."""
    steps = lesson.steps
    for number, (step, verbs) in enumerate(zip(steps, verbs_of(lesson), strict=True), 1):
        terminal.read_until_shown(f"{number}/{len(steps)} {glyphs.text(step.title)}")
        terminal.read_until(lambda: "Playing the games" not in terminal.text)
        terminal.read_until_quiet(0.1)
        *said, todo = card(terminal)
        if not LIVE.search(step.text):
            assert " ".join(said).strip() == glyphs.text(by_keys(step.text))
        if mode_of(terminal) in [mode.value for mode in step.commands[0].modes]:
            assert todo == glyphs.text(f"» {by_keys(step.to_do)}")
        for key in [key for verb in verbs for key in keys_of(verb)]:
            press(terminal, key)
        while verbs and not goes_on(terminal, f"{number + 1}/{len(steps)} "):
            press(terminal, "Esc" if is_away(terminal) else keys_of(verbs[-1])[0])


def is_away(terminal) -> bool:
    """Whether a page or a question is before the card."""
    return not mode_of(terminal) or QUESTION in terminal.text


def goes_on(terminal, following: str) -> bool:
    """Whether the next card comes, unless one is away, or the key is to be pressed again."""
    with suppress(TimeoutError):
        terminal.read_until(lambda: following in terminal.text or is_away(terminal), 3.0)
    return following in terminal.text


def press(terminal, key: str) -> None:
    """Type a key as a card names it, and wait for what comes of it."""
    before, was_asked = len(terminal.written), QUESTION in terminal.text
    if is_word := len(key) > 1 and key not in TYPED and key != "space":
        terminal.read_until_shown(QUESTION)
    terminal.press(TYPED.get(key, key))
    if is_word:  # It may stand there already, and then nothing is written.
        terminal.read_until(lambda: any(line.endswith(f": {key}") for line in terminal.lines))
    elif not (was_asked and key == "→"):  # in an empty field it moves nothing
        terminal.read_until(lambda: len(terminal.written) > before)
    if key == "Enter" and was_asked:
        terminal.read_until(lambda: QUESTION not in terminal.text)
    terminal.read_until_asleep(3.0)


def check(lab, name: str, glyphs, *options: str, **how) -> bytes:
    """Go through a lesson and end it; everything that was written."""
    lesson = packaged_lesson(name)
    last = f"{len(lesson.steps)}/{len(lesson.steps)}"
    terminal = lab("lesson", name, *options, shows=(f"1/{len(lesson.steps)}",), **how)
    go_through(terminal, glyphs, lesson)
    terminal.press("T")
    terminal.read_until(lambda: last not in terminal.text)
    terminal.press("q", "q")
    assert terminal.wait() == 0
    return bytes(terminal.written)


TERMINALS = (
    ((), {}, UNICODE, {"256"}),
    ((), {"TERM": "linux"}, LINUX, {"16"}),
    (("--ascii",), {"NO_COLOR": "1"}, ASCII, set()),
    ((), {"TERM": "vt100"}, ASCII, set()),
    ((), {"LC_ALL": "C"}, ASCII, {"256"}),
    ((), {"NO_COLOR": "1"}, UNICODE, set()),
)
LESSONS = ("tour", "menace", "credit", "sarsa-and-q", "menace", "credit")


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(TERMINALS)))
def test_a_lesson_is_gone_through_in_a_real_terminal(lab, at):
    """All of them are gone through by the same keys in tests/tui/screens/test_lessons.py."""
    (options, env, glyphs, kinds), name = TERMINALS[at], LESSONS[at]
    columns, rows = ((80, 24), (120, 40))[at % 2]
    written = check(lab, name, glyphs, *options, env=env, columns=columns, rows=rows)
    assert styles(written)[0] == kinds
    assert written.isascii() == (glyphs is ASCII)

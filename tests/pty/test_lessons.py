"""The tour is gone through to its end in real terminals, with Enter."""

import pytest
from visits import styles

from afterstate_lab.tui.lab.scripts.guide import by_keys
from afterstate_lab.tui.lab.scripts.script import LIVE, packaged_lesson
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE

QUESTION = "Enter takes it"
TERMINALS = (
    ((), {}, UNICODE, {"256"}),
    ((), {"TERM": "linux"}, LINUX, {"16"}),
    (("--ascii",), {"NO_COLOR": "1"}, ASCII, set()),
)


def card(terminal) -> list[str]:
    """The lines in the card over the footer, without its frame."""
    *lines, frame = terminal.lines[-6:-1]
    assert set(frame.strip()) <= set("╰─╯└┘+-"), "the card ends above the footer"
    return [line.ljust(terminal.screen.columns)[1:-1].strip() for line in lines[1:]]


def go_through(terminal, glyphs, steps) -> None:
    """Press Enter, answer what is asked and leave what opens, until the last card is there."""
    for number, step in enumerate(steps, 1):
        terminal.read_until_shown(f"{number}/{len(steps)} {glyphs.text(step.title)}")
        terminal.read_until(lambda: "Playing the games" not in terminal.text)
        terminal.read_until_quiet(0.1)
        *said, _ = card(terminal)
        if not LIVE.search(step.text):
            assert " ".join(said).strip() == glyphs.text(by_keys(step.text))
        for _ in range(40 * (number < len(steps))):
            if f"{number + 1}/{len(steps)} " in terminal.text:
                break
            is_asked = QUESTION in terminal.text
            terminal.press(*["+"] * is_asked, "escape" if "Esc back" in terminal.text else "enter")
            terminal.read_until_asleep(3.0)


@pytest.mark.parametrize("at", range(len(TERMINALS)))
def test_the_tour_is_gone_through_in_a_real_terminal(lab, at):
    """All lessons are gone through by their own keys in tests/tui/screens/test_lessons.py."""
    (options, env, glyphs, kinds), lesson = TERMINALS[at], packaged_lesson("tour")
    columns, rows = ((80, 24), (120, 40))[at % 2]
    terminal = lab("lesson", lesson.name, *options, env=env, columns=columns, rows=rows,
                   shows=(f"1/{len(lesson.steps)}",))  # fmt: skip
    go_through(terminal, glyphs, lesson.steps)
    terminal.press("T")
    terminal.read_until(lambda: f"{len(lesson.steps)}/{len(lesson.steps)}" not in terminal.text)
    terminal.press("q", "q")
    assert terminal.wait() == 0
    written = bytes(terminal.written)
    assert styles(written)[0] == kinds
    assert written.isascii() == (glyphs is ASCII)

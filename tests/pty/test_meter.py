"""The byte meter in a real terminal: what it shows is what the terminal got, then it is silent."""

from __future__ import annotations

import re

import pytest
from pseudo_terminal import QUESTION

from tui.terminal.pacing import kilobytes

FIGURES = re.compile(r"▲ +(\S+) kB/s +(\S+) kB")


def figures(terminal) -> tuple[str, str] | None:
    """The rate and the latest picture, as the mode line shows them."""
    found = FIGURES.search(terminal.lines[0])
    return None if found is None else (found.group(1), found.group(2))


def is_settled(terminal) -> bool:
    shown = figures(terminal)
    return shown is not None and shown[0] == "0"


@pytest.mark.slow
def test_it_shows_the_bytes_of_the_latest_picture_and_then_nothing_is_written(lab):
    terminal = lab()
    terminal.press("M")
    terminal.read_until(lambda: is_settled(terminal))
    for key in (".", ".", "s", "right", "w"):
        before = len(terminal.written)
        terminal.press(key)
        terminal.read_until(lambda at=before: QUESTION in terminal.written[at:])
        picture = terminal.written.index(QUESTION, before) + len(QUESTION) - before
        settled = ("0", kilobytes(picture))
        terminal.read_until(lambda shown=settled: figures(terminal) == shown, 5)
    assert terminal.read(2.0) == 0


@pytest.mark.slow
def test_its_rate_is_what_the_terminal_got_its_own_figures_included(lab):
    terminal = lab()
    terminal.press("M")
    terminal.press("space")
    terminal.read_until_shown("game 2/")
    shares = []
    for _ in range(6):
        before = len(terminal.written)
        terminal.read(1.0)
        got = len(terminal.written) - before
        shown = figures(terminal)
        assert shown is not None
        shares.append(float(shown[0]) * 1000 / got)
    assert 0.6 < sum(shares) / len(shares) < 1.4


@pytest.mark.slow
def test_a_key_shows_it_and_hides_it(lab):
    terminal = lab()
    terminal.press("M")
    terminal.read_until(lambda: is_settled(terminal))
    terminal.press("M")
    terminal.read_until(lambda: figures(terminal) is None)
    assert terminal.read(1.5) == 0


@pytest.mark.slow
def test_ascii_terminals_have_it_too_and_the_palette_knows_it(lab):
    terminal = lab("--ascii")
    terminal.press("M")
    terminal.read_until(lambda: re.search(r"\^ +0 kB/s", terminal.lines[0]) is not None)
    terminal.press(":")
    terminal.read_until_shown("Search")
    terminal.press("meter")
    terminal.read_until_shown("how many bytes go to the terminal")

"""Every terminal gets characters that it can show."""

from __future__ import annotations

import pytest

from tui.glyphs import ASCII, LINUX, UNICODE, Glyphs, detect_glyphs


@pytest.mark.parametrize(
    ("term", "encoding", "ascii", "glyphs"),
    [
        ("xterm-256color", "utf-8", False, UNICODE),
        ("tmux-256color", "UTF-8", False, UNICODE),
        ("linux", "utf-8", False, LINUX),
        ("vt100", "utf-8", False, ASCII),
        ("dumb", "utf-8", False, ASCII),
        ("xterm", "iso8859-1", False, ASCII),
        ("xterm", None, False, ASCII),
        ("xterm-256color", "utf-8", True, ASCII),
    ],
)
def test_terminal_locale_and_option_decide(
    term: str, encoding: str | None, ascii: bool, glyphs: Glyphs
) -> None:
    assert detect_glyphs({"TERM": term}, encoding, ascii) is glyphs


def test_ascii_says_what_unicode_says() -> None:
    said = "V(Sₜ₊₁) − V(S₀), α .1, u ≥ ε: O→3 ★ max|δ| …"
    assert ASCII.text(said) == "V(St+1) - V(S0), a .1, u >= e: O->3 * max|d| .."


def test_a_cell_of_ascii_is_one_ascii_character_whatever_was_asked() -> None:
    assert all(
        len(ASCII.cell(chr(code))) == 1 and ASCII.cell(chr(code)).isascii()
        for code in range(32, 0x3000)
    )


def test_linux_console_keeps_boxes_and_loses_round_corners() -> None:
    assert LINUX.text("╭─╮ ★ Sₜ") == "┌─┐ * St"


def test_unicode_is_left_alone() -> None:
    assert UNICODE.text("╭ Sₜ₊₁ ≥ ★") == "╭ Sₜ₊₁ ≥ ★"

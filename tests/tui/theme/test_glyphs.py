"""Every terminal gets characters that it can show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

from afterstate_lab import tui
from afterstate_lab.tui.theme.glyphs import ASCII, LINUX, UNICODE, Glyphs, detect_glyphs


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


def test_a_cell_of_the_linux_console_is_one_column_wide() -> None:
    assert [LINUX.cell(character) for character in "中🔎é▔"] == ["?", "?", "é", "─"]


def test_unicode_is_left_alone() -> None:
    assert UNICODE.text("╭ Sₜ₊₁ ≥ ★") == "╭ Sₜ₊₁ ≥ ★"


def texts_of(constant: object) -> Iterator[str]:
    """The texts in a constant of a compiled file: itself, its parts, or those of its code."""
    if isinstance(constant, CodeType):
        constant = constant.co_consts
    if isinstance(constant, str):
        yield constant
    elif isinstance(constant, tuple | frozenset):
        for part in constant:
            yield from texts_of(part)


def literals() -> Iterator[str]:
    """Every text in the sources of what draws panes; the compiler leaves docstrings out."""
    for folder in ("blocks", "lab", "pages", "screens"):
        for path in (Path(tui.__file__).parent / folder).rglob("*.py"):
            yield from texts_of(compile(path.read_bytes(), str(path), "exec", optimize=2))


def test_ascii_has_a_sign_for_all_that_is_drawn() -> None:
    drawn = {character for text in literals() for character in text if character > "\x7f"}
    assert {"→", "–", "»", "━"} <= drawn
    unsaid = {character for character in drawn if not ASCII.text(character).isascii()}
    assert not unsaid

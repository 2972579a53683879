"""Terminals of all kinds: what they cannot show is not sent to them."""

from __future__ import annotations

import re

import pytest

SGR = re.compile(rb"\x1b\[([0-9;]*)m")
TERMS = ("xterm-256color", "xterm", "screen", "screen-256color", "tmux-256color", "linux", "vt100")
SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))


def colours(written: bytes) -> set[str]:
    """The kinds of colours in a stream: `16`, `256`, `true`."""
    found = set()
    for sequence in SGR.findall(bytes(written)):
        codes = [int(code or 0) for code in sequence.split(b";")]
        at = 0
        while at < len(codes):
            if codes[at] in (38, 48):
                found.add({5: "256", 2: "true"}[codes[at + 1]])
                at += {5: 2, 2: 4}[codes[at + 1]]
            elif 30 <= codes[at] <= 37 or 40 <= codes[at] <= 47 or 90 <= codes[at] <= 107:
                found.add("16")
            at += 1
    return found


def go_round(terminal) -> None:
    """Look at every mode, at help and at a question."""
    for keys, shown in (
        ((".", "."), "backup"),
        (("s",), "the update"),
        (("?",), "closes"),
        (("escape",), "the update"),
        (("p",), "PLAY"),
        (("5",), "O"),
        (("w", "t"), "how many games"),
    ):
        terminal.press(*keys)
        terminal.read_until_shown(shown)
        terminal.read_until_quiet(0.15)


def only_ascii(written: bytes) -> bool:
    return all(byte < 0x80 for byte in written)


@pytest.mark.parametrize(
    ("options", "env"),
    [
        (("--ascii",), {}),
        ((), {"LC_ALL": "C"}),
        ((), {"LC_ALL": None, "LANG": "C"}),
        ((), {"TERM": "vt100"}),
    ],
    ids=["option", "locale", "language", "vt100"],
)
def test_only_ascii_where_that_is_promised(lab, options, env):
    terminal = lab(*options, env=env)
    go_round(terminal)
    assert only_ascii(terminal.written)


def test_no_colour_is_sent_where_none_is_wanted(lab):
    terminal = lab(env={"NO_COLOR": "1"})
    go_round(terminal)
    assert not colours(terminal.written)


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("colour", ["default", "NO_COLOR", "COLORTERM"])
def test_every_terminal_can_read_it(lab, term, locale, colour):
    env = {"TERM": term, "LC_ALL": locale}
    env |= {"NO_COLOR": "1"} if colour == "NO_COLOR" else {}
    env |= {"COLORTERM": "truecolor"} if colour == "COLORTERM" else {}
    terminal = lab(env=env)
    go_round(terminal)
    is_plain = colour == "NO_COLOR" or term == "vt100"
    if is_plain:
        expected = set()
    elif colour == "COLORTERM":
        expected = {"true"}
    else:
        expected = {"256"} if "256" in term else {"16"}
    assert colours(terminal.written) == expected
    assert only_ascii(terminal.written) == (locale == "C" or term == "vt100")


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_size_shows_all_panes(lab, columns, rows):
    terminal = lab(columns=columns, rows=rows)
    go_round(terminal)
    terminal.press("escape")
    terminal.read_until_shown("quit")
    assert "WATCH" in terminal.lines[0]
    assert "quit" in terminal.lines[rows - 1]
    assert max(map(len, terminal.lines)) == columns


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (59, 24), (10, 3)])
def test_a_small_terminal_is_told_what_is_missing(lab, columns, rows):
    terminal = lab(columns=columns, rows=rows, shows=("60",))
    terminal.press("q")
    assert terminal.wait(5) == 0

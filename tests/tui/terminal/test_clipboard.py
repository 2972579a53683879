"""A text is copied by OSC 52, through a multiplexer too."""

from base64 import b64decode

import pytest

from afterstate_lab.tui.terminal.driver import copying

TEXT = "afterstate:1/td/td/7/20000@19999.3"
PLAIN = "\x1b]52;c;YWZ0ZXJzdGF0ZToxL3RkL3RkLzcvMjAwMDBAMTk5OTkuMw==\x07"


def test_a_terminal_is_sent_osc_52():
    assert copying(TEXT, {"TERM": "xterm-256color"}) == PLAIN


def test_tmux_is_sent_it_for_itself_and_wrapped_for_the_terminal():
    sent = copying(TEXT, {"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"})
    assert sent == f"{PLAIN}\x1bPtmux;\x1b{PLAIN}\x1b\\"


def test_screen_is_sent_pieces_that_it_passes_on():
    sent = copying(TEXT * 50, {"TERM": "screen", "STY": "1.pts"})
    pieces = sent.removeprefix("\x1bP").removesuffix("\x1b\\").split("\x1b\\\x1bP")
    assert max(map(len, pieces)) <= 700
    whole = "".join(pieces)
    assert whole.startswith("\x1b]52;c;") and whole.endswith("\x07")
    assert b64decode(whole[7:-1]).decode() == TEXT * 50


@pytest.mark.parametrize("terminal", ["linux", "vt100", "dumb", ""])
def test_a_terminal_that_would_print_it_is_sent_nothing(terminal):
    assert copying(TEXT, {"TERM": terminal}) == ""

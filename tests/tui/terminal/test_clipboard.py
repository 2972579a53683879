"""A text is copied by OSC 52, through a multiplexer too."""

from base64 import b64decode

import pytest

from afterstate_lab.tui.terminal.driver import copying

TEXT = "afterstate:1/td/td/7/20000@19999.3"
PLAIN = "\x1b]52;c;YWZ0ZXJzdGF0ZToxL3RkL3RkLzcvMjAwMDBAMTk5OTkuMw==\x07"
TMUX = {"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}
WOULD_PRINT_IT = [({"TERM": term}, "") for term in ("linux", "vt100", "dumb", "")]


@pytest.mark.parametrize(
    ("env", "sent"),
    [
        ({"TERM": "xterm-256color"}, PLAIN), (TMUX, f"{PLAIN}\x1bPtmux;\x1b{PLAIN}\x1b\\"),
        *WOULD_PRINT_IT,
    ],
)  # fmt: skip
def test_a_terminal_is_sent_what_it_or_tmux_understands(env, sent):
    assert copying(TEXT, env) == sent


def test_screen_is_sent_pieces_that_it_passes_on():
    sent = copying(TEXT * 50, {"TERM": "screen", "STY": "1.pts"})
    pieces = sent.removeprefix("\x1bP").removesuffix("\x1b\\").split("\x1b\\\x1bP")
    assert max(map(len, pieces)) <= 700
    whole = "".join(pieces)
    assert whole.startswith("\x1b]52;c;") and whole.endswith("\x07")
    assert b64decode(whole[7:-1]).decode() == TEXT * 50

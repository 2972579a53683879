"""What a terminal is sent to copy a text (OSC 52), also from inside a multiplexer."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Final

NOT_FOR_COPYING: Final = ("linux", "vt")
"""Prefixes of TERM of terminals that would print it."""
LONGEST_PIECE: Final = 700
"""Characters that GNU screen passes on at once."""


def copying(text: str, environ: Mapping[str, str]) -> str:
    """The control sequence that copies a text; empty where the terminal would print it.

    tmux takes the sequence itself where `set-clipboard` is on, and passes the wrapped one on where
    `allow-passthrough` is: both are sent.
    """
    terminal = environ.get("TERM", "")
    if terminal.startswith(NOT_FOR_COPYING) or terminal in ("", "dumb"):
        return ""
    copy = f"\x1b]52;c;{b64encode(text.encode()).decode()}\x07"
    if environ.get("TMUX"):
        inner = copy.replace("\x1b", "\x1b\x1b")
        return f"{copy}\x1bPtmux;{inner}\x1b\\"
    if environ.get("STY"):
        pieces = (copy[k : k + LONGEST_PIECE] for k in range(0, len(copy), LONGEST_PIECE))
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return copy

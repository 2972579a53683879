"""Detect the terminal's encoding, size and kind."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import suppress

QUESTION = "\x1b[5n"
REPLY = b"\x1b[0n"
"""A query of the terminal's status, and the answer."""
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_UNSET = ("", "C", "POSIX")


def terminal_encoding(env: Mapping[str, str]) -> str:
    """Return the encoding of standard output; ASCII in the C locale.

    Python replaces the C locale with UTF-8 (PEP 538 and PEP 540).
    """
    is_wanted = "PYTHONIOENCODING" in env or env.get("PYTHONUTF8") == "1"
    is_coerced = env.get("LC_CTYPE") in _COERCED and env.get("LANG", "") in _UNSET
    if env.get("LC_ALL"):
        is_coerced = env["LC_ALL"] in _UNSET
    if sys.flags.utf8_mode and is_coerced and not is_wanted:
        return "ascii"
    return getattr(sys.__stdout__, "encoding", None) or locale.getencoding()


def terminal_size() -> os.terminal_size:
    """Return the size that the terminal reports; COLUMNS and LINES if it reports none."""
    for stream in (sys.__stdout__, sys.__stdin__):
        with suppress(AttributeError, OSError, ValueError):
            size = os.get_terminal_size(stream.fileno())  # type: ignore[union-attr]
            if all(size):
                return size
    import shutil  # loads every compression

    return shutil.get_terminal_size()


def limit_colours(env: MutableMapping[str, str]) -> None:
    """Forget COLORTERM in GNU screen, which inherits it and shows at most 256 colours."""
    if is_screen(env):
        env.pop("COLORTERM", None)


def is_screen(env: Mapping[str, str]) -> bool:
    """Return whether the terminal is GNU screen, here or at the near end of a connection.

    While a program uses the mouse, screen delays a single Esc until the next key.
    """
    return "STY" in env or ("TMUX" not in env and env.get("TERM", "").startswith("screen"))

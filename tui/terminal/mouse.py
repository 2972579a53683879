"""Whether the lab asks the terminal for its mouse."""

from __future__ import annotations

from collections.abc import Mapping


def is_screen(env: Mapping[str, str]) -> bool:
    """Whether the terminal is GNU screen, here or at the near end of a connection.

    As long as a program asks it for the mouse, screen holds a single Esc back until the next key.
    """
    return "STY" in env or ("TMUX" not in env and env.get("TERM", "").startswith("screen"))

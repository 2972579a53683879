"""Text with roles: what a view says, before it has colours."""

from __future__ import annotations

Words = str | tuple[tuple[str, str], ...]
"""Plain text, or pieces of text with the role of each (a field of `tui.theme.palette.Palette`)."""


def length(words: Words) -> int:
    """Return the characters of `words`."""
    return len(words) if isinstance(words, str) else sum(len(text) for text, _ in words)

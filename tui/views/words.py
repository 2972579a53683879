"""Text with roles: what a view says, before it has colours."""

from __future__ import annotations

from typing import Protocol

Words = str | tuple[tuple[str, str], ...]
"""Plain text, or pieces of text with the role of each (a field of `tui.theme.palette.Palette`)."""


def length(words: Words) -> int:
    """The characters of `words`."""
    return len(words) if isinstance(words, str) else sum(len(text) for text, _ in words)


class Titled(Protocol):
    """A view that is shown in a frame."""

    @property
    def title(self) -> Words:
        """What the pane is."""

    @property
    def right(self) -> Words:
        """What it says now, at the right of the upper border."""

    @property
    def focused(self) -> bool:
        """Whether its border is lit."""

"""Runs as lines of text (addresses), and the store that keeps them; walkthroughs are such lines."""

from typing import Final

SCHEME: Final = "afterstate:"


def is_address(text: object) -> bool:
    """Return whether a text that could name a file or a run means an address."""
    return str(text).lstrip().startswith(SCHEME)

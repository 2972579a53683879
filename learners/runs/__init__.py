"""Runs as one-line addresses, and the store that keeps them."""

from typing import Final

SCHEME: Final = "afterstate:"


def is_address(text: object) -> bool:
    """Return whether a text is meant as an address, not as a file or a run."""
    return str(text).lstrip().startswith(SCHEME)

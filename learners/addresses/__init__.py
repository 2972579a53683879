"""Addresses: a run and a place in it, in one line of text; and lectures, files of such lines."""

from typing import Final

SCHEME: Final = "afterstate:"


def is_address(text: object) -> bool:
    """Whether a text that could name a file or a run means an address."""
    return str(text).lstrip().startswith(SCHEME)

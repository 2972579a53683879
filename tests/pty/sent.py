"""What was sent to a terminal: colours, attributes and everything else that is no text."""

from __future__ import annotations

import re

SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[^\[\]])")
STYLE = re.compile(rb"\x1b\[([0-9;]*)m")
CONTROL = re.compile(rb"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
"""Control characters that move nothing on any terminal; tab, line ends and escape are others."""


def styles(written: bytes) -> tuple[set[str], set[int]]:
    """The kinds of colours in a stream (`16`, `256`, `true`), and the codes of its attributes."""
    kinds: set[str] = set()
    attributes: set[int] = set()
    for sequence in STYLE.findall(bytes(written)):
        codes = [int(code or 0) for code in sequence.split(b";")]
        at = 0
        while at < len(codes):
            if codes[at] in (38, 48):
                kinds.add({5: "256", 2: "true"}[codes[at + 1]])
                at += {5: 2, 2: 4}[codes[at + 1]]
            elif 30 <= codes[at] <= 37 or 40 <= codes[at] <= 47 or 90 <= codes[at] <= 107:
                kinds.add("16")
            elif codes[at] not in (39, 49):
                attributes.add(codes[at])
            at += 1
    return kinds, attributes


def colours(written: bytes) -> set[str]:
    """The kinds of colours in a stream: `16`, `256`, `true`."""
    return styles(written)[0]


def only_ascii(written: bytes) -> bool:
    """Whether a stream has no other characters."""
    return all(byte < 0x80 for byte in written)


def sequences(written: bytes) -> set[bytes]:
    """The kinds of control sequences: what comes before the numbers, and the end."""
    return {re.sub(rb"[0-9;]+", b"", found) for found in SEQUENCE.findall(bytes(written))}

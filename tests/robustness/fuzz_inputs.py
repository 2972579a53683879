"""Inputs for the parsers: sound ones spoilt here and there, their words in any order, and noise."""

from __future__ import annotations

import re

import pytest
from fuzz_seeds import SEEDS
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

WORD = re.compile(rb"[A-Za-z]+|[0-9.]+|\s+|.", re.DOTALL)
HOSTILE = (
    b"\x00", b"\x1b[31m", b"\x1b]0;title\x07", b"\x9b2J", b"\xff", b"\xed\xa0\x80", b"\r\n", b"\t",
    "\x9b2J\u2028".encode(), "\u202e\u2066".encode(), "ſ٣１²".encode(), b"nan", b"-inf", b"1e400",
    b"9" * 5000, b"0x" + b"f" * 5000, b"-1", b"1_0", b"(" * 500, b"[" * 1000, b"a." * 300,
    b'"', b"'", b'"""', b"{}", b"null", b"true", b"..", b"/", b"~", b"%s%n", b"' OR 1=1 --",
    b"/dev/zero.npz", b"/dev/null.toml", b"[1e999]", b'{"a": NaN}', b"\x93NUMPY", b"PK\x05\x06",
)  # fmt: skip
"""What has broken parsers before."""
LONGEST = 40


def tried(quick: int, many: int, *marks: pytest.MarkDecorator) -> pytest.MarkDecorator:
    """Runs a test with a profile of so many cases, always the same; if slow, of many others."""
    no_checks = list(HealthCheck)
    always = settings(max_examples=quick, derandomize=True, suppress_health_check=no_checks)
    other = settings(max_examples=many, database=None, suppress_health_check=no_checks)
    profiles = pytest.param(always, marks=marks), pytest.param(other, marks=pytest.mark.slow)
    return pytest.mark.parametrize("profile", profiles, ids=["quick", "many"])


def inputs(target: str) -> st.SearchStrategy[bytes]:
    """Inputs for a target.

    Args:
        target: its name.
    """
    seeds = SEEDS[target]
    words = sorted({word for seed in seeds for word in WORD.findall(seed[:2000])} | set(HOSTILE))
    word = st.sampled_from(words)
    return st.one_of(
        spoilt(st.sampled_from(seeds), word),
        st.lists(word, max_size=LONGEST).map(b"".join),
        st.binary(max_size=200),
        st.text(max_size=LONGEST).map(lambda text: text.encode("utf-8", "surrogatepass")),
    )


@st.composite
def spoilt(
    draw: st.DrawFn, sound: st.SearchStrategy[bytes], word: st.SearchStrategy[bytes]
) -> bytes:
    """A sound input in which some places are cut out, or have become something else."""
    data = draw(sound)
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(data)))
        last = draw(st.integers(first, min(len(data), first + 12)))
        data = data[:first] + draw(st.one_of(word, st.binary(max_size=3))) + data[last:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 9)) == 0 else data

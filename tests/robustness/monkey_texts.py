"""What a monkey types and pastes: right answers, wrong ones, and bytes that mean nothing."""

from __future__ import annotations

import random

NUMBERS = (
    "", "0", "1", "-1", "+5", "1.5", "nan", "inf", "1e9", "9" * 400, "٣", "１２", "0x10", " 7 ",
)  # fmt: skip
TEXTS: dict[str, tuple[str, ...]] = {
    "train": ("50", "300", "2000", "100k", "1m", "unbeatable", "1_000", "5,000", *NUMBERS),
    "players": (
        "td", "q", "sarsa", "menace", "random", "perfect", "perfect:epsilon=0.1", "human",
        "td:alpha=0.5,epsilon=0.3", "td:exploration=learn", "nstep:n=3", "tdlambda", "double-q",
        "td:draw=0", "negamax", "mc", "chain", "expected-sarsa", "menace-code",
    ),
    "names": (
        "td:alpha=nan", "td:alpha=1e308", "td:alpha=", "td:=", "td:alpha=.1,alpha=.2", "nobody",
        "missing.npz", "missing.py:Rule", "td:" * 50, "td:epsilon=-1", "one.npz", "two.npz",
    ),
    "seed": ("7", "8", "123456789012345678", *NUMBERS),
    "recipe": ("menace", "two-agents", "sutton-barto", "opengenus", "none", ""),
    "break": (
        "error > .3", "flip", "change", "exploratory", "first visit", "X loses", "game 9",
        "game 100000000", "wrote X ....X....", "flip and error > .4 or first visit", "((((",
        "error > nan", "and",
    ),
    "filter": (
        "visits>10", "error>.1 ply=3", "X.O......", "?.X@5", "class", "never", "visits>", "ply=99",
        "error>nan", ">", "visits>1e400", "",
    ),
    "name": ("one", "two", "with space", "", "x" * 300, "día", "漢字", "a\tb", "..", "CON"),
    "note": ("", "a line", "x" * 3000, "🙂 wide", "[red]markup[/red]", "‮reversed"),
    "export": ("one.npz", "two.npz", "folder", "x" * 300, "", ".", "sub-folder", "a\\b.npz"),
    "search": ("td", "one", "[", "*", "", "漢"),
    "plan": ("tiny.toml", "tiny.toml", "1.4", "exercise-1.1", "wrong.toml", "missing.toml", ""),
    "seeds": ("1", "2", "5", *NUMBERS),
    "games": ("20", "200", "2000", *NUMBERS),
    "sweep": ("A.alpha=.1,.2", "A.alpha=", "B", "x.y=z", "A.epsilon=0,nan", ""),
}  # fmt: skip
"""By what they answer."""

LETTERS = (
    "aZ09 .,:=-+_()[]{}<>|\\\"'`!?*#%&;^@$€éß漢字あ🙂👩ا"
    "\u200d\u202e\u0301\u200b\u2028\ufffd\x00\x07\x08\x0b\x0c\x0e\x7f\x9b"
)
PIECES = (
    b"\x1b", b"\x1b[", b"\x1bO", b"\x1bP", b"\x1b]0;title\x07", b"\x1b[?", b"\x1b[<", b"\x1b[M",
    b"\x1b[1;5", b"\x1b[200~", b"\x1b[201~", b"\x1b[I", b"\x1b[O", b"\x1b[0;0R", b"\x1b[?2026;2$y",
    b"\x1b[?2048;0$y", b"\x1b[<0;-1;-1M", b"\x1b[<0;999999;999999M", b"\x1b[<0;999999;999999m",
    b"\x1b[99999999;1u", b"\x1b[;;;u", b"\x1b[1:2:3;4:5u", b"\xff", b"\xc3", b"\xf0\x9f",
    b"\xed\xa0\x80", b"\x00", b"\x9b", b"\x1b[57441u", b"\x1b[97;5u", b"\x1b[24~",
    b"\x1b\x1b", b"\x1b[1;2Z",
)  # fmt: skip
"""Beginnings of sequences, sequences out of place, and what is no UTF-8."""


def odd_text(dice: random.Random) -> str:
    """Characters of all kinds; now and then a great many."""
    return "".join(dice.choices(LETTERS, k=dice.choice((1, 5, 20, 20, 200, 5000))))


def garbage(dice: random.Random) -> bytes:
    """Bytes such as a bad line makes; neither Ctrl-C nor Ctrl-Z, and no slash for file names."""
    pieces = [
        dice.choice(PIECES) if dice.random() < 0.7 else bytes(dice.choices(range(256), k=3))
        for _ in range(dice.randint(1, 4))
    ]
    return b"".join(pieces).translate(None, b"\x03\x1a/")

"""Whatever is typed: an answer in printable ASCII, no exception, and an end with the input."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.blocks.speech import plain
from afterstate_lab.tui.pages.line import WORDS
from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run

NAMES = [name for word in WORDS for name in word.names.split(", ")]
OWN = {"train", "t", "open", "save", "players", "setup", "quit", "q"}
"""Words whose arguments are chosen below: they take long, or touch files."""
ARGUMENTS = st.one_of(
    st.sampled_from([
        "", "5", "event", "game", "phase", "first", "last", "3.2", "off", "error > .1", "flip",
        "exploratory or X loses", "X by error", "O visits>1", "....?....", "never", "values",
        "exact", "none", "on", "q", ".5", "+", "td:alpha=.5",
        "next", "back", "train", "td", "by", "1" * 400, "-1", ")", "(",
    ]),
    st.text(max_size=40),
)  # fmt: skip
LINES = st.one_of(
    st.sampled_from([str(number) for number in range(1, 10)]),
    st.sampled_from(["n", "b", "", "next", "back", "step", "play", "c", "C", "w", "u", "again"]),
    st.builds(
        lambda word, rest: f"{word} {rest}",
        st.sampled_from([name for name in NAMES if name not in OWN]),
        ARGUMENTS,
    ),
    st.sampled_from([
        "t 20", "train 5", "train", "t -1", "open", "open 3", "save", "save as x", "save as \x1b",
        "players", "players o q", "players x menace", "players random td", "players seed 3",
        "players td td td", "players o \x00", "setup recipe menace", "players o no.npz",
    ]),
    st.text(max_size=60).filter(lambda text: text.split()[:1] != ["t"]),
)  # fmt: skip


@given(st.lists(LINES, max_size=25), st.sampled_from(["td", "q", "menace", "random", "human"]))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_sequence_of_lines_is_answered(lines: list[str], o: str):
    run = seated_run(parse_player("human"), parse_player(o), 0)
    dialogue = Dialogue(run)
    told = dialogue.begin()
    for line in lines:
        assert told
        assert all(isinstance(text, str) and text for text in told)
        assert all(re.fullmatch("[ -~]*", plain(text)) for text in told)
        assert re.fullmatch(r"[ -~]+: ", dialogue.prompt)
        told = dialogue.answer(line)
    assert dialogue.answer("q") == ["Bye."]
    assert dialogue.is_over


HOSTILE = (
    "z" * 100_000, "\x1b]0;title\x07", "\x00\x01\x02", "9" * 4_500, "go " + "9" * 4_500,
    "t " + "9" * 4_500, "break " + "(" * 5_000, "table " + "x" * 5_000, "\u202e\u2066evil",
    "help " + "\x1b[2J", "open \x1b[2J", "fork \u0663", "go \u0663", "\ud800",
    "players x " + "a" * 5_000, "players x ../../\x1b.npz", "watch \x9b31m", "show \x85",
)  # fmt: skip


@pytest.mark.parametrize("mode", ["playing", "stepping"])
def test_a_hostile_line_is_answered_in_one_sentence(lab, sit, mode: str):
    dialogue = sit() if mode == "playing" else lab("td", "td", train=5)
    for line in HOSTILE:
        (told,) = dialogue.answer(line)
        assert len(told) < 600
        assert re.fullmatch("[ -~]+", plain(told))


def test_the_command_ends_at_the_end_of_its_input_with_status_0(afterstate):
    for stdin in (
        b"\xff\xfe\x00\n", b"step\nn\nn", b"t 50\nstep\nC", b"tour\nwatch event\n", b"5\nplay\n\n",
        b"\x1b[A\x1b[B\n" * 50, b"x" * 200_000, b"n\n" * 300,
    ):  # fmt: skip
        outcome = afterstate("play", "--plain", "--train=20", stdin=stdin)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.endswith("\nBye.\n")
        assert re.fullmatch(r"[ -~\n]*", outcome.out)

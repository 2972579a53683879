"""Any command line ends as one may end: something printed, or one line that says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fuzz_inputs import HOSTILE, tried
from fuzz_seeds import PLAN
from hypothesis import given, settings
from hypothesis import strategies as st

from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run

COMMANDS = (
    "train", "compete", "evaluate", "trace", "export", "learners", "recipes", "play", "experiment",
    "runs", "doctor",
)  # fmt: skip
OPTIONS: dict[str, tuple[str, ...]] = {
    "--x": ("td", "q:alpha=.5", "random", "human", "p.npz", "none.npz", "none.py:Rule", "td:", "X"),
    "--o": ("td", "menace", "perfect:epsilon=0..1", "p.npz:epsilon=.5", "td:alpha=2", "biased"),
    "--games": ("1", "5", "0", "-1", "1_0", "five"),
    "--seed": ("0", "7", "9" * 19, "-1"),
    "--out": ("p.npz", "new.npz", "new.txt", "no/where.npz", "results"),
    "--run": ("a", "b", " ", "x" * 99),
    "--recipe": ("menace", "two-agents", "none"),
    "--format": ("csv", "json", "svg", "xml"),
    "--board": ("X.O......", "X.X......", "."),
    "--seeds": ("1", "2", "1001"),
    "--workers": ("1", "0"),
}
FLAGS = ("--json", "--plain", "--list", "--help", "-h", "--version", "--", "-")
WORDS = ("p.npz", "plan.toml", "1.1", "none", "results", "")
NOISE = tuple(word.decode("utf-8", "surrogateescape").replace("\0", "") for word in HOSTILE)


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Words that a user might type, and some that nobody would."""
    noise = st.sampled_from(NOISE)
    words = [draw(st.sampled_from(COMMANDS) | noise)]
    if draw(st.integers(0, 9)):
        # A training of nobody's choice is long, and so is an experiment.
        words += ["--games", "4"] if words[0] in ("train", "compete", "experiment") else []
        for _ in range(draw(st.integers(0, 4))):
            option = draw(st.sampled_from(list(OPTIONS)))
            if option != "--games" or words[0] != "train":
                words += [option, draw(st.sampled_from(OPTIONS[option]) | noise)]
        words += draw(st.lists(st.sampled_from((*FLAGS, *WORDS)) | noise, max_size=2))
    else:
        words += ["--games", draw(st.sampled_from(("-1", "x")) | noise)]
    return words


@tried(40, 600)
def test_any_command_line_ends_as_one_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Any, profile: settings
) -> None:
    monkeypatch.chdir(tmp_path)
    td = parse_player("td")
    save_policy(Run(td, td), tmp_path / "p.npz")
    (tmp_path / "plan.toml").write_text(PLAN)

    @profile
    @given(command_lines())
    def law(words: list[str]) -> None:
        status, out, err = told(*words, stdin="5\nnext\n\x1b[2J\nq\n")
        assert status in (0, 1, 2)
        assert (out + err).replace("\n", "").isprintable()
        if status == 2:
            assert err.startswith("afterstate: ")
            assert err.count("\n") == 1
        if status == 0 and "--json" in words and not {"-h", "--help", "--version"} & {*words}:
            json.loads(out)

    law()

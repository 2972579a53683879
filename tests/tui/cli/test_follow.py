"""A lecture is recorded and followed by commands, in plain mode."""

from __future__ import annotations

import pytest

from learners.files import LOCK

LECTURE = """0.0 afterstate:1/td/td/7/300
0.0 @12.3
0.0 @12.3.2
0.0 # look
0.0 @400
"""


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    monkeypatch.setenv(LOCK, "")


def test_a_pipe_is_followed_to_its_end(afterstate):
    told = afterstate("follow", "-", "--plain", stdin=LECTURE)
    assert (told.status, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[1].startswith("Game 300 of 300, event ")
    assert "look." in told.out.lower()
    assert (
        lines[-2] == "Line 5 of the lecture: there is no game 400: the run of the address has 300."
    )
    assert lines[-1] == "The lecture is over."


def test_what_was_recorded_is_told_again(afterstate, tmp_path):
    file = tmp_path / "lecture"
    typed = "watch game\nstep\nnext\nremark the first choice\nq\n"
    words = ("play", "--plain", "--train=0", "--seed=3", f"--record={file}")
    assert afterstate(*words, stdin=typed).status == 0
    told = afterstate("follow", str(file), "--plain", "--fast")
    assert (told.status, told.err) == (0, "")
    assert told.out.splitlines()[-1] == "The first choice."


def test_a_lesson_that_was_recorded_is_followed_with_what_its_cards_say(afterstate, tmp_path):
    file = tmp_path / "lecture"
    words = ("lesson", "credit", "--plain", f"--record={file}")
    assert afterstate(*words, stdin="back event\nanswer 1\nq\n").status == 0
    places = [line.split()[1] for line in file.read_text().splitlines()]
    assert places[1:4] == ["afterstate:1/td/td/0/1@1.5.4", "@1.5.3", "@1.5.2"]
    told = afterstate("follow", str(file), "--plain", "--fast").out
    assert "TD moves the last board before the win, from .5 to .55." in " ".join(told.split())


def test_a_line_of_ones_own_steps_aside(afterstate, tmp_path):
    file = tmp_path / "lecture"
    file.write_text("0.0 afterstate:1/td/td/7/300@12.3\n9000.0 @13\n")
    told = afterstate("follow", str(file), "--plain", stdin="next\nlecture\nlecture\nq\n").out
    assert "You have stepped aside from the lecture: lecture, or l, goes back to it." in told
    assert told.endswith("Bye.\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("follow",), "FILE|- is missing"),
        (("follow", "nowhere"), "'nowhere' cannot be followed: no such file or directory"),
        (("--locked", "follow", "/etc/hostname"), "this lab is locked"),
        (("--locked", "play", "--plain", "--train=0", "--record=/tmp/lecture"), "is locked"),
        (("play", "--plain", "--train=0", "--record=/"), "cannot be recorded to"),
    ],
)
def test_what_is_wrong_is_one_line(afterstate, words, why):
    told = afterstate(*words)
    assert told.status == 2
    assert why in told.err
    assert len(told.err.splitlines()) == 1

"""A lecture is recorded, and followed: live or later, with its pauses or without."""

from __future__ import annotations

import os
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any

import pytest

from learners.files import LOCK
from learners.players.resolve import parse_player
from tui.lab.controller import LabController
from tui.lab.lazy_session import LazySession
from tui.lab.lectures import (
    Follower,
    LectureFileError,
    Recorder,
    lecture_file,
)
from tui.lab.log import log_view
from tui.lab.modes import Mode, Settings
from tui.lab.outcomes import Message, Question, Search, Steps


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Lab:
    """A lab without a screen: a command, and what comes of it."""

    def __init__(self, x: str = "td", o: str = "td", seed: int = 7) -> None:
        settings = Settings(parse_player(x), parse_player(o), seed)
        self.controller = LabController(LazySession(settings))

    @property
    def session(self):
        return self.controller.session

    def do(self, name: str, answer: str = "") -> Any:
        outcome = self.controller.perform(name)
        if isinstance(outcome, Question):
            outcome = outcome.answer(answer)
        outcome = self.done(outcome)
        self.controller.current.capture()
        return outcome

    def done(self, outcome: Any) -> Any:
        if isinstance(outcome, Steps):
            for _ in outcome.events:
                pass
        if isinstance(outcome, Search):
            return self.done(outcome.found(outcome.work(lambda part: None, lambda: False)))
        return outcome

    def follow(self) -> Any:
        return self.done(self.controller.lectures.follow())

    @property
    def place(self) -> tuple[Any, ...]:
        timeline = self.session.timeline
        return (timeline.game, timeline.row - timeline.rows.start, timeline.phase, timeline.at > 0)


def lines(*texts: str, is_over: bool = True) -> Any:
    """A reader that has read these lines."""
    queue: Queue[tuple[int, str]] = Queue()
    for number, text in enumerate(texts, 1):
        queue.put((number, text))
    return SimpleNamespace(lines=queue, is_at_end=True, is_over=is_over, stop=lambda: None)


def recorded(path: Path, steps: int, clock: Clock | None = None) -> Lab:
    """A lab that has recorded a lecture: some games watched, then stepped through."""
    lab = Lab()
    lab.controller.current.recorder = Recorder(path, clock or Clock())
    for _ in range(3):
        lab.do("watch_game")
    lab.do("step")
    for _ in range(steps):
        lab.do("phase_back")
    return lab


def test_a_line_is_written_at_every_place_where_the_lab_stops(tmp_path):
    path = tmp_path / "lecture"
    lab = Lab()
    lab.controller.current.recorder = Recorder(path, Clock())
    lab.do("watch_game")
    lab.do("help_level")
    lab.do("step")
    lab.do("phase")
    lab.do("remark", "the first move")
    first, *others = path.read_text().splitlines()
    assert first.partition("!")[0] == "0.0 afterstate:1/td/td/7/1"
    assert others == ["0.0 @1", "0.0 @1.1.2.1", "0.0 # the first move"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_lecture_of_two_hundred_places_is_some_kilobytes(tmp_path):
    path = tmp_path / "lecture"
    clock = Clock()
    lab = Lab()
    lab.controller.current.recorder = Recorder(path, clock)
    lab.session.run.train(2_000)
    lab.do("step")
    while (told := path.read_text().count("\n")) < 200:
        clock.now += 12.5
        lab.do("phase" if told % 2 else "game_back" if told % 8 == 0 else "event")
    size = path.stat().st_size
    assert 12 * 200 < size < 30 * 200


def test_whoever_follows_is_where_the_lecture_is(tmp_path):
    path = tmp_path / "lecture"
    teacher = Lab()
    teacher.controller.current.recorder = Recorder(path, Clock())
    student = Lab(x="q", seed=1)
    reader, told = lines(is_over=False), 0
    student.controller.lectures.follower = Follower(reader, fast=True)
    acts = ["watch_game", "watch_game", "step", *["phase"] * 4, "event_back", "play", "step"]
    for name in acts:
        teacher.do(name)
        written = path.read_text().splitlines()
        for number in range(told, len(written)):
            reader.lines.put((number + 1, written[number]))
        told = len(written)
        student.follow()
        assert student.place == teacher.place, name
        assert student.session.mode is teacher.session.mode
        assert student.session.run.memory.tobytes() == teacher.session.run.memory.tobytes()
        assert student.session.run.seating == teacher.session.run.seating


def test_pauses_are_kept_and_can_be_skipped():
    clock, lab = Clock(), Lab()
    run = "afterstate:1/td/td/7/20"
    reader = lines(f"100.0 {run}@1", "110.0 @2", "115.0 @3", "400.0 @4", is_over=False)
    lab.controller.lectures.follower = Follower(reader, clock=clock)
    lab.follow()
    assert lab.session.timeline.game == 0
    clock.now = 9.5
    assert lab.follow() is None
    clock.now = 15.5
    lab.follow()
    assert lab.session.timeline.game == 2
    assert lab.follow() is None
    lab.do("lecture")
    assert lab.session.timeline.game == 3


def test_without_pauses_the_newest_place_counts():
    lab = Lab()
    run = "afterstate:1/td/td/7/20"
    reader = lines(f"1.0 {run}@1", "110.0 @2", "900.0 @3 # see", "900.1 # there")
    lab.controller.lectures.follower = Follower(reader, fast=True)
    assert lab.follow() == Message("there")
    assert lab.session.timeline.game == 2
    assert lab.controller.lectures.follower.is_over


def test_the_student_steps_aside_and_comes_back():
    clock, lab = Clock(), Lab()
    run = "afterstate:1/td/td/7/20"
    lab.controller.lectures.follower = Follower(
        lines(f"0.0 {run}@1", "5.0 @2", "9.0 @3"), clock=clock
    )
    lab.follow()
    assert lab.session.follows == "following"
    lab.do("theme")
    assert not lab.controller.lectures.follower.is_aside
    lab.do("game")
    lab.do("game")
    lab.do("play")
    lab.controller.press_digit(5)
    assert lab.session.follows == "aside: * returns"
    aside = lab.session.run
    clock.now = 6.0
    assert lab.follow() is None
    assert lab.session.run is aside and lab.session.script == {1: 4}
    lab.do("lecture")
    assert (lab.session.timeline.game, lab.session.mode) == (1, Mode.STEP)
    assert not lab.session.waits
    clock.now = 10.0
    lab.follow()
    assert lab.session.timeline.game == 2


def test_what_cannot_be_followed_is_said_and_left_out():
    lab = Lab()
    run = "afterstate:1/td/td/7/20"
    said, clock = [], Clock()
    reader = lines(f"0 {run}@3", "\x1b[2J", "1 @21", "2 @3.1.90", "3 @4", "4 @5.", "5")
    follower = Follower(reader, each=True, clock=clock)
    lab.controller.lectures.follower = follower
    while not follower.is_over:
        outcome = lab.follow()
        said += [outcome.text] if isinstance(outcome, Message) and outcome.text else []
        clock.now += 0.5
    assert lab.session.timeline.game == 3
    assert [text[:40] for text in said] == [
        "Line 2 of the lecture: '\\x1b[2J' is no t",
        "Line 3 of the lecture: there is no game ",
        said[2][:40],
        "Line 6 of the lecture: '5.' in an addres",
        "Line 7 of the lecture: it has no address",
    ]
    assert said[2].startswith("Move 1 of game 3 has ")


def test_two_do_not_record_to_one_file(tmp_path):
    path = tmp_path / "lecture"
    Recorder(path)
    with pytest.raises(LectureFileError, match="is being recorded by another lab"):
        Recorder(path)


def test_a_lecture_goes_on_after_a_line_that_was_cut(tmp_path):
    path = tmp_path / "lecture"
    path.write_text("0.0 afterstate:1/td/t")
    recorded(path, 0)
    first, second, *_ = path.read_text().splitlines()
    assert first == "0.0 afterstate:1/td/t"
    assert second.startswith("0.0 afterstate:1/td/td/7/1!")


@pytest.mark.parametrize("what", ["folder", "pipe", "locked", "nowhere"])
def test_where_nothing_can_be_recorded_or_followed_it_is_said(tmp_path, monkeypatch, what):
    path = tmp_path / "lecture"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "locked":
        monkeypatch.setenv(LOCK, "1")
    else:
        path = path / "nowhere"
    with pytest.raises(LectureFileError, match=r"lecture.* cannot be recorded to"):
        Recorder(path)
    why = "a pipe is followed as -" if what in ("folder", "pipe") else "cannot be followed"
    with pytest.raises(LectureFileError, match=why):
        lecture_file(path)


def test_a_full_disk_is_said_once_and_stops_nothing(tmp_path, monkeypatch):
    lab = recorded(tmp_path / "lecture", 0)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tui.lab.lectures.os.write", full)
    lab.do("phase_back")
    assert "no space left on device" in lab.session.note
    lab.do("phase_back")
    assert lab.session.note == ""


def test_a_file_that_grows_for_ever_takes_no_more_memory(tmp_path):
    path = tmp_path / "lecture"
    path.write_bytes(b"x" * 3_000_000 + b"\n" + b"0 afterstate:1/td/td/7/20@3\n" * 5_000)
    reader = lecture_file(path)
    follower = Follower(reader, fast=True)
    wrong = []
    while not follower.is_over and not (follower.stop and follower.is_drained):
        assert reader.lines.qsize() <= 500
        wrong += [said for _, said in (follower.advance(),) if said]
    reader.stop()
    assert len(wrong) == 1 and wrong[0].startswith("line 1 of the lecture: 'xxx")
    assert follower.stop is not None
    assert len(follower.stop.address.run.x) == 2


def test_a_file_that_is_begun_anew_is_read_anew(tmp_path):
    path = tmp_path / "lecture"
    path.write_text("0 afterstate:1/td/td/7/20000@1999.3\n")
    reader = lecture_file(path)
    assert reader.lines.get(timeout=10)[0] == 1
    path.write_text("0 afterstate:1/td/td/7/9@1\n")
    assert reader.lines.get(timeout=10) == (1, "0 afterstate:1/td/td/7/9@1")
    reader.stop()


@pytest.mark.parametrize("mode", ["train", "watch"])
def test_a_remark_that_is_too_long_for_the_board_stands_in_the_log(mode):
    lab, remark = Lab(), "what the figures say is computed, and none of it is sampled, ever"
    stop = f"0.0 afterstate:1/td/td/7/20 {mode} # {remark}"
    lab.controller.lectures.follower = Follower(lines(stop, "1.0 # short"))
    lab.session.say(lab.follow())
    assert log_view(lab.session).lines[-1] == ((remark, "remark"),)

"""A lecture is recorded, and followed: live or later, with its pauses or without."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import LOCK
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address, AddressPlace
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.lazy_session import LazySession
from afterstate_lab.tui.lab.lectures import (
    CHUNK,
    LONGEST_LINE,
    Follower,
    LectureReader,
    LectureStop,
    Recorder,
    lecture_line,
    open_lecture,
    read_lecture_line,
)
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Message, Question, Search, Steps

RUN = Address.parse("afterstate:1/td/td/7/20000")
FIRST = LectureStop(0.5, RUN)
GAMES = "afterstate:1/td/td/7/20"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

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


def lines(*texts: str) -> LectureReader:
    """A reader of these lines."""
    return LectureReader(BytesIO("\n".join(texts).encode()), grows=False)


def recording(path: Path, clock: Clock | None = None) -> Lab:
    lab = Lab()
    lab.controller.current.recorder = Recorder(path, clock or Clock())
    return lab


def following(*texts: str, **how: Any) -> Lab:
    """A lab that follows these lines."""
    lab = Lab()
    lab.controller.lectures.follower = Follower(lines(*texts), **how)
    return lab


def test_a_line_is_written_at_every_place_where_the_lab_stops(tmp_path):
    path = tmp_path / "lecture"
    lab = recording(path)
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
    lab = recording(path, clock)
    lab.session.run.train(2_000)
    lab.do("step")
    while (told := path.read_text().count("\n")) < 200:
        clock.now += 12.5
        lab.do("phase" if told % 2 else "game_back" if told % 8 == 0 else "event")
    size = path.stat().st_size
    assert 12 * 200 < size < 30 * 200


def test_whoever_follows_is_where_the_lecture_is(tmp_path):
    path = tmp_path / "lecture"
    teacher = recording(path)
    student = Lab(x="q", seed=1)
    follower = student.controller.lectures.follower = Follower(open_lecture(str(path)), fast=True)
    acts = ["watch_game", "watch_game", "step", *["phase"] * 4, "event_back", "play", "step"]
    for name in acts:
        teacher.do(name)
        student.follow()
        assert student.place == teacher.place, name
        assert student.session.mode is teacher.session.mode
        assert student.session.run.memory.tobytes() == teacher.session.run.memory.tobytes()
        assert student.session.run.seating == teacher.session.run.seating
    follower.close()


def test_pauses_are_kept_and_can_be_skipped():
    clock = Clock()
    lab = following(f"100.0 {GAMES}@1", "110.0 @2", "115.0 @3", "400.0 @4", clock=clock)
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
    lab = following(f"1.0 {GAMES}@1", "110.0 @2", "900.0 @3 # see", "900.1 # there", fast=True)
    assert lab.follow() == Message("there")
    assert lab.session.timeline.game == 2
    assert lab.controller.lectures.follower.is_over


def test_the_student_steps_aside_and_comes_back():
    clock = Clock()
    lab = following(f"0.0 {GAMES}@1", "5.0 @2", "9.0 @3", clock=clock)
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
    said, clock = [], Clock()
    texts = (f"0 {GAMES}@3", "\x1b[2J", "1 @21", "2 @3.1.90", "3 @4", "4 @5.", "5")
    lab = following(*texts, each=True, clock=clock)
    while not lab.controller.lectures.follower.is_over:
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
    with pytest.raises(UsageError, match="is being recorded by another lab"):
        Recorder(path)


def test_a_lecture_goes_on_after_a_line_that_was_cut(tmp_path):
    path = tmp_path / "lecture"
    path.write_text("0.0 afterstate:1/td/t")
    recording(path).do("watch_game")
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
    with pytest.raises(UsageError, match=r"lecture.* cannot be recorded to"):
        Recorder(path)
    why = "a pipe is followed as -" if what in ("folder", "pipe") else "cannot be followed"
    with pytest.raises(UsageError, match=why):
        open_lecture(str(path))


def test_a_full_disk_is_said_once_and_stops_nothing(tmp_path, monkeypatch):
    lab = recording(tmp_path / "lecture")
    lab.do("watch_game")
    lab.do("step")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("afterstate_lab.tui.lab.lectures.os.write", full)
    lab.do("phase_back")
    assert "no space left on device" in lab.session.note
    lab.do("phase_back")
    assert lab.session.note == ""


def test_a_file_that_grows_for_ever_takes_no_more_memory(tmp_path):
    path = tmp_path / "lecture"
    path.write_bytes(b"x" * 3_000_000 + b"\n" + b"0 afterstate:1/td/td/7/20@3\n" * 5_000)
    reader = open_lecture(str(path))
    follower = Follower(reader, fast=True)
    wrong = []
    while not follower.is_over and not (follower.stop and follower.is_drained):
        assert len(reader._rest) <= 4 * LONGEST_LINE + CHUNK + 5
        wrong += [said for _, said in (follower.advance(),) if said]
    reader.close()
    assert len(wrong) == 1 and wrong[0].startswith("line 1 of the lecture: 'xxx")
    assert follower.stop is not None
    assert len(follower.stop.address.run.x) == 2


def test_a_pipe_is_read_without_waiting_for_its_lines():
    end, start = os.pipe()
    reader = LectureReader(os.fdopen(end, "rb", buffering=0), grows=False)
    assert reader.line() is None
    assert not reader.is_over
    os.write(start, b"0 first\n1 seco")
    assert reader.line() == (1, "0 first")
    assert reader.line() is None
    os.write(start, b"nd")
    os.close(start)
    assert (reader.line(), reader.line()) == ((2, "1 second"), None)
    assert reader.is_over
    reader.close()


def test_a_file_that_is_begun_anew_is_read_anew(tmp_path):
    path = tmp_path / "lecture"
    path.write_text("0 afterstate:1/td/td/7/20000@1999.3\n")
    reader = open_lecture(str(path))
    assert reader.line() == (1, "0 afterstate:1/td/td/7/20000@1999.3")
    assert reader.line() is None
    path.write_text("0 afterstate:1/td/td/7/9@1\n")
    assert reader.line() is None
    assert reader.line() == (1, "0 afterstate:1/td/td/7/9@1")
    reader.close()


@pytest.mark.parametrize(
    ("stop", "line"),
    [
        (LectureStop(3.25, RUN.at(AddressPlace(19_999, 3))), "3.2 @19999.3\n"),
        (LectureStop(4, RUN, "train"), "4.0 @ train\n"),
        (LectureStop(5, RUN, remark="look # here"), "5.0 # look # here\n"),
        (LectureStop(6, Address.parse("afterstate:1/td/q/7/9@3")), "6.0 afterstate:1/td/q/7/9@3\n"),
        (LectureStop(7, Address.parse(f"{RUN}@3+x=mc"), "", "see"), "7.0 @3+x=mc # see\n"),
    ],
)
def test_a_line_has_what_is_new(stop, line):
    assert lecture_line(stop, FIRST) == line


@given(
    st.lists(
        st.builds(
            LectureStop,
            st.integers(0, 10**6).map(float),
            st.sampled_from(
                [RUN, Address.parse("afterstate:1/td/q/7/9"), Address.parse(f"{RUN}@3+x=mc")]
                + [RUN.at(AddressPlace(game, 3)) for game in (1, 2, 19_999)]
            ),
            st.sampled_from(("", "watch", "train")),
            st.text(max_size=30).map(str.strip).filter(str.isprintable),
        )
    )
)
def test_a_lecture_is_read_as_it_was_written(stops):
    before = read = None
    for number, stop in enumerate(stops, 1):
        read = read_lecture_line(lecture_line(stop, before).rstrip("\n"), number, read)
        assert read == stop
        before = stop


@pytest.mark.parametrize("line", ["", "  ", "# a comment", "\r"])
def test_some_lines_say_nothing(line):
    assert read_lecture_line(line, 1, None) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("@3", "line 7 of the lecture: '@3' is no time and address"),
        ("-1 @3", "is no time and address"),
        ("nan @3", "is no time and address"),
        ("3", "line 7 of the lecture: it has no address"),
        ("3 @3 dance", "'dance' is no mode: play, watch, step, train are"),
        ("3 @", "it has a place, and no line before it has a run"),
        ("3 # look", "it has no address"),
        ("3 afterstate:1/td/td/7/2000", None),
        ("3 afterstate:1/td/td", "is no whole address"),
        ("3 afterstate:1/td/td/7/20@30", "there is no game 30"),
        ("3 \x1b[31m", r"'\x1b[31m' is no address"),
        ("3 " + "x" * LONGEST_LINE, "is no time and address"),
    ],
)
def test_what_is_wrong_is_said_with_the_number_of_the_line(line, why):
    if why is None:
        assert read_lecture_line(line, 7, None) is not None
        return
    with pytest.raises(UsageError) as refused:
        read_lecture_line(line, 7, None)
    assert why in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


def test_a_remark_is_printable():
    stop = read_lecture_line("3 afterstate:1/td/td/7/20 # \x1b[31mred", 1, None)
    assert stop is not None
    assert stop.remark == "\\x1b[31mred"

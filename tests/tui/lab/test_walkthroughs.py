"""A walkthrough is recorded, and followed: live or later, with its pauses or without."""

import os
import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import done

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import LOCK
from afterstate_lab.learners.library import TrainingRun
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address, AddressPlace
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Key, Message
from afterstate_lab.tui.lab.scripts.recording import (
    CHUNK,
    OURS,
    Follower,
    Recorder,
    open_walkthrough,
    whole_walkthrough,
)
from afterstate_lab.tui.lab.scripts.script import LONGEST_LINE, Step, moment_line, read_moment

RUN = Address.parse("afterstate:1/td/td/7/20000")
GAMES = "afterstate:1/td/td/7/20"
NUMBER = re.compile(r"(?<!\d)\.\d+")
WIDEST = 74
"""Characters that a caption has on a screen of 80 columns, stepping."""


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Lab(LabController):
    """A lab without a screen: a command, and what comes of it."""

    def __init__(self, x: str = "td", seed: int = 7) -> None:
        super().__init__(Settings(parse_player(x), parse_player("td"), seed))

    def do(self, name: str, answer: str = "") -> Any:
        outcome = self.perform(name)
        outcome = done(outcome.do(answer) if isinstance(outcome, Key) else outcome)
        self.capture()
        return outcome

    def follow(self) -> Any:
        return done(self.lectures.follow())

    @property
    def there(self) -> tuple[Any, ...]:
        timeline = self.session.timeline
        is_begun = timeline.at > timeline.rows.start
        return timeline.game, timeline.row - timeline.rows.start, timeline.phase, is_begun


def recording(path: Path) -> Lab:
    lab = Lab()
    lab.recorder = Recorder(path, Clock())
    return lab


def following(*texts: str, **how: Any) -> Lab:
    lab = Lab()
    lab.lectures.follower = Follower(BytesIO("\n".join(texts).encode()), **how)
    return lab


def test_a_line_is_written_at_every_place_where_the_lab_stops(tmp_path):
    path = tmp_path / "script"
    lab = recording(path)
    for name in ("watch_game", "help_level", "step", "phase"):
        lab.do(name)
    lab.do("remark", "the first move")
    first, *others = path.read_text().splitlines()
    assert first.partition("!")[0] == "0.0 afterstate:1/td/td/7/1"
    assert others == ["0.0 @1.8.3.2", "0.0 @1.8.3", "0.0 # the first move"]
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(UsageError, match="is being recorded by another lab"):
        Recorder(path)
    cut = tmp_path / "cut"
    cut.write_text("0.0 afterstate:1/td/t")
    recording(cut).do("watch_game")
    assert cut.read_text().startswith("0.0 afterstate:1/td/t\n0.0 afterstate:1/td/td/7/1!")


def test_whoever_follows_is_where_the_walkthrough_is(tmp_path):
    path = tmp_path / "script"
    teacher, student = recording(path), Lab(x="q", seed=1)
    follower = Follower(open_walkthrough(str(path)), grows=True, fast=True)
    student.lectures.follower = follower
    acts = ["watch_game", "watch_game", "step", *["phase"] * 4, "event_back", "play", "step"]
    for name in acts:
        teacher.do(name)
        student.follow()
        assert student.there == teacher.there, name
        assert student.session.mode is teacher.session.mode
        assert student.session.run.memory.tobytes() == teacher.session.run.memory.tobytes()
        assert student.session.run.seating == teacher.session.run.seating
    follower.close()


def test_pauses_are_kept_and_can_be_skipped_and_without_them_the_newest_place_counts():
    clock = Clock()
    lab = following(f"100.0 {GAMES}@1", "110.0 @2", "115.0 @3", "400.0 @4", clock=clock)
    for clock.now, game in ((0.0, 0), (9.5, 0), (15.5, 2), (15.5, 2)):
        before = lab.session.timeline.game
        outcome = lab.follow()
        assert lab.session.timeline.game == game
        assert outcome is None or game != before or clock.now == 0
    lab.do("lecture")
    assert lab.session.timeline.game == 3
    lab = following(f"1.0 {GAMES}@1", "110.0 @2", "900.0 @3 # see", "900.1 # there", fast=True)
    assert lab.follow() == Message("there")
    assert lab.session.timeline.game == 2
    assert lab.lectures.follower.is_over


def test_the_student_steps_aside_and_comes_back():
    clock = Clock()
    lab = following(f"0.0 {GAMES}@1", "5.0 @2", "9.0 @3", clock=clock)
    lab.follow()
    assert lab.session.follows == "following"
    lab.do("theme")
    assert not lab.lectures.follower.is_aside
    for name in ("game", "game", "play"):
        lab.do(name)
    lab.clicked("cell", 5)
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
    while not lab.lectures.follower.is_over:
        outcome = lab.follow()
        said += [outcome.text] if isinstance(outcome, Message) and outcome.text else []
        clock.now += 0.5
    assert lab.session.timeline.game == 3
    assert [text[:44] for text in said] == [
        "Line 2 of the walkthrough: '\\x1b[2J' is not ",
        "Line 3 of the walkthrough: no game 21: the r",
        said[2][:44],
        "Line 6 of the walkthrough: '5.' in an addres",
        "Line 7 of the walkthrough: it has no address",
    ]
    assert said[2].startswith("Move 1 of game 3 has ")


@pytest.mark.parametrize("what", ["folder", "pipe", "locked", "nowhere"])
def test_where_nothing_can_be_recorded_or_followed_it_is_said(tmp_path, monkeypatch, what):
    path = tmp_path / "script"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "locked":
        monkeypatch.setenv(LOCK, "1")
    else:
        path = path / "nowhere"
    with pytest.raises(UsageError, match=r"script.* cannot be recorded to"):
        Recorder(path)
    why = "follow a pipe with -" if what in ("folder", "pipe") else "cannot be followed"
    with pytest.raises(UsageError, match=why):
        open_walkthrough(str(path))


def test_a_full_disk_is_said_once_and_stops_nothing(tmp_path, monkeypatch):
    lab = recording(tmp_path / "script")
    lab.do("watch_game")
    lab.do("step")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("afterstate_lab.tui.lab.scripts.recording.os.write", full)
    lab.do("phase_back")
    assert "no space left on device" in lab.session.note
    lab.do("phase_back")
    assert lab.session.note == ""


def test_a_file_that_grows_for_ever_takes_no_more_memory(tmp_path):
    path, wrong = tmp_path / "script", []
    path.write_bytes(b"x" * 3_000_000 + b"\n" + b"0 afterstate:1/td/td/7/20@3\n" * 5_000)
    follower = Follower(open_walkthrough(str(path)), grows=True, fast=True)
    while not (follower.stop and follower.is_drained):
        assert len(follower._rest) <= 4 * LONGEST_LINE + CHUNK + 5
        wrong += [said for _, said in (follower.advance(),) if said]
    follower.close()
    assert len(wrong) == 1 and wrong[0].startswith("line 1 of the walkthrough: 'xxx")
    assert len(follower.stop.address.run.x) == 2


STEPS = st.builds(
    Step,
    st.integers(0, 10**6).map(float),
    st.sampled_from([
        RUN, Address.parse("afterstate:1/td/q/7/9"), Address.parse(f"{RUN}@3+x=mc"),
        *(RUN.at(AddressPlace(game, 3)) for game in (1, 2, 19_999)),
    ]),
    st.sampled_from(("", "watch", "train")),
    st.text(max_size=30).map(str.strip).filter(str.isprintable),
)  # fmt: skip


@given(st.lists(STEPS))
def test_a_walkthrough_is_read_as_it_was_written_and_comments_say_nothing(steps):
    before = read = None
    for step in steps:
        read = read_moment(moment_line(step, before).rstrip("\n"), read)
        assert read == step
        before = step
    assert [read_moment(line, None) for line in ("", "  ", "# a comment", "\r")] == [None] * 4
    step = read_moment("3 afterstate:1/td/td/7/20 # \x1b[31mred", None)
    assert step is not None and step.text == "\\x1b[31mred"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("@3", "'@3' is not a time and an address"),
        ("-1 @3", "is not a time and an address"),
        ("nan @3", "is not a time and an address"),
        ("3", "it has no address"),
        ("3 @3 dance", "'dance' is not a mode: use play, watch, step, train"),
        ("3 @", "it has a place, and no line before it has a run"),
        ("3 # look", "it has no address"),
        ("3 afterstate:1/td/td", "is not a whole address"),
        ("3 afterstate:1/td/td/7/20@30", "no game 30"),
        ("3 \x1b[31m", r"'\x1b[31m' is not an address"),
        ("3 " + "x" * LONGEST_LINE, "is not a time and an address"),
    ],
)
def test_what_is_wrong_is_said(line, why):
    with pytest.raises(UsageError) as refused:
        read_moment(line, None)
    assert why in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


def test_our_captions_can_be_read_in_time_and_their_numbers_are_in_the_events_of_the_game():
    ours = whole_walkthrough(OURS)
    for step, after in pairwise(ours):
        assert after.seconds - step.seconds >= 5 + len(step.text) / 15
    assert all(0 < len(step.text) <= WIDEST for step in ours)
    run = TrainingRun(open_address(ours[0].address).run)
    for step in ours:
        place = step.address.place
        if place is None or step.address.run != ours[0].address.run:
            continue
        there: list[float] = []
        for event in run.events(place.game):
            there += event.get("values", {}).values()
            there += [event[key] for key in ("old", "target", "step", "new") if key in event]
        for text in NUMBER.findall(step.text):
            assert any(f"{number:.{len(text) - 1}f}".endswith(text) for number in there), step


@pytest.mark.slow
def test_what_ours_says_of_both_players_is_so():
    for step in whole_walkthrough(OURS):
        if step.mode == "train":
            found = TrainingRun(open_address(step.address).run).evaluate()
            assert not found["X"]["beatable"]
            assert found["O"]["beatable"] is (step.address.games == 20_000)


def test_a_file_that_is_begun_anew_is_read_anew(tmp_path):
    path = tmp_path / "script"
    path.write_text(f"0 {RUN}@1999.3\n")
    reader = Follower(open_walkthrough(str(path)), grows=True)
    assert (reader.line(), reader.line()) == (f"0 {RUN}@1999.3", None)
    path.write_text("oops\n")
    assert reader.line() is None
    with pytest.raises(UsageError, match="line 1 of the walkthrough: 'oops'"):
        reader.moment()
    reader.close()

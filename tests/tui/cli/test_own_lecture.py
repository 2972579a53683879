"""The lecture that comes with the program goes to its end, and what it says is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from afterstate_lab.learners.library import TrainingRun
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.tui.lab.lectures import OURS, LectureStop, whole_lecture

NUMBER = re.compile(r"(?<!\d)\.\d+")
WIDEST = 74
"""Characters that a remark has on a screen of 80 columns, stepping."""


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture(scope="module")
def stops() -> list[LectureStop]:
    return whole_lecture(OURS)


@pytest.mark.slow
def test_it_is_followed_to_its_end_in_sentences(afterstate, stops):
    told = afterstate("follow", OURS, "--plain", "--fast")
    assert (told.status, told.err) == (0, "")
    assert "Line" not in told.out
    assert told.out.count("Game 20,001 of 20,001") == 1
    assert told.out.endswith("What do you say?\nThe lecture is over.\n")


def test_its_remarks_can_be_read_in_time_and_on_a_small_screen(stops):
    for stop, after in pairwise(stops):
        assert after.seconds - stop.seconds >= 5 + len(stop.remark) / 15
    for stop in stops:
        assert 0 < len(stop.remark) <= WIDEST


def test_each_number_of_a_remark_stands_in_the_events_of_its_game(stops):
    opened = open_address(stops[0].address)
    assert opened is not None
    run = TrainingRun(opened.run)
    for stop in stops:
        place = stop.address.place
        if place is None or stop.address.run != stops[0].address.run:
            continue
        there = [*numbers(run.events(place.game))]
        for text in NUMBER.findall(stop.remark):
            assert any(f"{number:.{len(text) - 1}f}".endswith(text) for number in there), stop


def numbers(events: list[dict]) -> Iterator[float]:
    for event in events:
        yield from event.get("values", {}).values()
        yield from (event[key] for key in ("old", "target", "step", "new") if key in event)


@pytest.mark.slow
def test_what_it_says_of_both_players_is_so(stops):
    for stop in stops:
        if stop.mode == "train":
            opened = open_address(stop.address)
            found = TrainingRun(opened.run).evaluate()
            assert not found["X"]["beatable"]
            assert found["O"]["beatable"] is (stop.address.games == 20_000)

"""The timeline: back over the edge of what it holds as forth over it, place by place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import GAMES_BEFORE, Timeline

Where = tuple[TapePosition, int, bytes]


def timeline_at(game):
    run = Run(parse_player("td"), parse_player("td"), 5)
    run.train(60)
    timeline = Timeline(run)
    timeline.go_to(game)
    return timeline


def where(timeline):
    assert timeline.event is not None
    return timeline.place, timeline.phase, timeline.v.tobytes()


@pytest.mark.parametrize("step", ["step", "step_phase"])
def test_steps_back_over_the_windows_edge_are_those_forth(step):
    # A window begins GAMES_BEFORE games earlier: so many games back lie beyond its edge.
    timeline = timeline_at(50)
    forth: Callable[[], bool] = getattr(timeline, step)
    back: Callable[[], bool] = getattr(timeline, f"{step}_back")
    places = [where(timeline)]
    while timeline.game >= 50 - GAMES_BEFORE - 2:
        assert back()
        places.append(where(timeline))
    for place in reversed(places[:-1]):
        assert forth()
        assert where(timeline) == place


def test_an_event_back_from_a_phase_at_the_windows_edge_is_the_last_of_the_game_before():
    timeline = timeline_at(50)
    first = 50 - GAMES_BEFORE
    timeline.go_to(first)
    timeline.step_phase_back()
    assert timeline.place == TapePosition(first, 0)
    assert timeline.step_back()
    assert timeline.game == first - 1
    assert timeline.row == timeline.rows.stop - 1

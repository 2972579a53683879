"""Places of a run under the microscope, without a screen."""

from collections.abc import Callable, Iterator

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import Timeline
from afterstate_lab.tui.lab.microscope.microscope import Microscope

Walk = Callable[..., Iterator[Microscope]]


@pytest.fixture
def walk() -> Walk:
    """Goes through the first games of a trained run, phase by phase."""

    def places(x: str, o: str, games: int = 40, phases: int = 110) -> Iterator[Microscope]:
        run = Run.of(parse_player(x), parse_player(o), 3)
        run.train(games)
        timeline = Timeline(run)
        timeline.go_to(3)
        timeline.seek(timeline.rows.start)
        for _ in range(phases):
            if not timeline.step_phase():
                return
            scope = Microscope.at(timeline)
            if scope is not None:
                yield scope

    return places

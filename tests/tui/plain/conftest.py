"""Dialogues in plain mode, without a process of their own."""

from collections.abc import Callable

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run


@pytest.fixture
def sit() -> Callable[..., Dialogue]:
    """A dialogue that has told its first lines, of a person against a learner."""

    def table(o: str = "td") -> Dialogue:
        dialogue = Dialogue(seated_run(parse_player("human"), parse_player(o), 0), "none")
        dialogue.begin()
        return dialogue

    return table


@pytest.fixture
def lab() -> Callable[..., Dialogue]:
    """A dialogue that steps through a run of two players, after so many games."""

    def table(x: str, o: str, train: int) -> Dialogue:
        run = Run.of(parse_player(x), parse_player(o), 3)
        run.train(train)
        dialogue = Dialogue(run)
        dialogue.answer("step")
        return dialogue

    return table

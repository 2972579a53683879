"""Dialogues in plain mode, without a process of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.plain.dialogue import Dialogue, seated_run

Sit = Callable[..., Dialogue]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here needs the compiler."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture
def sit() -> Sit:
    """A dialogue that has told its first lines, after so many games of training."""

    def table(x: str = "human", o: str = "td", train: int = 0, seed: int = 0) -> Dialogue:
        run = seated_run(parse_player(x), parse_player(o), seed)
        dialogue = Dialogue(run, "none")
        dialogue.begin()
        if train:
            dialogue.answer(f"train {train}")
        return dialogue

    return table


@pytest.fixture
def lab() -> Sit:
    """A dialogue about a run of two players, nobody at the board, after so many games."""

    def table(x: str, o: str, train: int = 0, seed: int = 3) -> Dialogue:
        run = Run.of(parse_player(x), parse_player(o), seed)
        dialogue = Dialogue(run)
        if train:
            run.train(train)
            dialogue = Dialogue(run)
            dialogue.answer("step")
        return dialogue

    return table

"""A store, and runs to put into it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run, Seat, Seating


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler: few games are played here."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "data" / "runs.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store.open(path, patience=0.2) as opened:
        yield opened


@pytest.fixture
def begin() -> Callable[..., Run]:
    """Begins a run between two players."""

    def begin(x: str = "td", o: str = "td", seed: int = 7) -> Run:
        return Run(parse_player(x), parse_player(o), seed)

    return begin


@pytest.fixture
def play_as_x() -> Callable[[Run], dict[int, int]]:
    """Plays a person's game as X, always on the first free cell, and stands up; its moves."""

    def play_as_x(run: Run) -> dict[int, int]:
        run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
        script: dict[int, int] = {}
        while not run.play(script).is_over:
            for cell in range(9):
                try:
                    run.fork(run.games).play(longer := script | {2 * len(script) + 1: cell})
                except IllegalMoveError:
                    continue
                script = longer
                break
        run.seat(Seating())
        return script

    return play_as_x


@pytest.fixture
def assert_same() -> Callable[[Run, Run], None]:
    """Asserts that two states are the same, bit by bit."""

    def assert_same(a: Run, b: Run) -> None:
        assert (a.x, a.o, a.seed, a.games, a.seating_changes) == (
            b.x,
            b.o,
            b.seed,
            b.games,
            b.seating_changes,
        )
        assert dict(a.scripts) == dict(b.scripts)
        assert a.memory.tobytes() == b.memory.tobytes()
        assert a.tally.tolist() == b.tally.tolist()
        assert [(k.game, k.sha256, k.tally.tolist()) for k in a.keyframes] == [
            (k.game, k.sha256, k.tally.tolist()) for k in b.keyframes
        ]

    return assert_same

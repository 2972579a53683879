"""A whole run again under other rules or options: the same seed, the same moves from outside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from game import Board
from learners.kernel.kernel import EVENTS_A_GAME, empty_columns
from learners.tape.events import Move
from learners.tape.run import Run
from learners.tape.segments import WORTH_COMPILING
from learners.tape.state import Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from learners.rules.spec import PlayerSpec
    from learners.tape.segments import Progress, Stop

COMPILED_SLICE = 1 << 15
INTERPRETED_SLICE = 1 << 9
"""Games from one look at `stop` to the next, at most."""
PARTS = 64
"""A run is played again in at least so many parts: each can leave a keyframe, of which its learning
curve is made."""


def rerun(
    run: Run,
    *,
    x: PlayerSpec | None = None,
    o: PlayerSpec | None = None,
    games: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Run | None:
    """A run's games again, from the first one on, with other players.

    The dice are the same, and so are the moves given from outside as long as they are legal. Where
    one is not, the learner that keeps the person's place makes the rest of that person's moves in
    that game, frozen.

    Args:
        run: the run; it is left as it is.
        x: who plays X instead, if anybody.
        o: who plays O instead.
        games: how many games; all that are over by default.
        progress: told what part is done.
        stop: asked every few milliseconds whether to give up.

    Returns:
        The new run, or None where `stop` said so.
    """
    other = Run(x or run.x, o or run.o, run.seed)
    last = run.games if games is None else games
    starts = {game for game, _ in run.legs} | {g + k for g in run.scripts for k in (0, 1)}
    stretches = sorted({0, *(game for game in starts if 0 < game < last)})
    for start, end in zip(stretches, [*stretches[1:], last], strict=True):
        other.seat(run.seating_of(start))
        if start < last and start in run.scripts:
            play_scripted(other, run.scripts[start])
            continue
        wanted = run.kernel(other.seating).is_compiled or end - start >= WORTH_COMPILING
        compiled = wanted and other.kernel().compile()
        while other.games < end:
            if stop is not None and stop():
                return None
            slice_ = COMPILED_SLICE if compiled else INTERPRETED_SLICE
            part = max(1, min(slice_, last // PARTS))
            other.train(min(part, end - other.games))
            if progress is not None:
                progress(other.games / last)
    return other


def play_scripted(run: Run, script: tuple[int, ...]) -> None:
    """Play the next game with moves given from outside, to its end."""
    legal = legal_script(run, run.memory, run.games, script)
    moves = {ply: cell for ply, cell in enumerate(legal) if cell >= 0}
    if not run.play(moves).is_over:
        stood_up = {
            side: Seat.FROZEN for side in ("x", "o") if getattr(run.seating, side) is Seat.HUMAN
        }
        run.seat(replace(run.seating, **stood_up))
        run.play(moves)


def legal_script(
    run: Run, memory: NDArray[np.float64], game: int, script: tuple[int, ...]
) -> tuple[int, ...]:
    """A script up to its first move that is not legal where it comes.

    Args:
        run: who plays, and with which dice.
        memory: what they know before the game.
        game: the number of the game.
        script: the cells given from outside, by ply.
    """
    trial = Run(run.x, run.o, run.seed)
    trial.seat(run.seating)
    for ply in range(1, 10):
        if script[ply] < 0:
            continue
        earlier = (*script[:ply], *(-1,) * (10 - ply))
        trial.scripts[game] = earlier
        board = board_before(trial, memory, game, ply)
        if board is None or script[ply] not in board.legal_cells:
            return earlier
    return script


def board_before(run: Run, memory: NDArray[np.float64], game: int, ply: int) -> Board | None:
    """The board on which the move at a ply of a game is made; None where the game is over."""
    if ply == 1:
        return Board()
    recording = run.record_on(memory.copy(), game, game + 1, empty_columns(EVENTS_A_GAME))
    try:
        move = recording.event(recording.row_of(game, ply - 1))
    except IndexError:
        return None
    assert isinstance(move, Move)
    return Board.from_id(move.afterstate)

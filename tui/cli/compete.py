"""`afterstate compete`: games between frozen, greedy players."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learners.errors import UsageError
from tui.cli import parameters
from tui.cli.errors import ENDED_BY_SIGNAL, fail
from tui.lab.resume_hint import games_text
from tui.progress import ended_by_signals, load, watched

if TYPE_CHECKING:
    from game.exact import Outcome
    from learners.rules.spec import PlayerSpec
    from learners.tape.run import Run


@dataclass(frozen=True)
class Match:
    """Games between two frozen, greedy players, and what is exactly to be expected of one."""

    results: tuple[int, int, int]
    """Games won by X, drawn, won by O."""
    exact: Outcome | None
    """The chances of X; None where the players change from game to game."""

    def as_json(self) -> dict[str, Any]:
        """`results` and `exact` under the same keys; `win` and `loss` are those of version 0.1."""
        chances = None
        if self.exact is not None:
            old = asdict(self.exact)
            chances = {"x": old["win"], "draw": old["draw"], "o": old["loss"]} | old
        x, draw, o = self.results
        return {"games": x + draw + o, "results": {"x": x, "draw": draw, "o": o}, "exact": chances}

    def lines(self) -> list[str]:
        x, draw, o = self.results
        lines = [f"{games_text(x + draw + o)}: X won {x:,}, {draw:,} drawn, O won {o:,}"]
        if self.exact is not None:
            lines.append(
                f"exactly to be expected: X wins {self.exact.win:.4f}, "
                f"draw {self.exact.draw:.4f}, O wins {self.exact.loss:.4f}"
            )
        return lines


def play_match(run: Run, games: int) -> Match:
    """Let the players of a run compete as they are now; the run stays as it is."""
    from learners.judge.evaluation import expected_result
    from learners.tape.run import Run
    from learners.tape.state import Seat, Seating

    rivals = Run(run.x, run.o, run.seed)
    rivals.memory = run.memory.copy()
    rivals.seat(Seating(Seat.FROZEN, Seat.FROZEN))
    rivals.train(games)
    won_x, won_o, drawn = rivals.tally[1:4].tolist()
    return Match((won_x, drawn, won_o), expected_result(run.layout, run.memory))


@click.command()
@parameters.players()
@parameters.games(500)
@parameters.seed
@parameters.json_flag
@parameters.address_or_run
@click.pass_context
def compete(
    ctx: click.Context,
    x: PlayerSpec,
    o: PlayerSpec,
    games: int,
    seed: int,
    as_json: bool,
    address: str | None,
    files: tuple[Path, ...],
) -> None:
    """Let two players compete, both frozen and greedy, and say what is exactly to be expected.

    With an ADDRESS, its players compete with what they know there.
    """
    from learners.judge.evaluation import expected_result
    from learners.tape.run import Run
    from learners.tape.state import Seat, Seating
    from learners.training import Goal, Training

    memory = None
    if address is not None:
        from tui.cli.saved import opened_address

        parameters.refuse_with_address(ctx, "x", "o", "seed")
        opened = opened_address(address, files)
        x, o, seed, memory = opened.run.x, opened.run.o, opened.run.seed, opened.memory()
    if x.rule.human or o.rule.human:
        raise UsageError("a human cannot compete here; afterstate play --plain plays with you")
    run = Run(x, o, seed)
    if memory is not None:
        run.memory = memory
    run.seat(Seating(Seat.FROZEN, Seat.FROZEN))
    load_seconds = load(run, games)
    training = Training(run, Goal(games))
    with ended_by_signals(training) as signals:
        last = watched(training)
    match = Match(last.results, expected_result(run.layout, run.memory))
    if as_json:
        timing = {
            "seconds": last.seconds,
            "load_seconds": load_seconds,
            "games_per_second": last.rate,
        }
        players = {"x": str(x), "o": str(o), "seed": seed}
        click.echo(json.dumps(players | match.as_json() | timing))
    else:
        click.echo(f"X {x}  O {o}  seed {seed}, both frozen and greedy")
        for line in match.lines():
            click.echo(line)
    if last.done < games:
        fail(f"stopped after {last.done:,} games", ENDED_BY_SIGNAL + signals[0])

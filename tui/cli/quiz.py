"""`afterstate quiz`: questions about a run, the same for the same seed, with a score."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.saved import Named, saved_run
from afterstate_lab.tui.progress import interruptible

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.be import ByHand
    from afterstate_lab.learners.ask.questions import QuizAnswers
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.tape.run import Run

GAMES = 500
"""Games of two td learners, if you name no run."""


@click.command()
@parameters.trust
@parameters.address_or_run
@parameters.option(
    "--be", "Be this learner for one game (td by default).", "[SPEC]", known="players",
    type=parameters.PlayerType(), is_flag=False, flag_value="td",
)  # fmt: skip
@parameters.number("--n many", 1, 1000, 10, "Number of questions.")
@parameters.number("--seed", 0, LARGEST_SEED, 0, "The same seed gives the same questions.")
@parameters.json_flag
@click.pass_context
def quiz(
    ctx: click.Context, named: Named, be: PlayerSpec | None, many: int, seed: int, as_json: bool
) -> None:
    """Take a quiz about a run, or hand one to a class.

    Give an ADDRESS to be asked about its games, or only about the game of its moment. Without one,
    the quiz is about 500 games of two td learners. Type one answer per line. With --json, the
    questions go to standard error and the scored answers to standard output.

    With --be you do a learner's updates by hand for one game, and a bug in your answers is named.
    With --json it prints each question, each verdict and the score as one object a line.
    """
    from afterstate_lab.learners.ask.be import ByHand
    from afterstate_lab.learners.ask.questions import QuizAnswers
    from afterstate_lab.tui.lab.quiz import questions_of
    from afterstate_lab.tui.pages.quiz import Quiz, quiz_json

    if be is not None:
        if named.text is not None or named.run is not None or parameters.given(ctx, "many"):
            raise UsageError("--be plays a separate game. Omit the run and --n")
        by_hand = ByHand(be, seed)
        converse(by_hand, as_json, answer_objects if as_json else ask)
        if as_json:
            click.echo(json.dumps(by_hand.result()))
        elif not by_hand.is_over:
            click.echo("\n".join(Quiz(by_hand).result_lines()))
        return
    if named.text is not None and named.run is not None:
        raise UsageError("give an ADDRESS or --run NAME, not both")
    if named.text is not None and not is_address(named.text):
        raise UsageError(f"{shown(named.text)} is not an address. Give an ADDRESS or --run NAME")
    run, games = asked_run(named.text or named.run, named.files)
    questions = questions_of(run, many, seed, games=games)
    if not questions:
        raise UsageError("nothing to ask about this run: neither player learns")
    answers = QuizAnswers(questions)
    converse(answers, as_json, partial(ask, to_errors=as_json))
    if as_json:
        while not answers.is_over:
            answers.take(None)
        told = {"x": str(run.x), "o": str(run.o), "run_seed": run.seed, "games": run.games}
        click.echo(json.dumps({**told, "seed": seed, **quiz_json(answers)}))


def converse(answers: Any, as_json: bool, ask: Callable[[Any], None]) -> None:
    """Ask until all is answered, or until Ctrl-C."""
    try:
        with interruptible():
            ask(answers)
    except KeyboardInterrupt:
        click.echo(err=as_json)


def answer_objects(by_hand: ByHand) -> None:
    """Print each question as one object, and the verdict on the answer of the next line."""
    from afterstate_lab.tui.pages.quiz import question_json, right_json, wanted

    n = 0
    while not by_hand.is_over:
        asked = by_hand.question
        if n <= len(by_hand.given):
            n += 1
            click.echo(json.dumps({"n": n, **question_json(asked)}))
        text = sys.stdin.readline() if sys.stdin else ""
        if not text:
            return
        given = asked.read(text[:200])
        if given is None:
            click.echo(json.dumps({"n": n, "error": f"not an answer: {wanted(asked)}"}))
            continue
        score = by_hand.take(given).score
        click.echo(json.dumps({"n": n, "right": score >= 1.0, "answer": right_json(asked)}))


def asked_run(name: str | None, files: tuple[Path, ...]) -> tuple[Run, range | None]:
    """Return the run of an address or a name, and the games to ask about (None for all)."""
    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.runs.replay import OpenedAddress
    from afterstate_lab.learners.tape.run import Run

    if name is None:
        td = PlayerSpec.parse("td")
        run = Run(td, td)
        run.train(GAMES)
        return run, None
    found = saved_run(name, files)
    place = found.address.place if isinstance(found, OpenedAddress) else None
    if place is None or place.game > found.run.games:
        return found.run, None
    return found.run, range(place.game - 1, place.game)


def ask(answers: QuizAnswers, *, to_errors: bool = False) -> None:
    """Ask questions and read answers until either runs out."""
    from afterstate_lab.tui.pages.quiz import Quiz, wanted

    quiz = Quiz(answers)

    told = quiz.lines()
    while True:
        for line in told:
            click.echo(line, err=to_errors)
        text = (sys.stdin.readline() if sys.stdin and not answers.is_over else "") or "q"
        text = text.strip()[:200]
        if text.lower() in ("q", "quit"):
            return
        told = quiz.answered(text) or [
            f"{shown(text)} is not an answer here: {wanted(answers.question)} (q quits)."
        ]

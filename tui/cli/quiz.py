"""`afterstate quiz`: questions about a run, the same for the same seed, with a score."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from afterstate_lab.learners.ask.be import ByHand
from afterstate_lab.learners.ask.questions import QuizAnswers
from afterstate_lab.learners.ask.quiz import quiz as asked
from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs import is_address
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.parameters import Named
from afterstate_lab.tui.cli.saved import saved_run
from afterstate_lab.tui.pages.quiz import Quiz, question_json, quiz_json, right_json, wanted
from afterstate_lab.tui.progress import interruptible

Answered = Callable[[str], list[str] | None]
ABOUT = "afterstate:1/td/td/0/500"
"""What the quiz is about if you name no run."""


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
    if be is not None:
        if named.text is not None or named.run is not None or parameters.given(ctx, "many"):
            raise UsageError("--be plays a separate game. Omit the run and --n")
        by_hand = ByHand(be, seed)
        page = Quiz(by_hand)
        if as_json:
            converse(by_hand, objects(by_hand), partial(objects, by_hand))
            click.echo(json.dumps(by_hand.result()))
            return
        converse(by_hand, page.lines(), page.answered)
        if not by_hand.is_over:
            click.echo("\n".join(page.result_lines()))
        return
    run, games = asked_run(named)
    answers = QuizAnswers(asked(run, many, seed, games=games))
    if answers.is_over:
        raise UsageError("nothing to ask about this run: neither player learns")
    page = Quiz(answers)
    converse(answers, page.lines(), page.answered, as_json)
    if as_json:
        while not answers.is_over:
            answers.take(None)
        told = {"x": str(run.x), "o": str(run.o), "run_seed": run.seed, "games": run.games}
        click.echo(json.dumps({**told, "seed": seed, **quiz_json(answers)}))


def converse(answers: QuizAnswers, told: list[str], answered: Answered, err: bool = False) -> None:
    """Ask until all is answered, the answers end, or Ctrl-C.

    Args:
        answers: the questions.
        told: the lines of the first question.
        answered: takes an answer and returns the next lines; None for an unknown word.
        err: whether to print to standard error.
    """
    try:
        with interruptible():
            while True:
                for line in told:
                    click.echo(line, err=err)
                text = (sys.stdin.readline() if sys.stdin and not answers.is_over else "") or "q"
                text = text.strip()[:200]
                if text.lower() in ("q", "quit"):
                    return
                told = answered(text) or [
                    f"{shown(text)} is not an answer here: {wanted(answers.question)} (q quits)."
                ]
    except KeyboardInterrupt:
        click.echo(err=True)


def objects(by_hand: ByHand, text: str | None = None) -> list[str]:
    """Return the verdict on an answer, if any, and the next question, one object a line."""
    told, n = list[dict[str, Any]](), len(by_hand.given) + 1
    if text is not None:
        asked = by_hand.question
        if (given := asked.read(text)) is None:
            return [json.dumps({"n": n, "error": f"not an answer: {wanted(asked)}"})]
        is_right = by_hand.take(given).score >= 1.0
        told.append({"n": n, "right": is_right, "answer": right_json(asked)})
    if not by_hand.is_over:
        told.append({"n": n + len(told), **question_json(by_hand.question)})
    return list(map(json.dumps, told))


def asked_run(named: Named) -> tuple[Run, range | None]:
    """Return the run that is named, and the games to ask about (None for all)."""
    if named.text is not None and named.run is not None:
        raise UsageError("give an ADDRESS or --run NAME, not both")
    if named.text is not None and not is_address(named.text):
        raise UsageError(f"{shown(named.text)} is not an address. Give an ADDRESS or --run NAME")
    found = saved_run(named.text or named.run or ABOUT, named.files)
    place = found.place
    if place is None or place.game > found.run.games:
        return found.run, None
    return found.run, range(place.game - 1, place.game)

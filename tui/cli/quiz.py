"""`afterstate quiz`: questions on a run, the same for all who have one seed, and their score."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from learners.engine.dice import LARGEST_SEED
from tui.cli import parameters

if TYPE_CHECKING:
    from learners.ask.questions import QuizAnswers
    from learners.tape.run import Run

GAMES = 500
"""Games of two td learners that are asked about where no run is named."""


@click.command()
@parameters.address_or_run
@click.option("--run", "run_name", metavar="NAME", shell_complete=parameters.completed("runs"),
              help="A saved run, or an address.")  # fmt: skip
@click.option(
    "--n", "many", type=parameters.WholeNumber(1, 1000), default=10, show_default=True,
    metavar="N", help="How many questions.",
)  # fmt: skip
@click.option(
    "--seed", type=parameters.WholeNumber(0, LARGEST_SEED), default=0,
    show_default=True, metavar="N", help="The same seed asks all the same.",
)  # fmt: skip
@parameters.json_flag
def quiz(
    address: str | None,
    files: tuple[Path, ...],
    run_name: str | None,
    many: int,
    seed: int,
    as_json: bool,
) -> None:
    """Ask about a run: which way a value goes, what is written, which move is greedy.

    Of an ADDRESS: about all its games, or the one game of its place. Without one, about 500 games
    of two td learners. Answers are read line by line. With --json, the questions go to standard
    error, and one object with the answers and scores to standard output.
    """
    from learners.addresses import is_address
    from learners.ask.questions import QuizAnswers
    from learners.errors import UsageError
    from tui.lab.quiz import questions_of, quiz_json

    if address is not None and run_name is not None:
        raise UsageError("one of ADDRESS and --run NAME is enough")
    if address is not None and not is_address(address):
        raise UsageError("a quiz needs the games of a run: an ADDRESS, or --run NAME")
    run, games = asked_run(address or run_name, files)
    questions = questions_of(run, many, seed, games=games)
    if not questions:
        raise UsageError("there is nothing to ask of this run: nobody learns in it")
    answers = QuizAnswers(questions)
    try:
        ask(answers, to_errors=as_json)
    except KeyboardInterrupt:
        click.echo(err=as_json)
    if as_json:
        while not answers.is_over:
            answers.take(None)
        told = {"x": str(run.x), "o": str(run.o), "run_seed": run.seed, "games": run.games}
        click.echo(json.dumps({**told, "seed": seed, **quiz_json(answers)}))


def asked_run(name: str | None, files: tuple[Path, ...]) -> tuple[Run, range | None]:
    """The run of an address or a name, and the games to ask about (None for all)."""
    from learners.addresses import is_address
    from learners.rules.spec import PlayerSpec
    from learners.tape.run import Run

    if name is None:
        td = PlayerSpec.parse("td")
        run = Run(td, td)
        run.train(GAMES)
        return run, None
    if is_address(name):
        from tui.cli.saved import opened_address

        opened = opened_address(name, files)
        place = opened.address.place
        first = None if place is None else place.game - 1
        whole = first is None or first >= opened.run.games
        return opened.run, None if first is None or whole else range(first, first + 1)
    from learners.store import Store

    with Store.open() as store:
        return store.load(name).run, None


def ask(answers: QuizAnswers, *, to_errors: bool) -> None:
    """Ask each question, and read the answers until there are no more of either."""
    from learners.errors import shown
    from tui.lab.quiz import wanted
    from tui.plain.quiz import answered, question_lines

    for line in question_lines(answers):
        click.echo(line, err=to_errors)
    for typed in sys.stdin:
        text = typed.strip()[:200]
        if text.lower() in ("q", "quit") or answers.is_over:
            break
        told = answered(answers, text)
        if told is None:
            told = [f"{shown(text)} is no answer here: {wanted(answers.question)} (q ends)."]
        for line in told:
            click.echo(line, err=to_errors)
        if answers.is_over:
            break

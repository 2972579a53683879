"""`afterstate be`: do a learner's updates by hand for one game, the same for the same seed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from afterstate_lab.learners.ask.be import ByHand
from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import shown
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.launch import can_draw, open_lab
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.pages.be import Quiz, question_json, right_json, wanted
from afterstate_lab.tui.progress import interruptible


@click.command()
@parameters.trust
@click.argument("spec", default="td", type=parameters.PlayerType())
@parameters.number("--seed", 0, LARGEST_SEED, 0, "The same seed gives the same questions.")
@parameters.json_flag
def be(spec: PlayerSpec, seed: int, as_json: bool) -> None:
    """Be a learner: do its updates by hand for one game.

    Opens the lab. Without a terminal, type one answer per line. With --json it prints each
    question, each verdict and the score as one object a line.
    """
    by_hand = ByHand(spec, seed)
    if as_json:
        converse(by_hand, objects(by_hand), partial(objects, by_hand))
        click.echo(json.dumps(by_hand.result()))
        return
    if can_draw():
        open_lab(first=Open("be", by_hand))
    page = Quiz(by_hand)
    converse(by_hand, page.lines(), page.answered)
    if not by_hand.is_over:
        click.echo("\n".join(page.result_lines()))


def converse(answers: ByHand, told: list[str], answered: Callable[[str], list[str] | None]) -> None:
    """Ask until all is answered, the answers end, or Ctrl-C.

    Args:
        answers: the questions.
        told: the lines of the first question.
        answered: takes an answer and returns the next lines; None for an unknown word.
    """
    try:
        with interruptible():
            while True:
                for line in told:
                    click.echo(line)
                text = (sys.stdin.readline() if sys.stdin and not answers.is_over else "") or "q"
                text = text.strip()[:200]
                if text.lower() in ("q", "quit"):
                    return
                told = answered(text) or [
                    f"{shown(text)} is not an answer here: {wanted(answers.question)} (q quits)."
                ]
    except KeyboardInterrupt:
        click.echo()


def objects(by_hand: ByHand, text: str | None = None) -> list[str]:
    """Return the verdict on an answer, if any, and the next question, one object a line."""
    told, n = list[dict[str, Any]](), len(by_hand.given) + 1
    if text is not None:
        asked = by_hand.question
        if (given := asked.read(text)) is None:
            return [json.dumps({"n": n, "error": f"not an answer: {wanted(asked)}"})]
        told.append({"n": n, "right": by_hand.take(given).is_right, "answer": right_json(asked)})
    if not by_hand.is_over:
        told.append({"n": n + len(told), **question_json(by_hand.question)})
    return list(map(json.dumps, told))

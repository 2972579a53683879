"""`afterstate be`: do a learner's updates by hand for one game, the same for the same seed."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from afterstate_lab.learners.ask.be import ByHand
from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.launch import can_draw, open_lab
from afterstate_lab.tui.cli.play import converse, plain_lab
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.pages.be import question_json, wanted
from afterstate_lab.tui.progress import interruptible


@click.command()
@parameters.trust
@click.argument("spec", default="td", type=parameters.PlayerType())
@parameters.number("--seed", 0, LARGEST_SEED, 0, "The same seed gives the same questions.")
@parameters.json_flag
def be(spec: PlayerSpec, seed: int, as_json: bool) -> None:
    """Be a learner: do its updates by hand for one game.

    Opens the lab; without a terminal, in plain mode. With --json it prints each
    question, each verdict and the score as one object a line.
    """
    by_hand = ByHand(spec, seed)
    if as_json:
        converse_in_json(by_hand)
        return
    page = Open("be", by_hand)
    if can_draw():
        open_lab(first=page)
    dialogue = plain_lab()
    dialogue.push(page)
    converse(dialogue, None)


def converse_in_json(by_hand: ByHand) -> None:
    """Ask until all is answered, the answers end, or Ctrl-C; then print the score."""
    told = objects(by_hand)
    try:
        with interruptible():
            while True:
                for line in told:
                    click.echo(line)
                text = (sys.stdin.readline() if sys.stdin and not by_hand.is_over else "") or "q"
                text = text.strip()[:200]
                if text.lower() in ("q", "quit"):
                    break
                told = objects(by_hand, text)
    except KeyboardInterrupt:
        click.echo()
    click.echo(json.dumps(by_hand.result()))


def objects(by_hand: ByHand, text: str | None = None) -> list[str]:
    """Return the verdict on an answer, if any, and the next question, one object a line."""
    told, n = list[dict[str, Any]](), len(by_hand.given) + 1
    if text is not None:
        asked = by_hand.question
        if (given := asked.read(text)) is None:
            return [json.dumps({"n": n, "error": f"not an answer: {wanted(asked)}"})]
        answer = asked.text(asked.right) if asked.is_number else [asked.text(asked.right)]
        told.append({"n": n, "right": by_hand.take(given), "answer": answer})
    if not by_hand.is_over:
        told.append({"n": n + len(told), **question_json(by_hand.question)})
    return list(map(json.dumps, told))

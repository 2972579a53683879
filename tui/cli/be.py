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


@click.command
@parameters.trust
@click.argument("spec", default="td", type=parameters.PLAYER)
@parameters.number("--seed", 0, LARGEST_SEED, 0, "The same seed gives the same questions.")
@parameters.json_flag
def be(spec: PlayerSpec, seed: int, as_json: bool) -> None:
    """Be a learner: do its updates by hand for one game.

    Opens the lab; without a terminal, in plain mode. With --json it prints each
    question, each verdict and the score as one object a line.
    """
    by_hand = ByHand(spec, seed)
    if not as_json:
        page = Open("be", by_hand)
        if can_draw():
            open_lab(first=page)
        dialogue = plain_lab()
        dialogue.push(page)
        converse(dialogue, None)
        return
    asked = None  # until all is answered, the answers end, or Ctrl-C
    try:
        with interruptible():
            while not by_hand.is_over:
                n, before = len(by_hand.given) + 1, asked
                asked = by_hand.questions[n - 1]
                if asked is not before:
                    click.echo(json.dumps({"n": n, **question_json(asked)}))
                line = sys.stdin.readline() if sys.stdin else ""
                if not line or line.strip().lower() in ("q", "quit"):
                    break
                if (given := asked.read(line)) is None:
                    told: dict[str, Any] = {"error": f"not an answer: {wanted(asked)}"}
                else:
                    right = asked.text(asked.right)
                    answer = right if asked.is_number else [right]
                    told = {"right": by_hand.take(given), "answer": answer}
                click.echo(json.dumps({"n": n, **told}))
    except KeyboardInterrupt:
        click.echo()
    click.echo(json.dumps(by_hand.result()))

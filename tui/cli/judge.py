"""`afterstate judge`: measure an agent exactly, with the game that beats it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.learners.experiments.like import likenesses
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.players import judged
from afterstate_lab.learners.players.asking import Answers
from afterstate_lab.learners.players.judged import Judged, Mistake
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, fail, show
from afterstate_lab.tui.cli.evaluate import evaluation_lines, play_lines
from afterstate_lab.tui.cli.expect import like_lines
from afterstate_lab.tui.cli.saved import saved_memory
from afterstate_lab.tui.progress import ProgressLine, bar_of, told_to_stop

BEATABLE: Final = 3
"""Exit status if the agent can be beaten on a side that you asked for."""
KEPT: Final = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@click.command()
@click.argument("agent")
@click.option("--as", "side", type=click.Choice(["X", "O"]), help="Judge this side only.")
@parameters.flag("--all all_errors", "Also list mistakes on boards that its games never reach.")
@parameters.like
@parameters.player_files
@parameters.trust
@parameters.json_flag
def judge(
    agent: str, side: str | None, files: tuple[Path, ...], like: PlayerSpec | None,
    against: PlayerSpec | None, games: tuple[int, ...], **flags: bool,
) -> None:  # fmt: skip
    """Find out whether an agent can be beaten, and how.

    AGENT is one of these:

    \b
      FILE.py:NAME        a function from nine characters such as X...O.... to
                          a cell 1 to 9, or to a probability for each cell
      FILE.csv, FILE.json a table of moves, probabilities or values
      cmd:PROGRAM ARGS    a program that reads a board and prints a cell
      FILE.npz, ADDRESS or a player such as td

    A program has 2 s for a move, a function 20 s; append :seconds=60 for more.

    With --like, it is also compared with 1,000 correct learners and with learners that make a
    mistake. Give the settings and the games with which you trained it.

    Exit status: 0 if it cannot be beaten, 3 if it can, 2 if it cannot be judged.
    """
    sides = list(Side) if side is None else [Side.parse(side)]
    found = judged_sides(agent, sides, files)
    told: dict[str, Any] = {"X": None, "O": None}
    told |= {one.side.mark: one.as_json() for one in found}
    every = {one.side: [*lines(one, all_errors=flags["all_errors"])] for one in found}
    signals: list[int] = []
    if like is not None:
        work = partial(likenesses, found, like, against, games)
        alike, signals = told_to_stop(lambda stop, tell: work(stop=stop, tell=tell))
        for one, likeness in zip(found, alike, strict=True):
            told[one.side.mark]["like"] = likeness.as_json()
            every[one.side] += like_lines(likeness, one.evaluation)
    show(flags["as_json"], told, chain.from_iterable(every.values()))
    if signals:
        fail("stopped before all learners were trained", ENDED_BY_SIGNAL + signals[0])
    if any(one.evaluation[f.BEATABLE] for one in found):
        sys.exit(BEATABLE)


def judged_sides(text: str, sides: list[Side], files: Iterable[Path]) -> list[Judged]:
    """Return the requested sides that an agent plays, judged; shows progress on a terminal."""
    if text.endswith(".npz") or is_address(text):
        layout, memory = saved_memory(text, files)
        known = [side for side in sides if layout.table(side).spec.rule.learns]
        if not known:
            raise UsageError(f"{shown(text)} contains no learner that plays {sides[0].mark}")
        return judged.judged(layout, memory, known)
    began = time.monotonic()
    with ProgressLine() as line:

        def progress(done: int, of: int, certain: str) -> None:
            left = (time.monotonic() - began) * (of - done) / max(done, 1)
            told = f"{done:,} of {of:,} answers" + (f"; {certain}" if certain else "")
            line.show(lambda: bar_of(done / of, told, left))

        return judged.judged_player(parse_player(text), sides, progress)


def lines(one: Judged, *, all_errors: bool) -> Iterator[str]:
    if one.is_learner:
        pair = [one.evaluation if side == one.side else None for side in Side]
        found = evaluation_lines(pair, counted_once=False)
        yield from (line for line in found if not line.endswith("is not a learner"))
    else:
        yield f"{one.side.mark} {printable(one.name)}, exact:"
        yield from play_lines(one.evaluation)
    if one.answers is not None:
        yield from answer_lines(one.answers)
    if one.refutation is not None:
        yield from refutation_lines(one, *one.refutation)
    yield from mistake_lines(one, all_errors=all_errors)


def answer_lines(answers: Answers) -> Iterator[str]:
    """Describe how an agent was asked, and what is odd about its answers."""

    def boards_of(count: int) -> str:
        return f"{count:,} board" + "s" * (count != 1)

    yield from (f"  {note}" for note in answers.read_as)
    if answers.chance == "exact":
        yield f"  it decides by chance on {boards_of(len(answers.differs))}: its odds are computed"
    elif answers.chance == "estimated":
        yield f"  it decides by chance on {boards_of(len(answers.differs))}: its odds are estimated"
    if answers.counted:
        yield (
            f"  asked {answers.asked:,} times or more on each board that its games reach; an "
            f"answer of 1 in 10 goes unseen with odds {answers.unseen:.2g}"
        )
    for kind, fault in answers.faults.items():
        verb = {"resigns": "resigns", "illegal": "has no legal move", "fails": "fails"}[kind]
        where = f", {fault.reached:,} of which its games reach" if fault.reached else ""
        yield f"  it {verb} on {boards_of(fault.boards)}{where}, and counts as resigning there"
        after = " ".join(map(str, fault.game or ())) or "no move"
        how = f" (after {after})" if fault.game is not None else ""
        yield f"    first on {fault.board}{how}: it {fault.said}"
    if answers.unasked:
        yield f"  it was not asked on {boards_of(answers.unasked)} and counts as random there"


def refutation_lines(one: Judged, cells: Iterable[int], probability: float) -> Iterator[str]:
    """Show the game that beats a side: moves, boards, and the cost of each mistake."""
    if probability == 1.0:
        yield "  the shortest game that beats it, every time:"
    else:
        yield f"  the likeliest game of its best opponent, with probability {probability:.4g}:"
    boards, heads, costs = [Board()], [], []
    for cell in cells:
        before = boards[-1]
        heads.append(f"{before.to_move} {cell + 1}")
        boards.append(before.play(cell))
        for mistake in one.mistakes:
            if (mistake.board, mistake.played) == (str(before), cell + 1):
                keep = "keeps" if len(mistake.best) == 1 else "keep"
                was, best = KEPT[mistake.value], " ".join(map(str, mistake.best))
                costs.append(f"    {heads[-1]} loses the {was}: {best} {keep} it")
    if boards[-1].winner is None:
        yield f"    {' '.join(heads)} and it resigns" if heads else "    it resigns"
    yield "    " + "   ".join(f"{head:<3}" for head in heads)
    for row in (0, 3, 6):
        yield "    " + "   ".join(str(board)[row : row + 3] for board in boards[1:])
    yield from costs


def mistake_lines(one: Judged, *, all_errors: bool) -> Iterator[str]:
    """List a side's mistakes: on boards that its games reach, then on others."""
    reached = [mistake_line(mistake) for mistake in one.mistakes if mistake.reached]
    others = [mistake_line(mistake) for mistake in one.mistakes if not mistake.reached]
    if reached:
        yield "  its mistakes on boards that its games reach: board, played, better, cost"
        yield from reached
    if others and all_errors:
        yield "  its mistakes on boards that its games never reach"
        yield from others
    elif others:
        yield f"  {len(others):,} mistakes on boards that its games never reach (--all lists them)"
    if not one.mistakes:
        late = one.evaluation[f.MISSED_WINS]
        yield "  it makes no mistakes" + (": if it misses a win, it wins later" if late else "")


def mistake_line(mistake: Mistake) -> str:
    share = f" ({mistake.probability:.4g} of the time)" if mistake.probability < 1.0 else ""
    price = f"a {KEPT[mistake.value - mistake.loss]} instead of a {KEPT[mistake.value]}"
    best = " ".join(map(str, mistake.best))
    return f"    {mistake.board}  {mistake.played}  {best:<17}  {price}{share}"

"""`afterstate judge`: is somebody's agent any good? Exactly, with the game that beats it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from learners.errors import UsageError, printable, shown
from learners.runs import is_address
from tui.cli import parameters
from tui.cli.evaluate import evaluation_lines, play_lines
from tui.progress import redraw

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from game import Side
    from learners.judge.judgement import Judgement
    from learners.kernel.memory import Layout
    from learners.players.agent import Answers
    from learners.players.judged import Judged

BEATABLE: Final = 3
"""Exit status: some opponent beats the agent on a side that was asked for."""
RESULTS: Final = {1.0: "a win", 0.5: "a draw", 0.0: "a loss"}


@click.command()
@click.argument("agent", shell_complete=parameters.completed("players"))
@click.option("--as", "side", type=click.Choice(["X", "O"]), help="Judge this side only.")
@click.option("--all", "all_errors", is_flag=True, help="List errors that its games never reach.")
@parameters.player_files
@parameters.trust
@parameters.json_flag
@click.pass_context
def judge(
    ctx: click.Context,
    agent: str,
    side: str | None,
    all_errors: bool,
    files: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Judge AGENT exactly: can it be beaten, by which game, and where does it err?

    AGENT is a function FILE.py:NAME that takes the nine characters of a board such as X...O....
    and returns a cell 1 to 9 (or the probabilities of the cells); a table, FILE.csv or FILE.json,
    with board,cell or board,cell,probability, or as export writes it; cmd:PROGRAM ARGS, a board a
    line in, a cell a line out; a saved FILE.npz; an ADDRESS; or a player such as td. It has 2 s
    for a move, a function 20 s; :seconds=60 behind it gives it longer.

    Exit status 0: it cannot be beaten; 3: it can; 2: it cannot be judged.
    """
    from game import Side
    from learners.judge.figures import BEATABLE as IS_BEATABLE

    sides = list(Side) if side is None else [Side.parse(side)]
    found = judged(agent, sides, files)
    if as_json:
        objects: dict[str, Any] = {"X": None, "O": None}
        click.echo(json.dumps(objects | {one.side.mark: one.as_json() for one in found}))
    else:
        for line in (line for one in found for line in lines(one, all_errors=all_errors)):
            click.echo(line)
    if any(one.found.evaluation[IS_BEATABLE] for one in found):
        ctx.exit(BEATABLE)


def judged(text: str, sides: list[Side], files: Iterable[Path] = ()) -> list[Judged]:
    """The sides of an agent, of those asked for, that it plays; asked with progress on a terminal.

    Raises:
        UsageError: the agent cannot be judged, or plays none of them.
    """
    from learners.players import judged

    show = sys.stderr.isatty()

    def progress(done: int, boards: int) -> None:
        if show and done % 50 == 0:
            redraw(f"asked {done:,} times on {boards:,} boards")

    try:
        return judged.judged(*agent_memory(text, sides, files), progress)
    finally:
        if show:
            redraw("")


def agent_memory(
    text: str, sides: list[Side], files: Iterable[Path]
) -> tuple[Layout, NDArray[np.float64], list[Side]]:
    """The memory of an agent, and which of these sides it plays.

    Raises:
        UsageError: there is no such agent, or it plays none of them.
    """
    from learners.players.judged import against_random
    from learners.players.resolve import parse_player
    from tui.cli.saved import saved_memory

    if text.endswith(".npz") or is_address(text):
        layout, memory = saved_memory(text, None, files)
        known = [side for side in sides if layout.table(side).spec.rule.learns]
        if not known:
            raise UsageError(f"{shown(text)} holds no learner that plays {sides[0].mark}")
        return layout, memory, known
    layout, known = against_random(parse_player(text), sides)
    return layout, layout.fresh(), known


def lines(one: Judged, *, all_errors: bool) -> Iterator[str]:
    if one.is_learner:
        pair = [one.found.evaluation if s == one.side else None for s in type(one.side)]
        told = evaluation_lines(pair, counted_once=False)
        yield from (line for line in told if not line.endswith("is not a learner"))
    else:
        yield f"{one.side.mark} {printable(one.name)}, exact:"
        yield from play_lines(one.found.evaluation)
    if one.answers is not None:
        yield from answer_lines(one.answers)
    if one.found.refutation is not None:
        yield from refutation_lines(one.found, one.side)
    yield from mistake_lines(one.found, all_errors=all_errors)


def answer_lines(answers: Answers) -> Iterator[str]:
    """What was odd about the answers of an agent."""
    if answers.differs:
        count = len(answers.differs)
        boards = "board" if count == 1 else "boards"
        yield (
            f"  asked twice, it answers differently on {count:,} {boards} (first "
            f"{answers.differs[0]}): judged as if it played each answer half of the time; an "
            "agent that returns probabilities is judged exactly"
        )
    answered, boards_in_all = answers.answered
    if answers.complaint:
        lacking = boards_in_all - answered - answers.unasked
        boards = "board" if lacking == 1 else "boards"
        yield (
            f"  it has no legal move on {lacking:,} {boards} that its games never reach, and "
            f"counts as random there: {answers.complaint}"
        )
    if answers.unasked:
        yield f"  it was not asked on {answers.unasked:,} others and counts as random there, too"


def refutation_lines(found: Judgement, side: Side) -> Iterator[str]:
    """The game that beats a side: its moves, and the boards below them."""
    from game import Board

    assert found.refutation is not None
    cells, probability = found.refutation
    if probability == 1.0:
        yield "  the shortest game that beats it, every time:"
    else:
        yield f"  the likeliest game of its best opponent, with probability {probability:.4g}:"
    board, boards, heads = Board(), [], []
    for cell in cells:
        heads.append(f"{board.to_move} {cell + 1}")
        board = board.play(cell)
        boards.append(str(board))
    if board.winner is None:
        yield f"    {' '.join(heads)} and it resigns" if heads else "    it resigns"
    yield "    " + "   ".join(f"{head:<3}" for head in heads)
    for row in (0, 3, 6):
        yield "    " + "   ".join(text[row : row + 3] for text in boards)
    befores = [str(Board()), *boards]
    for before, cell in zip(befores, cells, strict=False):
        for mistake in found.mistakes:
            if (mistake.board, mistake.played) == (before, cell + 1):
                best = " ".join(map(str, mistake.best))
                hold = "holds" if len(mistake.best) == 1 else "hold"
                was = RESULTS[mistake.value]
                yield f"    {side.mark} {cell + 1} gives {was} away: {best} {hold} it"


def mistake_lines(found: Judgement, *, all_errors: bool) -> Iterator[str]:
    """Where a side errs: the boards that its games reach, then the others, or how many."""
    reached = [mistake for mistake in found.mistakes if mistake.is_reached]
    others = [mistake for mistake in found.mistakes if not mistake.is_reached]
    if reached:
        yield "  its errors on the boards that its games reach: board, played, better, price"
    for mistake in [*reached, *(others if all_errors else ())]:
        if all_errors and mistake is next(iter(others), None):
            yield "  its errors on boards that its games never reach"
        left = RESULTS[mistake.value - mistake.loss]
        share = f" ({mistake.probability:.4g} of the time)" if mistake.probability < 1.0 else ""
        best = " ".join(map(str, mistake.best))
        price = f"{left} instead of {RESULTS[mistake.value]}"
        yield f"    {mistake.board}  {mistake.played}  {best:<17}  {price}{share}"
    if others and not all_errors:
        yield f"  {len(others):,} errors on boards that its games never reach (--all lists them)"
    if not found.mistakes:
        from learners.judge.figures import MISSED_WINS

        late = found.evaluation[MISSED_WINS]
        yield "  it never errs" + (": where it passes over a win, it wins later" if late else "")

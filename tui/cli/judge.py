"""`afterstate judge`: measure an agent exactly, with the game that beats it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.errors import UsageError, printable, shown, shown_path
from afterstate_lab.learners.files import SHARED_FILE, replace_file
from afterstate_lab.learners.grading.submissions import (
    JUDGED,
    Ask,
    gradescope_of_sides,
    in_class,
    judge_rows,
    submissions,
)
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluation import evaluation_lines, play_lines
from afterstate_lab.learners.players import judged
from afterstate_lab.learners.players.asking import Answers
from afterstate_lab.learners.players.judged import Judged, Mistake
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import ENDED_BY_SIGNAL, USAGE, fail, show
from afterstate_lab.tui.progress import ProgressLine, bar_of, told_to_stop

BEATABLE: Final = 3
"""Exit status if the agent can be beaten on a side that you asked for."""
LINES: Final = 60
"""Maximum number of lines without --all."""
MISTAKES: Final = 20
"""Maximum number of mistakes of a side without --all."""
KEPT: Final = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@click.command
@click.argument("agent")
@click.option("--as", "side", type=click.Choice(["X", "O"]), help="Judge this side only.")
@parameters.flag("--all all_errors", "List every mistake, on all boards.")
@parameters.like
@parameters.player_files
@parameters.trust
@parameters.json_flag
@parameters.csv_file
@parameters.gradescope
@parameters.number("--seconds", 1, 86_400, 120, "Time limit of each agent of a class.")
def judge(
    agent: str,
    side: str | None,
    files: tuple[Path, ...],
    like: str | None,
    against: str | None,
    games: int,
    csv_file: Path | None,
    gradescope: Path | None,
    seconds: int,
    **flags: bool,
) -> None:
    """Find out whether an agent can be beaten, and how.

    AGENT is one of these:

    \b
      FILE.py:NAME        a function from nine characters such as X...O.... to
                          a cell 1 to 9, or to a probability for each cell;
                          OBJECT.METHOD and a class that can be called, too
      FILE.csv, FILE.json a table of moves, probabilities or values
      cmd:PROGRAM ARGS    a program that reads a board and prints a cell
      FILE.npz, ADDRESS or a player such as td

    A program has 2 s for a move, a function 20 s; append :seconds=60 for more.

    With --like, it is also compared with as many as 1,000 correct learners, and with learners that
    make a mistake. Give the settings and the games with which you trained it.

    With --csv, AGENT can be a pattern such as 'class/*/agent.py:move'. Each agent gets a row, two
    are judged at a time, and a second call continues.

    Exit status: 0 if it cannot be beaten, 3 if it can, 2 if it cannot be judged.
    """
    sides = list(Side) if side is None else [Side.parse(side)]
    if like is not None:
        from afterstate_lab.tui.cli.expect import compared, like_lines
    if csv_file is not None:
        ask, columns = partial(judge_rows, sides=sides), JUDGED
        if like is not None:
            known, signals = compared(like, against, games, sides)
            if signals:
                fail("stopped before all learners were trained", ENDED_BY_SIGNAL + signals[0])
            ask = partial(ask, alike=lambda one: known.of(one).verdict)
            columns += ",like"
        work_through(agent, csv_file, columns, ask, seconds)
        return
    if set(agent.partition(":")[0]) & set("*?"):
        raise UsageError(f"{shown(agent)} names many agents: add --csv FILE")
    try:
        found = judged_sides(agent, sides, files)
    except UsageError as error:
        if gradescope is not None:
            write_json(gradescope, gradescope_of_sides({}, f"{error}."))
        raise
    told: dict[str, Any] = {"X": None, "O": None}
    told |= {one.side.mark: one.as_json() for one in found}
    most = None if flags["all_errors"] else LINES // len(found)
    every = {one.side: [*lines(one, most)] for one in found}
    lacking = [side.mark for side in sides if side not in every]
    if found[0].answers is not None and lacking:
        mark = found[0].side.mark
        every[found[0].side].append(
            f"{lacking[0]} is not judged: it has no legal move there. It seems to play only "
            f"{mark}: add --as {mark}"
        )
    signals = []
    if like is not None:
        known, signals = compared(like, against, games, [one.side for one in found])
        for one in found:
            likeness = known.of(one)
            told[one.side.mark]["like"] = likeness.as_json()
            every[one.side] += like_lines(likeness, one.evaluation)
    if gradescope is not None:
        verdicts = {
            one.side.mark: (bool(one.evaluation[f.BEATABLE]), "\n".join(every[one.side]))
            for one in found
        }
        write_json(gradescope, gradescope_of_sides(verdicts))
    show(flags["as_json"], told, chain.from_iterable(every.values()))
    if signals:
        fail("stopped before all learners were trained", ENDED_BY_SIGNAL + signals[0])
    if any(one.evaluation[f.BEATABLE] for one in found):
        sys.exit(BEATABLE)


def write_json(path: Path, told: Mapping[str, object]) -> None:
    replace_file(path, json.dumps(told, indent=2) + "\n", mode=SHARED_FILE)


def work_through(pattern: str, path: Path, columns: str, ask: Ask, seconds: float) -> None:
    """Write a row for each submission of a class; a signal ends it, and a second call continues."""
    is_whole, signals = told_to_stop(
        lambda stop, tell: in_class(pattern, path, columns, ask, seconds, stop, tell)
    )
    if signals:
        why = f"stopped: the same command continues in {shown_path(path)}"
        fail(why, ENDED_BY_SIGNAL + signals[0])
    click.echo(f"{len(submissions(pattern)):,} submissions in {shown_path(path)}")
    if not is_whole:
        sys.exit(USAGE)


def judged_sides(text: str, sides: list[Side], files: Iterable[Path]) -> list[Judged]:
    """Return the requested sides that an agent plays, judged; shows progress on a terminal."""
    if text.endswith(".npz") or is_address(text):
        from afterstate_lab.tui.cli.saved import saved_memory

        layout, memory = saved_memory(text, files)
        known = [side for side in sides if side in layout.learners]
        if not known:
            raise UsageError(f"{shown(text)} contains no learner that plays {sides[0].mark}")
        return judged.judged(layout, memory, known)
    began = time.monotonic()
    with closing(ProgressLine()) as line:

        def progress(done: int, of: int, certain: str) -> None:
            left = (time.monotonic() - began) * (of - done) / max(done, 1)
            told = f"{done:,} of {of:,} answers" + (f"; {certain}" if certain else "")
            line.show(lambda: bar_of(done / of, told, left))

        return judged.judged_player(parse_player(text), sides, progress)


def lines(one: Judged, most: int | None) -> Iterator[str]:
    """Describe a side.

    Args:
        one: the side, judged.
        most: how many lines to use at most; None lists every mistake.
    """
    found = []
    if one.is_learner:
        pair = [one.evaluation if side == one.side else None for side in Side]
        evaluated = evaluation_lines(pair)
        found += [line for line in evaluated if not line.endswith("is not a learner")]
    else:
        how = "exact" if one.is_known else "as far as it was asked"
        found += [f"{one.side.mark} {printable(one.name)}, {how}:", *play_lines(one.evaluation)]
    if one.answers is not None:
        if one.answers.worst_loss is not None:
            middle, error = one.answers.worst_loss
            beaten = f"yes, with probability {middle:.3f} ± {error:.3f} (estimated)"
            if not one.evaluation[f.BEATABLE]:
                beaten = f"by no answer that was seen (odds below {middle + error:.3f})"
            found[1] = f"  beatable: {beaten}"
        found += answer_lines(one.answers)
    if one.refutation is not None:
        found += refutation_lines(one, *one.refutation)
        if one.evaluation[f.PERFECT_LOSS] == 0.0:
            found.append("  perfect play never beats it: the opponent must first let it win")
    yield from found
    yield from mistake_lines(one, None if most is None else max(1, most - len(found) - 3))


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
        if answers.unseen > 0.05:
            odds = f"of {answers.unseen:.2f}"
        elif answers.unseen >= 1e-6:
            odds = f"of 1 in {1 / answers.unseen:,.0f}"
        else:
            odds = "below 1 in a million"
        yield (
            f"  asked {answers.asked:,} times or more a board: an answer of 1 in 10 goes unseen "
            f"with odds {odds}"
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
    if probability == 1.0 and one.is_known:
        yield "  the shortest game that beats it, every time:"
    elif probability == 1.0:
        yield "  the shortest game that beat it whenever it was asked:"
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
    if heads:
        yield "    " + "   ".join(f"{head:<3}" for head in heads)
        for row in (0, 3, 6):
            yield "    " + "   ".join(str(board)[row : row + 3] for board in boards[1:])
    yield from costs


def mistake_lines(one: Judged, most: int | None) -> Iterator[str]:
    """List a side's mistakes on boards that its games reach, the costliest first, then others.

    Args:
        one: the side, judged.
        most: how many to list, of the reached ones only, up to `MISTAKES`; None lists all.
    """
    reached = sorted(
        (mistake for mistake in one.mistakes if mistake.reached),
        key=lambda mistake: -mistake.loss * mistake.probability * mistake.frequency,
    )
    others = [mistake for mistake in one.mistakes if not mistake.reached]
    listed = reached if most is None else reached[: min(most, MISTAKES)]
    if reached:
        yield "  its mistakes on boards that its games reach: board, played, better, cost"
        yield from map(mistake_line, listed)
    if more := len(reached) - len(listed):
        yield f"    and {more:,} that cost less, or come up less often (--all lists them)"
    if others and most is None:
        yield "  its mistakes on boards that its games never reach"
        yield from map(mistake_line, others)
    elif others:
        yield f"  {len(others):,} mistakes on boards that its games never reach (--all lists them)"
    if not one.mistakes:
        late = one.evaluation[f.MISSED_WINS]
        says = "no mistake was seen"
        if one.is_known:
            says = "none of its moves is a mistake" if one.refutation else "it makes no mistakes"
        yield f"  {says}" + (": if it misses a win, it wins later" if late else "")


def mistake_line(mistake: Mistake) -> str:
    share = f" ({mistake.probability:.4g} of the time)" if mistake.probability < 1.0 else ""
    price = f"a {KEPT[mistake.value - mistake.loss]} instead of a {KEPT[mistake.value]}"
    best = " ".join(map(str, mistake.best))
    return f"    {mistake.board}  {mistake.played}  {best:<17}  {price}{share}"

"""What several tests make: runs, layouts, the games of a person, a plan that runs in a blink."""

import re
import time
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

import pytest

from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import play_on
from afterstate_lab.learners.tape.run import Keyframe, Run, Seat, Seating

OWN_RULE = """
from afterstate_lab import SEVERAL, Rule, backup, backup_towards, options

class Mine(Rule):
    options = options.STATE_VALUES
"""
needs_compiler = pytest.mark.skipif(not compiler.is_available(), reason="there is no numba")
LEARNERS = [name for name, rule in rules().items() if rule.learns]
TINY = Path(__file__).parents[1].joinpath("tiny.toml").read_text(encoding="utf-8")
PLAN = f"""{TINY}baseline = "A"
[sweep]
arm = "A"
option = "alpha"
values = [0.1, "0.2"]
"""


def layout_of(x="td", o=""):
    """The layout of a player against another, or against itself."""
    return Layout.of(parse_player(x), parse_player(o or x))


def run_of(x="td", o="", games=0, seed=0):
    """A run of its own, which may be changed, of a player against another or itself."""
    run = Run.of(parse_player(x), parse_player(o or x), seed)
    if games:
        run.train(games)
    return run


@cache
def trained(x="td", o="td", games=3_000, seed=5):
    """A run with a keyframe every 100 games, shared with all who ask for the same: change none."""
    run = run_of(x, o, seed=seed)
    while run.games < games:
        run.train(min(100, games - run.games))
    return run


def state_of(x, o="random", **more):
    """What is judged of two players who know nothing yet."""
    layout = layout_of(x, o)
    return EvaluatedState(layout, layout.fresh(), **({"game": 0} | more))


def person_plays(run, choose=min, most=9):
    """Let a person play the next game, or so many moves of it; the person's moves by ply."""
    script = {}
    while not (recording := run.play(script)).is_over and len(script) < most:
        board = recording.board
        script[board.ply + 1] = choose(board.legal_cells)
    return script


def play_as_x(run):
    """Seat a person as X, who marks the first free cell each time, for one game; its moves."""
    run.seat(Seating(Seat.HUMAN, Seat.LEARNS))
    script = person_plays(run)
    run.seat(Seating())
    return script


def sentences(name, of=""):
    """The rows of a text of the tests, INPUT | INPUT => SENTENCE, after their [section] if any.

    Those of one section are without it.
    """
    rows, kind = [], []
    for line in Path(__file__).parents[1].joinpath(name).read_text(encoding="utf-8").splitlines():
        if section := re.fullmatch(r"\[(.*)\]", line):
            kind = [section[1]]
        elif not line.startswith("# ") and "=>" in line:
            given, said = line.split("=>")
            cells = [cell.strip() for cell in (*given.split(" | "), said)]
            cells = [cell.encode("raw_unicode_escape").decode("unicode_escape") for cell in cells]
            rows.append([*kind, *cells])
    return [row for which, *row in rows if which == of] if of else rows


def is_said(told, sentence):
    """Whether a sentence is told, in which … stands for any text."""
    return re.fullmatch(".*".join(map(re.escape, sentence.split("…"))), told) is not None


def own_rule(folder, hook):
    """Write a file with a user's own rule, whose hook this is; its spec."""
    file = folder / "mine.py"
    file.write_text(f"{OWN_RULE}{indent(dedent(hook).strip(), '    ')}\n")
    return f"{file}:Mine"


def until(condition, seconds=60.0):
    """Wait for what another thread or process brings about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def all_of(run):
    """All that is stored of a run, to be compared with another."""
    frames = [(k.game, k.sha256, k.tally.tolist()) for k in run.keyframes]
    settings = run.x, run.o, run.seed, run.games, run.seating_changes, dict(run.scripts)
    return settings, run.memory.tobytes(), run.tally.tolist(), frames


def differs(loaded):
    """Where a loaded run, played again from its start, has other numbers than were saved."""
    run, again = loaded.run, loaded.run.fork(0)
    changes, scripts = tuple(run.seating_changes), dict(run.scripts)
    for _ in play_on(again, Address("", "", run.seed, run.games, changes, scripts)):
        pass
    frames = [*run.keyframes, Keyframe(run.games, run.memory, run.tally)]
    wrong = {f.game for f in frames if again.memory_at(f.game).tobytes() != f.memory.tobytes()}
    wrong |= {run.games} if again.tally.tolist() != run.tally.tolist() else set()
    return [f"other numbers after game {game:,}" for game in sorted(wrong)]


def numbers(results):
    """All that an experiment found."""
    return [
        (arm.arm.name, trial.seed, trial.values.tobytes(), trial.results, str(trial.verdicts))
        for arm in results.arms
        for trial in arm.trials
    ]

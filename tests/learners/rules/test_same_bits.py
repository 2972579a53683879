"""One source, four ways to run it: the bits of what a state-value learner knows are the same."""

import numpy as np
import pytest

from learners.kernel.kernel import EVENTS_A_GAME, empty_columns, new_tally
from learners.tape.events import Backup, Move

SPECS = [
    "td",
    "td:alpha=0.3,exploration=learn,draw=0.2,epsilon=1/.2/.5,over=1000",
    "td:step=1/n,symmetry=on,epsilon=0.3",
    "td:alpha=0.5,decay=0.8,every=100,initial=0.7,epsilon=.5..0,over=1500",
    "chain:alpha=0.3,draw=0",
    "chain:exploration=skip,decay=0.9,every=50,epsilon=0.3",
    "chain:plies=all,alpha=0.3,epsilon=0.2,draw=0",
    "chain:plies=all,exploration=forget,symmetry=on,epsilon=0.4",
    "chain:plies=all,exploration=skip,step=1/n,epsilon=0.4",
    "mc",
    "mc:exploration=forget,symmetry=on,epsilon=0.4",
    "mc:step=1/n,draw=0.3",
    "nstep",
    "nstep:n=3,exploration=learn,step=1/n",
    "nstep:n=4,symmetry=on,epsilon=0.4,decay=0.7,every=70",
    "tdlambda",
    "tdlambda:lambda=0.5,traces=replacing,exploration=learn,symmetry=on",
    "tdlambda:lambda=0.95,traces=dutch,step=1/n,epsilon=0.4",
    "tdlambda:lambda=0,traces=dutch,decay=0.7,every=70",
    "negamax",
    "negamax:alpha=1,epsilon=1",
    "negamax:symmetry=on,step=1/n,gamma=0.8",
    "negamax:decay=0.7,every=70,initial=0.4",
]
COMPILED_ELSEWHERE = {"td"}
"""Other tests take the same machine code; the others are compiled for the slow ones alone."""
GAMES = 2000


def trained(lab, spec: str, *, compiled: bool, taped: bool):
    """A lab after 2,000 games, and their tape if one is kept."""
    game = lab(spec, spec, seed=11)
    tape = empty_columns(GAMES * EVENTS_A_GAME // 2) if taped else None
    if compiled:
        if not game.kernel.compile(recording=taped):
            pytest.skip("there is no compiler here")
        game.kernel.play(game.v, 0, GAMES, game.tally, tape=tape)
    else:
        game.kernel.play_interpreted(game.v, 0, GAMES, game.tally, tape=tape)
    return game, tape


@pytest.mark.parametrize(
    "spec",
    [pytest.param(s, marks=[] if s in COMPILED_ELSEWHERE else pytest.mark.slow) for s in SPECS],
)
def test_compiled_is_interpreted(lab, spec: str):
    (slow, _), (fast, _) = (trained(lab, spec, compiled=c, taped=False) for c in (False, True))
    assert fast.v.tobytes() == slow.v.tobytes()
    assert fast.tally.tolist() == slow.tally.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_compiled_tape_is_the_interpreted_tape(lab, spec: str):
    (slow, tape), (fast, same) = (trained(lab, spec, compiled=c, taped=True) for c in (False, True))
    assert fast.v.tobytes() == slow.v.tobytes()
    for column, other in zip(tape, same, strict=True):
        assert column.tobytes() == other.tobytes()


@pytest.mark.parametrize("spec", SPECS)
def test_a_tape_changes_nothing_and_tells_every_write(lab, spec: str):
    plain, taped = lab(spec, spec), lab(spec, spec)
    plain.kernel.play_interpreted(plain.v, 0, 200, plain.tally)
    before = taped.v.copy()
    taped.record(0, 200)
    assert taped.v.tobytes() == plain.v.tobytes()

    after, half = taped.v.copy(), len(before) // 2
    counters = {player: taped.table(player).counter for player in "XO" if "decay" in spec}
    replayed, undone = before.copy(), after.copy()
    for event in taped.events:
        if isinstance(event, Backup):
            assert replayed[event.entry] == event.old
            replayed[event.entry] = event.new
            replayed[half + event.entry] += 1
        elif isinstance(event, Move) and counters and not event.exploratory:
            replayed[counters[event.player]] += 1
    for event in reversed(taped.events):
        if isinstance(event, Backup):
            assert undone[event.entry] == event.new
            undone[event.entry] = event.old
            undone[half + event.entry] -= 1
        elif isinstance(event, Move) and counters and not event.exploratory:
            undone[counters[event.player]] -= 1
    assert replayed.tobytes() == after.tobytes()
    assert undone.tobytes() == before.tobytes()
    assert np.any(after != before)


def test_terminal_boards_and_rewards_are_never_written(lab):
    for spec in SPECS:
        game = lab(spec, spec)
        game.kernel.play_interpreted(game.v, 0, 500, new_tally())
        for player in "XO":
            table = game.table(player)
            assert not table.visits(game.v)[0][~table.entries.live].any()

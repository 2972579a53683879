"""One game, one result: interpreted or compiled, recorded or not, in any slices, forwards or back.

For every rule and every schedule, on the same dice, bit for bit.
"""

from itertools import pairwise

import numpy as np
import pytest
from made import layout_of, needs_compiler

from afterstate_lab.learners.engine.backups import BACKUP, MOVE
from afterstate_lab.learners.engine.play import EXPLORED
from afterstate_lab.learners.kernel import kernel as kernels

SELF_PLAY = [
    "td", "td:alpha=0.3,exploration=learn,draw=0.2,epsilon=1/.2/.5,over=1000",
    "td:step=1/n,symmetry=on,epsilon=0.3",
    "td:alpha=0.5,decay=0.8,every=100,initial=0.7,epsilon=.5..0,over=1500",
    "chain:alpha=0.3,draw=0", "chain:exploration=skip,decay=0.9,every=50,epsilon=0.3",
    "chain:plies=all,alpha=0.3,epsilon=0.2,draw=0",
    "chain:plies=all,exploration=forget,symmetry=on,epsilon=0.4",
    "chain:plies=all,exploration=skip,step=1/n,epsilon=0.4", "mc",
    "mc:exploration=forget,symmetry=on,epsilon=0.4", "mc:step=1/n,draw=0.3", "nstep",
    "nstep:n=3,exploration=learn,step=1/n",
    "nstep:n=4,symmetry=on,epsilon=0.4,decay=0.7,every=70", "tdlambda",
    "tdlambda:lambda=0.5,traces=replacing,exploration=learn,symmetry=on",
    "tdlambda:lambda=0.95,traces=dutch,step=1/n,epsilon=0.4",
    "tdlambda:lambda=0,traces=dutch,decay=0.7,every=70", "negamax", "negamax:alpha=1,epsilon=1",
    "negamax:symmetry=on,step=1/n,gamma=0.8", "negamax:decay=0.7,every=70,initial=0.4",
    "q:gamma=0.9", "q:step=1/n,symmetry=on", "sarsa:epsilon=0.3..0,over=300",
    "sarsa:decay=0.5,every=400", "expected-sarsa:alpha=0.3,epsilon=0.4", "double-q:epsilon=0.2",
    "menace", "menace:empty=refill,loss=-3", "menace-article", "menace-code:over=400",
]  # fmt: skip
HALF = len(SELF_PLAY) // 2
PAIRS = [*zip(SELF_PLAY[HALF:], [*SELF_PLAY[:HALF], "random"], strict=True)]
"""Each against another, on tape: a pair takes 4 s to compile. `tests/frozen` plays without one."""
GAMES = kernels.BLOCK + kernels.WORTH_DICE_AHEAD
ODD_SLICES = (*range(60), 100, 107, GAMES)


def played(layout, seed, cuts=(0, GAMES), *, compiled=False, recorded=False):
    """Memory and results after games played in these slices, and the last slice's tape."""
    kernel = kernels.Kernel(layout, seed)
    assert not compiled or kernel.compile(recording=recorded)
    play = kernel.play if compiled else kernel.play_interpreted
    v, tally, tape = layout.fresh(), kernels.new_tally(), None
    for first, last in pairwise(cuts):
        if recorded:
            tape = kernels.empty_columns(kernels.EVENTS_A_GAME * (2 + last - first) // 2)
        assert play(v, first, last, tally, tape=tape) == last
    return (v.tobytes(), tally.tobytes()), tape and tape.until(int(tape.at[0]))


@pytest.mark.quick(*SELF_PLAY[::2], "expected-sarsa:alpha=0.3,epsilon=0.4")
@pytest.mark.parametrize("spec", SELF_PLAY)
def test_slices_and_a_tape_change_nothing_and_the_tape_leads_there_and_back(spec):
    layout = layout_of(spec)
    once, _ = played(layout, 2)
    assert played(layout, 2, ODD_SLICES)[0] == once
    recorded, tape = played(layout, 2, recorded=True)
    assert recorded == once
    assert tape is not None
    before, after = layout.fresh(), np.frombuffer(once[0])
    counters, counts = (layout.x.counter, layout.o.counter), "decay" in spec
    v = before.copy()
    rows = range(len(tape.meta))
    for direction, column, there in ((1, tape.new, tape.old), (-1, tape.old, tape.new)):
        for row in rows[::direction]:
            meta, entry = int(tape.meta[row]), tape.entry[row]
            if meta & 3 == BACKUP:
                assert v[entry] == there[row]
                v[entry] = column[row]
                v[entry + layout.values] += direction
            elif counts and meta & 3 == MOVE and not meta >> 7 & EXPLORED:
                v[counters[meta >> 2 & 1]] += direction
        assert v.tobytes() == (after if direction == 1 else before).tobytes()
    for table in (layout.x, layout.o):
        written = table.visits(after)
        assert written.any()
        if table.entries.of_state is not None:
            assert not written[0][~table.entries.live].any(), "no terminal board is written"


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_compiled_games_are_the_interpreted_ones(x, o):
    layout = layout_of(x, o)
    bits, tape = played(layout, 3, (0, 2_000), recorded=True)
    same, again = played(layout, 3, (0, 2_000), recorded=True, compiled=True)
    assert same == bits
    assert [column.tobytes() for column in tape] == [column.tobytes() for column in again]


@needs_compiler
def test_many_games_of_td_have_the_same_bits_in_any_slices():
    layout, cuts = layout_of("td"), (0, 1, 8, 71, 1_000, 1_063, 4_777, 4_999, 5_000)
    bits, _ = played(layout, 0, (0, 5_000))
    assert played(layout, 0, cuts, compiled=True)[0] == bits
    assert np.frombuffer(bits[1], np.int64)[:4].sum() == 5_000
    assert played(layout, 1)[0] != played(layout, 0)[0]

"""Sound inputs of every parser, from which the fuzzers begin."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

import numpy as np

from afterstate_lab.learners.engine.play import RECENT
from afterstate_lab.learners.players.policy_file import ARRAYS, digest
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs import contents
from afterstate_lab.learners.tape.run import Run

GAMES = 20
"""Games of the run that is asked about."""
PLAN = """title = "Tiny"
question = "Which is better?"
games = 300
seeds = 3
metrics = ["value X", "beatable X", "won X"]
[measure]
points = 3
[[arms]]
name = "A"
x = "td:draw=0"
o = "random"
[[arms]]
name = "B"
x = "td"
o = "td"
baseline = "A"
[sweep]
arm = "A"
option = "alpha"
values = [0.1, "0.2"]
"""
LESSON = """title = "Tiny"
about = "One."
[run]
x = "td:alpha=0.2"
games = 3
[[step]]
title = "a win"
text = "V was {old}, {V X ....X....:2} and {worst-loss O}."
at = "1.5.2"
holds = ["target = win X", "new > old"]
look = "equation"
do = "`Enter`"
type = "`answer`"
ask = "how much"
answer = "{change:3}"
done = "answered"
modes = ["step"]
[[step]]
title = "the end"
text = "Done."
do = "`T`"
address = "afterstate:1/td/td/7/3"
screen = "80x24"
type = "`tour`"
done = "never"
"""
EVALUATION = {
    "spec": "td", "beatable": True, "worst_loss": 0.5, "missed_wins": 3, "optimal": [2000, 2423],
    "vs_random": {"win": 0.9, "draw": 0.1, "loss": 0.0}, "coverage": [40, 5477],
    "vs_perfect": {"win": 0.0, "draw": 1.0, "loss": 0.0}, "rms_minimax": 0.1, "rms_optimal": 0.1,
    "rms_behaviour": None,
}  # fmt: skip
TRIAL = {
    "key": "00", "seed": 1, "results": [1, 1, 1], "seconds": 0.5, "values": [[None, 0.5]],
    "verdicts": [EVALUATION, None],
}  # fmt: skip


@cache
def arrays_of_td() -> dict[str, Any]:
    """The arrays of `td` that has learned nothing."""
    made = Run(parse_player("td"), parse_player("td"))
    values, visits = made.layout.x.values(made.memory), made.layout.x.visits(made.memory)
    return dict(zip(ARRAYS, (values, visits, values, visits), strict=True))


def packed(array: Any) -> bytes:
    """An array as the store holds it."""
    return contents.packed(np.asarray(array))


def sound_member() -> bytes:
    """An array as a `.npz` holds it."""
    file = io.BytesIO()
    np.save(file, np.zeros((1, 3)))
    return file.getvalue()


def sound_archive() -> bytes:
    """A `.npz` of the arrays that there must be."""
    file = io.BytesIO()
    header = np.frombuffer(sound_header(), np.uint8)
    np.savez_compressed(file, header=header, **{name: np.zeros((1, 3)) for name in ARRAYS})
    return file.getvalue()


def sound_header() -> bytes:
    """The header of a policy that has learned nothing."""
    told = {"format": 1, "x": "td", "o": "td", "seed": 0, "games": 0, "greedy_moves": [0, 0]}
    return json.dumps(told | {"sha256": digest(arrays_of_td())}).encode()


SEEDS: dict[str, tuple[bytes, ...]] = {
    "spec": (b"td:alpha=0.1,epsilon=.3..0,draw=0.5", b"menace:beads=4/3/2/1", b"a.npz",
             b"q:symmetry=on,epsilon=1/1/.3,over=1_000", b"nstep:n=3", b"rule.py:Mine",
             b"a.csv", b"agent.py:move", b"cmd:cat -u:seconds=3"),
    "address": (b"afterstate:1/td/q:alpha=0.3/7/12@9.3", b"afterstate:1/td/td/7/3~1hlBRgBRg",
                b"afterstate:1/td/td/7/6~4lh,5=15!0123abcd@5.1.2.1+x=mc",
                b"afterstate:1/td/sha256-" + b"0a" * 32 + b".npz:epsilon=.1/7/2"),
    "lecture": (b"0.5 afterstate:1/td/td/7/20\n3.2 @12.3\n4 @ train # see\n5 # here\n# end\n",),
    "condition": (b"error > .3 and (wrote X ....X.... or flip)", b"wrote O X........@5",
                  b"change", b"first visit", b"X loses", b"game 4..9", b"exploratory or draw"),
    "table_filter": (b"visits>10 error<-.1 ply=3", b"X??.O....@5 class", b"never"),
    "board": (b"X.O.X....", b"........."),
    "plan": (PLAN.encode(), b"games = 3\nseeds = [1, 2]\n"),
    "lesson": (LESSON.encode(), b"tour = 3\nmenace = 1\n"),
    "sweep": (b"B.x.alpha=.1,.2", b"epsilon=0.3", b"B.epsilon=.1"),
    "metric": (b"value X", b"rms-v* O"),
    "name": (b"my run", b"a (2)"),
    "typed_number": (b"12.3", b"100k", b"+", b"-.5", b"unbeatable"),
    "script": (bytes((1, 4, 3, 0)), bytes((2, 8))),
    "agent_table": (
        b"board,cell\n.........,5\n", b"board,cell,probability\nX...O....,9,1\n",
        b"player,board,cell,value,visits\nX,X........,,.5,3\nO,X........,5,.4,1\n",
        b'[{"board": ".........", "cell": 5}]', b'{"x..\\n.o.\\n...": [0,0,0,0,0,0,0,0,1]}'),
    "archive": (sound_archive(),),
    "member": (sound_member(),),
    "header": (sound_header(),),
    "stored": (b'[[0, "learns", "human"], [3, "frozen", "learns"]]', b'["X", "1.2......"]',
               b"1.5......", json.dumps([EVALUATION, None]).encode(), packed([0.0] * 8),
               packed(np.zeros(4 + RECENT, np.int64))),
    "listed": (b"td", b"7", packed([0.0])),
    "journal": (json.dumps(TRIAL).encode() + b"\n",),
    "own_settings": (b"theme = 'light'\nspeed = 8\n[keys]\ntrain = ['f6', 'm']\nwatch = '+'\n",),
    "speeds": (b'{"when": 1.5, "speeds": {"td": 3e6}}',),
    "shown_text": (b"\x1b[31m\xe2\x80\xae",),
}  # fmt: skip
"""By the names of `fuzz_targets.TARGETS`."""

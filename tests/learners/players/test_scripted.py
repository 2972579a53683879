"""A function's dice, answered by a script: the same odds as by hand, or none."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from afterstate_lab.learners.players import scripted

ASK = """
import sys, time
sys.path.insert(0, {folder!r})
import scripted
scripted.install()
import json, math, random, secrets
import numpy as np
from random import choice
rng, old, own = np.random.default_rng(), np.random.RandomState(3), random.Random(5)
def cumulative(odds):
    draw, total = random.random(), 0.0
    for index, chance in enumerate(odds):
        total += chance
        if draw < total:
            return index
found = {{}}
for name, source in json.load(sys.stdin).items():
    odds = {{}}
    try:
        for outcome, chance in scripted.odds(lambda: eval(source), time.process_time):
            odds[str(outcome)] = odds.get(str(outcome), 0.0) + chance
    except scripted.Wild as error:
        odds = type(error).__name__
    found[name] = odds
print(json.dumps(found))
"""
HALF, THIRDS = {"1": 1 / 2, "2": 1 / 2}, {"0": 1 / 3, "1": 1 / 3, "2": 1 / 3}
FOLLOWED = {
    "choice([5, 5, 5, 2])": {"5": 3 / 4, "2": 1 / 4},
    "choice([1, 2]) if random.random() < .1 else 5": {"1": 0.05, "2": 0.05, "5": 0.9},
    "choice([1, 2]) if np.float64(.1) > rng.random() else 5": {"1": 0.05, "2": 0.05, "5": 0.9},
    "int(random.random() * 3)": THIRDS,
    "math.floor(3 * random.random())": THIRDS,
    "random.randrange(3)": THIRDS,
    "own.randint(0, 2)": THIRDS,
    "random.Random().choice([1, 2])": HALF,
    "random.sample([1, 2], 2)[0]": HALF,
    "random.choices([1, 2], weights=[1, 3])[0]": {"1": 1 / 4, "2": 3 / 4},
    "random.choices([1, 2], cum_weights=[1, 4])[0]": {"1": 1 / 4, "2": 3 / 4},
    "(many := [1, 2], random.shuffle(many), many[0])[2]": HALF,
    "random.uniform(-1, 3) < 0": {"True": 1 / 4, "False": 3 / 4},
    "cumulative([.25, .5, .25])": {"0": 1 / 4, "1": 1 / 2, "2": 1 / 4},
    "1 - random.random() <= .25": {"True": 1 / 4, "False": 3 / 4},
    "secrets.choice([1, 2])": HALF,
    "secrets.randbelow(3)": THIRDS,
    "rng.integers(3)": THIRDS,
    "rng.choice(3, p=[.5, .25, .25])": {"0": 1 / 2, "1": 1 / 4, "2": 1 / 4},
    "rng.permutation([1, 2])[0]": HALF,
    "np.random.choice([1, 2])": HALF,
    "np.random.randint(0, 3)": THIRDS,
    "np.random.rand() < .25": {"True": 1 / 4, "False": 3 / 4},
    "(many := [1, 2], np.random.shuffle(many), many[0])[2]": HALF,
    "old.randint(3)": THIRDS,
    # A seed of the call itself leaves nothing to chance.
    "(random.seed(5), random.randrange(3))[1]": {"2": 1.0},
    "np.random.default_rng(3).integers(3)": {"2": 1.0},
    "np.random.Generator(np.random.PCG64(3)).integers(3)": {"2": 1.0},
    "7": {"7": 1.0},
}
WILD = {
    "random.gauss(0, 1) > 0": "Wild",
    "random.random() ** 2 < .5": "Wild",
    "max([1, 2], key=lambda move: random.random())": "Wild",
    "np.argmax(rng.random(3))": "Wild",
    "rng.normal() > 0": "Wild",
    "time.time_ns() % 2": "Wild",
    "__import__('datetime').datetime.now().second % 2": "Wild",
    "__import__('os').urandom(1)[0] % 2": "Wild",
    "len(open(scripted.__file__).read())": "Wild",
    "__import__('uuid').uuid4().int % 2": "Wild",
    "random.sample(range(9), 9)[0]": "TooMany",
    "rng.choice([1, 2], size=1)[0]": "Wild",
    "random.randrange(10 ** 9)": "TooMany",
}


def test_the_odds_are_those_by_hand_or_the_script_says_that_it_cannot_follow():
    folder = str(Path(scripted.__file__).parent)
    asked = json.dumps({source: source for source in (*FOLLOWED, *WILD)})
    told = subprocess.run(
        [sys.executable, "-c", ASK.format(folder=folder)],
        input=asked, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(told.stdout)
    for source, odds in FOLLOWED.items():
        assert found[source] == pytest.approx(odds, abs=1e-12), source
    assert {source: found[source] for source in WILD} == WILD


def test_ways_are_not_followed_for_ever(monkeypatch):
    """Of a slow player that shuffles, 10 s were spent on each of a thousand boards."""
    monkeypatch.setattr(scripted.Script, "wasted", 0.0)
    seconds = itertools.count()

    def shuffles():
        return [scripted.even(9) for _ in range(9)]

    raised = []
    for _ in range(4):
        with pytest.raises(scripted.Wild) as error:
            scripted.odds(shuffles, lambda: next(seconds))
        raised.append(error.type)
    assert raised == [scripted.TooMany, scripted.Wild, scripted.Wild, scripted.Wild]
    assert next(seconds) < 100

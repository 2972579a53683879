"""Bits, JSON and addresses are what they were: SHA-256 of what commands print, line by line.

`traces.txt` has players and a seed, `memory.txt` players, whose training is also compiled, and how
they are exported and judged, `addresses.txt` addresses as `evaluate` judges them.
`AFTERSTATE_NEW_SNAPSHOTS=1` with `-n 0` freezes what is printed now.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest
from made import needs_compiler

HERE = Path(__file__).parent
VOLATILE = {"seconds", "load_seconds", "games_per_second", "engine"}
GAMES = "50000"


def kept(name):
    lines = (HERE / f"{name}.txt").read_text("ascii").splitlines()
    return dict(line.split("  ", 1) for line in lines)


def compare(name, key, found):
    """What is found is what was frozen."""
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        lines = (f"{one}  {told}\n" for one, told in (kept(name) | {key: found}).items())
        (HERE / f"{name}.txt").write_text("".join(lines), encoding="ascii")
    assert kept(name)[key] == found


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.quick("td td 0", "q menace 2")
@pytest.mark.parametrize("players", kept("traces"))
def test_traces_are_those_that_were_frozen(afterstate, interpreted, players):
    x, o, seed = players.split()
    told = afterstate("trace", "--x", x, "--o", o, "--games", "200", "--seed", seed)
    compare("traces", players, sha(told.out))


@pytest.mark.quick("afterstate:1/td/q:alpha=0.3/7/200@90.3")
@pytest.mark.parametrize("address", kept("addresses"))
def test_an_address_is_judged_as_it_was(afterstate, interpreted, address):
    told = afterstate("evaluate", address, "--json")
    assert told.status == 0
    compare("addresses", address, sha(told.out)[:20])


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("players", kept("memory"))
def test_what_is_learned_is_what_was_frozen_also_compiled(
    afterstate, tmp_path, monkeypatch, players
):
    x, o = players.split()
    monkeypatch.chdir(tmp_path)
    file, ways = f"{[*kept('memory')].index(players)}.npz", []
    for interpreted in ("", "1"):
        monkeypatch.setenv("AFTERSTATE_INTERPRETED", interpreted)
        words = ("--x", x, "--o", o, "--games", GAMES, "--seed", "7", "--out", file, "--json")
        told = json.loads(afterstate("train", *words, "--force").out)
        lasting = {name: value for name, value in told.items() if name not in VOLATILE}
        ways.append((f"{json.dumps(lasting, ensure_ascii=False)}\n", Path(file).read_bytes()))
    assert ways[0] == ways[1]
    values = afterstate("export", file, "--format", "csv").out
    judged = afterstate("evaluate", file, "--json").out
    compare("memory", players, " ".join(sha(text)[:20] for text in (ways[0][0], values, judged)))

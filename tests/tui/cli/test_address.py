"""The what-if of an address is played wherever a command takes one."""

from __future__ import annotations

import json

import pytest

from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.judge.evaluation import evaluate_memory, evaluations_json
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.tape.recording import Cursor
from afterstate_lab.learners.tape.trace import trace_recording

RUN = "afterstate:1/td/td/1/2000"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.mark.parametrize("what_if", ["+x=mc", "+o=td:alpha=0.5,epsilon=0.9", "+x=q"])
def test_a_what_if_is_traced_and_judged_as_it_plays(afterstate, what_if):
    """Up to its first backup both games are equal; then the other player plays and learns."""
    run = open_address(Address.parse(RUN)).run
    spec = parse_player(what_if[3:])
    found = replay_game(run, 66, **{what_if[1]: spec}).other
    traced = afterstate("trace", f"{RUN}@67{what_if}")
    assert [json.loads(line) for line in traced.out.splitlines()] == list(trace_recording(found))
    assert traced.out != afterstate("trace", f"{RUN}@67").out
    end = json.loads(traced.out.splitlines()[-1])["ply"]
    for place, events in (("67.0", 0), ("67", 1), (f"67.{end}", None)):
        told = afterstate("evaluate", f"{RUN}@{place}{what_if}", "--json")
        rows = [k for k, event in enumerate(found.events()) if event.ply == end]
        memory = Cursor(found, rows[0] + 1 if events is None else events).v
        judged = evaluations_json(evaluate_memory(found.layout, memory))
        assert json.loads(told.out) == json.loads(json.dumps(judged))

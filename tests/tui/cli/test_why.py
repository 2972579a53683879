"""`afterstate why`: whose games made a value, as JSON and in words."""

import json

import pytest

PARTS = ["own", "borrowed", "guess", "older", "discounted"]
KEYS = ["value", *PARTS, "wins", "draws", "losses", "shares"]
RUN = "afterstate:1/td/biased/1/40"


def asked(afterstate, address: str, *more: str):
    return afterstate("why", address, *more, "--json")


def test_its_parts_are_one_and_its_shares_are_the_value(afterstate):
    exported = json.loads(afterstate("export", RUN, "--format", "json").out)
    visited = [row for row in exported if row["visits"] and row["board"] != "........."]
    for row in visited[:5]:
        found = json.loads(asked(afterstate, RUN, "--player", "X", "--board", row["board"]).out)
        assert list(found) == KEYS and found["value"] == row["value"]
        assert sum(found[part] for part in PARTS) == pytest.approx(1.0, abs=1e-9)
        worth = {"X": 1.0, "draw": 0.5, "O": 0.0}
        whole = sum(one["weight"] * worth[one["result"]] for one in found["shares"])
        assert whole + 0.5 * found["guess"] == pytest.approx(row["value"], abs=1e-9)
        for name, result in zip(KEYS[6:9], ("X", "draw", "O"), strict=True):
            same = sum(one["weight"] for one in found["shares"] if one["result"] == result)
            assert found[name] == pytest.approx(same, abs=1e-12)
        own = sum(one["weight"] for one in found["shares"] if one["own"])
        assert found["own"] == pytest.approx(own, abs=1e-12)


def test_it_is_about_a_moment_and_a_move(afterstate):
    run = "afterstate:1/q/sarsa:gamma=.9/1/30"
    q = json.loads(asked(afterstate, run, "--player", "X", "--board", "." * 9, "--cell", "5").out)
    assert set(q) == {*KEYS, "reason"} and "best of several values" in q["reason"]
    assert all(q[key] is None for key in KEYS[1:])
    later, early = (
        json.loads(asked(afterstate, f"{run}{at}", "--player", "O", "--board", "X........",
                         "--cell", "5").out)
        for at in ("", "@1.1")
    )  # fmt: skip
    assert early["guess"] == 1.0 and early["shares"] == [] and later["value"] >= 0.0

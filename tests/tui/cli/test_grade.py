"""`afterstate grade`: exit status, words, JSON and what Gradescope reads."""

import json

QUICK = ("--games", "40", "--seeds", "1")


def test_broken_is_2_with_one_line(afterstate, tmp_path):
    results = tmp_path / "results.json"
    outcome = afterstate("grade", "museum:nothing", "--gradescope", str(results))
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("afterstate: the museum has no 'nothing' (it has draw-as-loss, ")
    assert outcome.err.count("\n") == 1
    told = json.loads(results.read_text())
    assert told["score"] == 0.0
    assert told["tests"][0]["status"] == "failed"
    assert "the museum has no" in told["tests"][0]["output"]


def test_json_and_gradescope_tell_the_same(afterstate, tmp_path):
    results = tmp_path / "results.json"
    outcome = afterstate(
        *("grade", "museum:draws-teach-nothing", "--against", "td", *QUICK, "--json"),
        *("--gradescope", str(results)),
    )
    assert outcome.status == 1
    told, graded = json.loads(outcome.out), json.loads(results.read_text())
    assert told["verdict"] == "differs"
    assert graded["score"] == told["score"]
    assert sum(test["max_score"] for test in graded["tests"]) == told["max_score"]
    assert [test["status"] for test in graded["tests"][:-1]] == [
        "passed" if found["holds"] else "failed" for found in told["properties"]
    ]

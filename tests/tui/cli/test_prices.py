"""`afterstate museum`, `turn`, `why` and `bench`: figures that second computations find."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from afterstate_lab.game import Side, reachable_boards
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.experiments.turn import read_range, turn, turning
from afterstate_lab.learners.files import replace_file
from afterstate_lab.learners.players.judged import price_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.museum import PIECES, is_missed, piece, story
from afterstate_lab.tui.cli import bench as module
from afterstate_lab.tui.cli.bench import KEPT, compiled_yardstick, games_a_second
from afterstate_lab.tui.lab.resume_hint import player_name


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_a_player_by_its_name(name: str):
    spec = parse_player(f"museum:{name}:alpha=0.3")
    assert str(spec) == f"museum:{name}:alpha=0.3"
    assert spec.rule is piece(name)
    assert player_name(str(spec)) == f"museum:{name}"
    assert spec.rule.summary and spec.rule.source
    assert all(part.endswith((".", ".)", '."', "`.")) for part in story(name))


def test_a_copy_that_is_lost_learns_nothing_and_costs_everything(afterstate):
    """All values stay equal, so it plays any move that does not win at once with one chance."""
    outcome = afterstate("museum", "lost-copy", "--games", "50", "--seeds", "2", "--json")
    lost, td = json.loads(outcome.out)["prices"]
    assert (lost["spec"], td["spec"]) == ("museum:lost-copy", "td")
    untrained = price_of(parse_player("td"), 0, 1)
    for side in "XO":
        assert lost[side]["beatable"] == 2
        for key in ("right", "worst_loss"):
            assert lost[side][key] == untrained[side][key]


def test_the_stories_tell_figures_that_hold():
    won = [str(board) for board in reachable_boards() if board.winner]
    assert f"{sum(map(is_missed, won))} of the {len(won)} won boards" in " ".join(
        story("missed-wins")
    )
    players = map(parse_player, ("museum:born-winners", "td"))
    told = [price_of(player, 1000, 5)["X"]["right"] for player in players]
    said = " ".join(story("born-winners"))
    assert f"{told[0] * 100:.0f} of 100 decisions of X are right, and {told[1] * 100:.0f}" in said


FILE = """
title = "alpha"
question = "?"
games = 400
seeds = 4
metrics = ["rms-minimax X", "rms-minimax O", "value X", "value O"]
[measure]
points = 16
spacing = "log"
[[arms]]
name = "td v td"
x = "td"
o = "td:epsilon=0"
[[sweep]]
option = "alpha"
values = [0.1, 0.45, 0.8]
"""


def test_turn_prints_the_figures_of_an_experiment_file(afterstate, tmp_path: Path):
    (tmp_path / "alpha.toml").write_text(FILE)
    wanted = json.loads(afterstate("experiment", str(tmp_path / "alpha.toml"), "--json").out)
    asked = ("turn", "alpha=.1:.8:3", "--o", "td:epsilon=0", "--games", "400", "--seeds", "4")
    found = json.loads(afterstate(*asked, "--json").out)
    assert [arm["swept"]["alpha"] for arm in found["arms"]] == ["0.1", "0.45", "0.8"]
    for one, other in zip(found["arms"], wanted["arms"], strict=True):
        keys = ("x", "o", "results", "metrics", "verdicts")
        assert [one[key] for key in keys] == [other[key] for key in keys]
    assert "td v td:epsilon=0 alpha=0.45" in afterstate(*asked).out


@pytest.mark.parametrize(
    ("x", "o", "name", "value"),
    [
        ("nstep", "random", "n", "3"),
        ("q", "menace", "gamma", "0.9"),
        ("menace", "tdlambda", "lambda", "0.5"),
        ("negamax", "negamax", "epsilon", "0"),
    ],
)
def test_the_knob_has_the_figures_of_an_experiment(x, o, name, value):
    """To the bit: curves, their intervals, and how many can be beaten."""
    plan = turning(parse_player(x), parse_player(o), name, [value], seeds=3, games=150)
    found = turn(plan, plan.arms[0], lambda: False)
    wanted = Experiment(plan).work().arms[0]
    assert found.results.results == wanted.results
    for metric in plan.metrics:
        one, other = found.results.curve(metric), wanted.curve(metric)
        for line in ("y", "low", "high"):
            assert np.array_equal(getattr(one, line), getattr(other, line), equal_nan=True)
    for side in Side:
        verdict, beatable = wanted.verdict(side), found.beatable.get(side)
        assert (verdict is None) == (beatable is None)
        assert verdict is None or beatable is None or verdict["beatable"] == beatable.sum()


def test_a_range_is_whole_numbers_for_a_whole_number_and_never_has_a_value_twice():
    players = parse_player("nstep"), parse_player("random")
    for text, values in (
        ("n=1:4:7", ["1", "2", "3", "4"]), ("alpha=0.1:0.3:3", ["0.1", "0.2", "0.3"]),
        ("alpha=1:0:2", ["1", "0"]), ("epsilon=.1:.1:5", ["0.1"]),
    ):  # fmt: skip
        assert read_range(*players, text) == (text.partition("=")[0], values)


PARTS = ["own", "borrowed", "guess", "older", "discounted"]
KEYS = ["value", *PARTS, "wins", "draws", "losses", "shares"]
RUN = "afterstate:1/td/biased/1/40"


def test_its_parts_are_one_and_its_shares_are_the_value(afterstate):
    exported = json.loads(afterstate("export", RUN, "--format", "json").out)
    visited = [row for row in exported if row["visits"] and row["board"] != "........."]
    for row in visited[:5]:
        asked = ("why", RUN, "--player", "X", "--board", row["board"], "--json")
        found = json.loads(afterstate(*asked).out)
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


@pytest.fixture
def run(afterstate, monkeypatch, tmp_path):
    """The command where td plays 300 games a second, every other learner 150, and C 400."""
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))
    monkeypatch.setattr(module, "games_a_second", lambda program: 400.0)
    told = {"load_seconds": 0.0, "compiled": True}
    monkeypatch.setattr(
        module, "measured",
        lambda name: told | {"learner": name, "games_per_second": 150.0 * (1 + (name == "td"))},
    )  # fmt: skip

    def run(*words, c=None):
        monkeypatch.setattr(module, "compiled_yardstick", lambda folder: c)
        done = afterstate("bench", *words)
        assert (done.status, done.err) == (0, "")
        return done.out if not words else {row["learner"]: row for row in json.loads(done.out)}

    return run


def test_every_learner_is_compared_with_td_and_plain_c(run):
    found = run("--json", c=Path())
    assert (found["td"]["ratio_to_td"], found["td"]["ratio_to_c"]) == (1.0, 0.75)
    assert (found["q"]["ratio_to_td"], found["q"]["ratio_to_c"]) == (0.5, 0.375)
    assert "td in C plays 400 games per second. Previous bench: 20" in run(c=Path())
    assert run("--json")["td"]["ratio_to_c"] is None
    assert "No C compiler found." in run()


def test_the_figures_are_kept_and_compared_with_the_next(run, tmp_path):
    assert run("--json")["td"]["ratio_to_last_time"] is None
    assert (tmp_path / KEPT).stat().st_mode & 0o077 == 0
    speeds = {"td": 200.0, "q": 600.0, "no learner": 1.0}
    replace_file(tmp_path / KEPT, json.dumps({"when": 1.0, "speeds": speeds}))
    found = run("--json")
    assert [found[name]["ratio_to_last_time"] for name in ("td", "q", "mc")] == [1.5, 0.25, None]
    assert run("--json")["q"]["ratio_to_last_time"] == 1.0
    assert [file.name for file in tmp_path.iterdir()] == [KEPT]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"\xff", b'{"when": 1}', b'{"when": "x", "speeds": {}}',
        b'{"when": 1, "speeds": {"td": 0}}', b'{"when": 1, "speeds": {"td": NaN}}',
        b'{"when": 1e999, "speeds": {}}', b'{"when": 1, "speeds": 3}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_as_if_it_was_never_run(run, tmp_path, data):
    (tmp_path / KEPT).write_bytes(data)
    assert "Previous bench: none." in run()


@pytest.mark.parametrize("compiler", ["", "/no such compiler", "false"])
def test_the_yardstick_is_played_where_a_c_compiler_works(monkeypatch, tmp_path, compiler):
    monkeypatch.setenv("CC", compiler)
    works = not compiler and shutil.which("cc") is not None
    yardstick = compiled_yardstick(tmp_path)
    assert (yardstick is not None) == works
    assert yardstick is None or games_a_second(yardstick, 1_000) > 0

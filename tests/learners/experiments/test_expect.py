"""What to expect of two learners, against runs that are trained and evaluated one by one."""

import json
import math
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import plain_learner
import pytest

from afterstate_lab import train
from afterstate_lab.game import Side
from afterstate_lab.learners.experiments.expect import METRICS, Sample, looks, sampled
from afterstate_lab.learners.judge.figures import WIN, WORST_LOSS
from afterstate_lab.learners.players.resolve import parse_player

EXPECTATIONS = runpy.run_path(str(Path(__file__).parents[3] / "docs" / "expectations.py"))
"""What makes the page."""


def sample_of(x: str, o: str, games: int, seeds: int, **more: Any) -> Sample:
    return sampled(parse_player(x), parse_player(o), looks(games), seeds, **more)


def test_the_looks_are_round_and_end_with_the_last_game() -> None:
    assert looks(2500) == (100, 200, 300, 500, 700, 1000, 2000, 2500)
    assert looks(1) == (1,)
    assert looks(100) == (100,)


@pytest.mark.parametrize("after", [(0,), looks(300)])
def test_a_seed_has_the_metrics_of_its_own_run(after: tuple[int, ...]) -> None:
    sample = sampled(parse_player("td"), parse_player("q"), after, 3, first=4)
    assert sample.seeds.tolist() == [4, 5, 6]
    for row, seed in enumerate(sample.seeds):
        told = train("td", "q", after[-1], seed=int(seed)).evaluate()
        for side in Side:
            of_side = told[side.mark]
            assert bool(sample.values[row, side, -1]) == of_side["beatable"]
            for metric, number in zip(METRICS, sample.numbers[row, side], strict=True):
                assert number == metric.kind.number(metric.read(of_side)), metric.name


def test_quantiles_run_from_the_worst_seed_to_the_best() -> None:
    sample = sample_of("td", "random", 200, 21)
    wins, losses = (np.sort(sample.of(Side.X, one)) for one in (WIN, WORST_LOSS))
    levels = sample.levels(Side.X)
    assert [*levels[WIN].values()] == [wins[k] for k in (0, 1, 10, 19, 20)]
    assert [*levels[WORST_LOSS].values()] == [losses[k] for k in (20, 19, 10, 1, 0)]
    assert sample.of(Side.X, WIN)[sample.seeds == sample.typical] == wins[10]
    assert sample.as_json()["O"] is None


def test_the_unbeatable_are_counted_after_every_look() -> None:
    sample = sample_of("td:symmetry=on", "td:symmetry=on", 700, 6)
    runs = [train("td:symmetry=on", "td:symmetry=on", 700, seed=seed) for seed in range(6)]
    shares = [
        sum(not run.at(games).evaluate()["X"]["beatable"] for run in runs) / 6
        for games in looks(700)
    ]
    assert 0.0 < max(shares) < 1.0
    assert sample.unbeatable(Side.X).tolist() == shares
    first = next(games for games, share in zip(looks(700), shares, strict=True) if share > 0.0)
    assert sample.first_unbeatable(Side.X, 1 / 6) == first
    assert sample.first_unbeatable(Side.X, 1.0) is None


def test_a_sample_can_be_stopped_and_has_what_is_known() -> None:
    told: list[float] = []
    sample = sample_of("td", "td", 100, 5, stop=lambda: len(told) > 1, tell=told.append)
    assert 2 <= len(sample) < 5
    assert sample_of("td", "td", 100, 5, stop=lambda: True).seeds.tolist() == []


def test_beads_have_no_error() -> None:
    sample = sample_of("menace", "perfect", 50, 3)
    assert "rms-minimax" not in sample.as_json()["X"]["metrics"]


def test_the_page_has_the_numbers_of_its_data() -> None:
    rows = json.loads(EXPECTATIONS["DATA"].read_text(encoding="utf-8"))
    assert EXPECTATIONS["page"](rows) == EXPECTATIONS["PAGE"].read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "settings"),
    [
        ("td", {}),
        ("td:epsilon=0.3", {"epsilon": 0.3}),
        ("td:draw=0", {"mistake": "a draw is worth 0"}),
    ],
)
def test_ten_numbers_of_the_page_are_those_of_an_independent_simulator(
    spec: str, settings: dict[str, Any]
) -> None:
    rows = json.loads(EXPECTATIONS["DATA"].read_text(encoding="utf-8"))
    (row,) = (one for one in rows if (one["x"], one["o"]) == (spec, spec))
    seeds = 40
    runs = [plain_learner.train(3_000, seed, **settings) for seed in range(seeds)]
    for mark, players in zip("XO", zip(*runs, strict=True), strict=True):
        found = sum(not plain_learner.is_beatable(one) for one in players) / seeds
        share = row[mark]["unbeatable"]["3000"] / row["seeds"]
        spread = math.sqrt(max(share * (1 - share), 0.01) * (1 / seeds + 1 / row["seeds"]))
        assert abs(found - share) < 4 * spread, (mark, found, share)

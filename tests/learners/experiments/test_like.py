"""Is an agent normal: the statistics on made-up learners, and learners of plain Python."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import plain_learner
import pytest

from afterstate_lab import train
from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import POSITIONS
from afterstate_lab.game.exact import greedy_policy
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments import expect, like
from afterstate_lab.learners.experiments.expect import METRICS, percentiles
from afterstate_lab.learners.library import judge_agent, player_of
from afterstate_lab.learners.players.judged import judged_player
from afterstate_lab.learners.players.resolve import parse_player

EVERYWHERE = np.ones(POSITIONS, dtype=np.bool_)
ASKED = like.Likeness(parse_player("td"), 100, 200, {})
X = like.Moves(Side.X, EVERYWHERE)


A, B = np.random.default_rng(0).normal(0, 1, (2, 16167))
MEANS = {"": A, "museum:no-losses": B, "museum:first-cell": A + B, "mc": B - A}
"""What made-up learners prefer, with noise."""


def learners(kind: str, many: int, seed: int) -> np.ndarray:
    """Return policies."""
    noise, mean = np.random.default_rng([seed, len(kind)]), MEANS[kind]
    return np.array([greedy_policy(mean + noise.normal(0, 1, len(mean))) for _ in range(many)])


@pytest.fixture(scope="module")
def fit() -> like.Fit:
    made = {kind: learners(kind, 60 if kind else 200, seed=1) for kind in MEANS}
    samples = {
        kind: SimpleNamespace(policies=one, numbers=np.zeros((len(one), 2, len(METRICS))))
        for kind, one in made.items()
    }
    td: Any = parse_player("td")
    known: Any = SimpleNamespace(spec=td, samples={Side.X: samples})
    return like.Fit(known, Side.X, X, like.UNIFORM)


def of_x(policy: np.ndarray) -> np.ndarray:
    return policy[X.edges].astype(np.float32)


@pytest.mark.quick("", "museum:no-losses")
@pytest.mark.parametrize("kind", MEANS)
def test_learners_that_it_has_not_seen_are_told_apart(fit, kind: str) -> None:
    for policy in learners(kind, 30, seed=2):
        found = fit.verdict(ASKED, of_x(policy), [0.0] * len(METRICS))
        assert found.is_normal == (kind == "")
        assert [names for names, _ in found.looks_like] == ([] if kind == "" else [(kind,)])


def test_a_name_has_evidence_in_numbers(fit) -> None:
    mine = of_x(learners("museum:no-losses", 1, seed=2)[0])
    found = fit.verdict(ASKED, mine, [7.0] * len(METRICS))
    assert found.looks_like[0][1] > 0.99
    assert any(": 7.0000; 200 td learners have 0.0000 to 0.0000." in why for why in found.why)
    assert found.why[-2].startswith("td and museum:no-losses differ most on 100 boards. It moves")
    assert found.why[-1].startswith("On ")


def test_an_agent_like_none_of_them_is_not_normal_and_has_no_name(fit) -> None:
    found = fit.verdict(ASKED, of_x(greedy_policy(np.zeros(16167))), [0.0] * 9)
    assert (found.is_normal, found.looks_like) == (False, ())
    assert found.why[-1].startswith("It does not move as td learners do")


def test_the_other_learners_are_trained_with_the_same_options() -> None:
    known = like.kinds(parse_player("td:alpha=0.3,epsilon=0.2,draw=0.4"))
    no_losses = known["museum:no-losses"].settings
    assert (no_losses["alpha"], no_losses["draw"]) == (0.3, 0.4)
    assert known["q"].settings["epsilon"] == ("constant", (0.2,))
    assert "td" not in known
    assert like.kinds(parse_player("menace"))["museum:no-losses"].settings["draw"] == 0.5


@pytest.mark.parametrize("meant", ["td", "q:alpha=0.3", "tdlambda", "menace", "negamax"])
def test_mistakes_that_are_options_are_made_in_the_learner_itself(meant: str) -> None:
    spec = parse_player(meant)
    known = like.kinds(spec)
    assert known[""] == spec
    assert str(known["museum:lost-copy"]) == str(spec.with_setting("learn", "off"))
    names = {option.name for option in spec.rule.options}
    for name, option in (("draw-as-loss", "draw"), ("born-winners", "initial")):
        assert (f"museum:{name}" in known) == (option in names)
    wrong = known.get("museum:draw-as-loss")
    assert wrong is None or len({*wrong.rewards}) == 2
    assert "museum:draw-as-loss" not in like.kinds(parse_player("q:draw=0"))


def test_three_mistakes_end_in_the_same_agent_and_are_named_together() -> None:
    for side in Side:
        runs = [train(name, name, 60, seed=1) for name in (*like.NEVER_LEARNS, "td:learn=off")]
        own = like.Moves(side, EVERYWHERE).edges
        known = [greedy_policy(run.layout.table(side).preferences(run.memory)) for run in runs]
        assert all((policy[own] == known[0][own]).all() for policy in known)


def test_a_percentile_counts_half_of_the_equals() -> None:
    expected = np.arange(10.0)[:, None] + np.zeros(len(METRICS))
    found = percentiles([3.0] * (len(METRICS) - 1) + [math.nan], expected)
    assert set(found.values()) == {0.35}
    assert "rms-minimax" not in found


def test_how_an_agent_breaks_ties_is_seen_where_nobody_knows_anything() -> None:
    policies = np.tile(greedy_policy(np.zeros(16167)), (4, 1)).astype(np.float32)
    unknown = policies[:, X.edges]
    cells = space().edge_cell[X.edges]
    for ties, least in ((like.FIRST, cells), (like.LAST, -cells)):
        mine = X.without_ties(unknown[:1], ties)[0]
        assert X.ties_of(mine, policies) == ties
        chosen = np.flatnonzero(mine)
        assert (least[chosen] == np.minimum.reduceat(least, X.first)).all()
    rows = X.without_ties(unknown, like.ANY)
    assert (np.add.reduceat(rows, X.first, axis=1) == 1.0).all()
    assert X.ties_of(rows[0], policies) == like.ANY
    assert X.ties_of(unknown[0], policies) == like.UNIFORM


def test_a_comparison_that_is_stopped_has_the_metrics_of_what_is_known() -> None:
    td, told = parse_player("td"), list[float]()
    (agent,) = judged_player(parse_player("random"), [Side.O])
    known = like.Comparison.train(
        td, None, 40, [Side.O], stop=lambda: len(told) > 20, tell=told.append
    )
    found = known.of(agent)
    assert (found.is_normal, found.looks_like) == (None, ())
    assert 20 < found.seeds < 30
    assert 0.0 <= found.percentiles["win"] <= 1.0
    with pytest.raises(UsageError, match="no learner was trained yet"):
        like.Comparison.train(td, None, 40, [Side.O], stop=lambda: True).of(agent)


def test_agents_that_answer_on_other_boards_have_a_fit_of_their_own(monkeypatch) -> None:
    boards, told, td = list[int](), list[float](), parse_player("td")

    def fit(known: Any, side: Side, moves: like.Moves, ties: int) -> Any:
        boards.append(len(moves.first))
        return SimpleNamespace(verdict=lambda *_: ASKED)

    monkeypatch.setattr(like, "Fit", fit)
    known = like.Comparison.train(
        td, None, 40, [Side.X], stop=lambda: len(told) > 2, tell=told.append
    )
    (perfect,) = judged_player(parse_player("perfect"), [Side.X])
    for answered in ((5, 9), (9, 9), (5, 9)):
        one: Any = SimpleNamespace(answered=answered)
        replace(known, is_whole=True).of(replace(perfect, answers=one))
    few, every = boards
    assert few < every == 2423


@pytest.mark.slow
def test_half_of_the_learners_are_enough_where_all_take_too_long(monkeypatch) -> None:
    monkeypatch.setattr(expect, "SEEDS", 40)
    known = like.Comparison.train(parse_player("td"), None, 40, [Side.O], seconds=1e-9)
    assert 20 <= len(known.samples[Side.O][""]) < 40
    assert 50 <= len(known.samples[Side.O]["museum:no-losses"]) < 100
    assert known.is_whole


def test_a_verdict_is_a_few_words() -> None:
    names = (("museum:no-losses", "museum:b"), 0.8), (("mc",), 0.1)
    found = [replace(ASKED, is_normal=normal) for normal in (True, False)]
    found.append(replace(found[-1], looks_like=names))
    assert [one.verdict for one in found] == [
        "normal",
        "not normal",
        "museum:no-losses or museum:b, with odds 0.80",
    ]


@pytest.mark.slow
def test_learners_of_plain_python_are_normal_or_have_the_mistake_that_was_planted() -> None:
    alpha, epsilon = 0.1, 0.1
    spec = parse_player(f"td:alpha={alpha},epsilon={epsilon}")
    known = like.Comparison.train(spec, None, 10_000, [*Side], seconds=math.inf)
    for mistake, name in {"": "", **plain_learner.MISTAKES}.items():
        for side, player in zip(
            Side, plain_learner.train(10_000, 5, alpha, epsilon, mistake), strict=True
        ):
            (agent,) = judged_player(player_of(plain_learner.policy(player)), [side])
            found = known.of(agent)
            named = found.looks_like[0][0][0] if found.looks_like else ""
            assert (found.is_normal, named) == (mistake == "", name), (mistake, side, found.why)


@pytest.mark.slow
def test_a_mapping_without_ties_is_compared_with_learners_that_break_ties_alike() -> None:
    x, _ = plain_learner.train(10_000, 8)
    moves = {board: min(answer) for board, answer in plain_learner.policy(x).items()}
    found = judge_agent(moves, "X", like="td", games=10_000)["like"]
    assert (found["normal"], found["looks_like"]) == (True, [])
    assert set(found["percentiles"]) == {m.name for m in METRICS} - {"rms-minimax"}

"""Exact verdicts of worked cases; `tests/tui/truth` has a referee for each metric."""

import pytest

from afterstate_lab.game import Side
from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, minimax_rewards
from afterstate_lab.learners.judge.evaluation import Evaluation, expected_result
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.trace import trace


def run_of(x: str, o: str, games: int = 0, seed: int = 0) -> Run:
    run = Run(parse_player(x), parse_player(o), seed)
    run.train(games)
    return run


def judged(run: Run, side: str = "X") -> Evaluation:
    evaluation = Evaluation.of(EvaluatedState(run.layout, run.memory), Side.parse(side))
    assert evaluation is not None
    return evaluation


def made_perfect(run: Run) -> Run:
    """Write the minimax value of every board into both players' state values."""
    for table in (run.layout.x, run.layout.o):
        table.values(run.memory)[0] = minimax_rewards(table, run.memory)[table.entries.boards]
    return run


@pytest.mark.parametrize(("side", "decisions"), [("X", 2423), ("O", 2097)])
def test_a_learner_made_perfect_is_judged_so(side: str, decisions: int):
    found = judged(made_perfect(run_of("td:draw=.3", "td:draw=.3")), side)
    assert (found[f.OPTIMAL], found[f.BEATABLE]) == ((decisions, decisions), False)
    assert (found[f.WORST_LOSS], found[f.PERFECT_DRAW], found[f.RMS_MINIMAX]) == (0.0, 1.0, 0.0)


def test_a_learner_that_knows_nothing_plays_at_random():
    # Random against random: X wins 737/1260, draws 8/63, O wins 121/420.
    run, chances = run_of("q", "q"), [737 / 1260, 8 / 63, 121 / 420]
    for side, expected in (("X", chances), ("O", chances[::-1])):
        found = judged(run, side)
        told = [found[figure] for figure in (f.WIN, f.DRAW, f.LOSS)]
        assert told == pytest.approx(expected, abs=1e-12)


@pytest.mark.quick("td-2097-2422", "menace-1087-None")
@pytest.mark.parametrize(
    ("spec", "of_x", "of_o"),
    [
        ("td", 2097, 2422),
        ("chain:plies=all", 4519, 4519),
        ("q", 8631, 7536),
        ("menace", 1087, None),
        ("td:symmetry=on", None, None),
    ],
)
def test_coverage_is_the_entries_with_backups_in_the_trace(
    spec: str, of_x: int | None, of_o: int | None
):
    written: dict[str, set[tuple[str, int | None]]] = {"X": set(), "O": set()}
    run = run_of(spec, spec)
    for event in trace(run, 300):
        if event["kind"] == "backup" and (event["board"] != "." * 9 or event["cell"]):
            written[event["player"]].add((event["board"], event["cell"]))
    for side, of in (("X", of_x), ("O", of_o)):
        count, total = judged(run, side)[f.COVERAGE]
        assert count == len(written[side]) > 0
        assert of is None or total == of


@pytest.mark.parametrize(
    ("x", "o", "win", "draw"),
    [
        ("random", "random", 737 / 1260, 8 / 63),
        ("perfect", "random", 75257 / 77760, 1 - 75257 / 77760),
        ("random", "perfect", 0.0, 757 / 3402),
        ("perfect:epsilon=1", "random", 737 / 1260, 8 / 63),
        ("perfect", "perfect", 0.0, 1.0),
    ],
)
def test_what_is_to_be_expected_of_opponents(x: str, o: str, win: float, draw: float):
    run = run_of(x, o)
    expected = expected_result(run.layout, run.memory)
    assert expected is not None
    assert expected.win == pytest.approx(win, abs=1e-12)
    assert expected.draw == pytest.approx(draw, abs=1e-12)

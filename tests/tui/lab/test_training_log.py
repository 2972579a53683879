"""The log of a training says what changed, and when."""

import itertools
from dataclasses import replace

from afterstate_lab.learners.judge.curve import MOST, History, Point
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import PATIENCE, Goal, Training
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.goal import goal_of
from afterstate_lab.tui.lab.log import training_log
from afterstate_lab.tui.lab.session import Session, Settings


def verdict(*, beatable: bool) -> Evaluation:
    return Evaluation("td", {"beatable": beatable})


def lines(*points: Point) -> list[str]:
    """The heads and the lines; nobody could be beaten who is not judged."""
    view = training_log(History(points), 0)
    told = ["".join(text for text, _ in words) for words in (view.heads, *view.lines)]
    return [line.rstrip() for line in told]


def test_only_changes_at_milestones_and_exact_ones_have_lines_whose_shares_are_a_whole() -> None:
    both, neither = (verdict(beatable=True),) * 2, (verdict(beatable=False),) * 2
    first = Point(10, (5, 0, 5), both, (8,))
    found = lines(
        first,
        replace(first, games=20, results=(6, 0, 4)),
        Point(30, (20, 60, 20)),
        Point(40, (20, 60, 20), neither, (4,)),
        Point(50, (20, 60, 20), (both[0], neither[1]), (4,)),
        Point(73, (21, 69, 11), neither, (4,)),
        Point(80, (20, 60, 20), both, (4,)),
        Point(100, (20, 60, 20), both, (4,)),
    )
    assert found == [
        " games  X won draw O won  what changed",
        "    10    50%   0%   50%  opens with 9",
        "    50    20%  60%   20%  opening turned to 5",
        "                          O unbeatable",
        "    73    21%  68%   11%  X unbeatable",
        "   100    20%  60%   20%  X beatable again",
        "                          O beatable again",
    ]


def test_the_newest_point_always_has_a_line() -> None:
    both = (verdict(beatable=True),) * 2
    found = lines(Point(10, (5, 0, 5), both, (8,)), Point(20, (6, 1, 3), both, (8,)))
    assert found[-1] == "    20    60%  10%   30%"


def test_a_learner_that_knows_nothing_opens_anywhere() -> None:
    session = Session(Settings(parse_player("td"), parse_player("td"), 3))
    assert session.history.last.opening == tuple(range(9))
    (line,) = training_log(session.history, 0).lines
    assert line[-1][0] == "opens anywhere"


def test_the_log_does_not_depend_on_the_speed_of_the_machine() -> None:
    """Slices of any length leave the same lines and the same verdicts."""

    def told(seconds: float) -> tuple[list[str], list[Point]]:
        run = Run(parse_player("td"), parse_player("td"), 1)
        now = itertools.count()
        training = Training(run, Goal(100), is_judged=True, clock=lambda: next(now) * seconds)
        training.work()
        history = History()
        history.add_all(training.points)
        return lines(*history.points), [point for point in history.points if point.evaluation]

    slow, fast = told(3.0), told(1e-6)
    assert slow == fast
    games = [point.games for point in fast[1]]
    assert set(games) >= {1, 2, 5, 9, 10, 20, 50, 90, 100}


def test_a_training_until_unbeatable_that_may_never_end_ends_with_a_sentence() -> None:
    assert goal_of("unbeatable") == Goal(PATIENCE, until_unbeatable=True)
    settings = Settings(parse_player("menace"), parse_player("td"), 0)
    controller = LabController(settings)
    controller.session.begin_training(Goal(5, until_unbeatable=True)).work()
    said = controller.end_training()
    assert said is not None
    assert said.text == "X and O can still be beaten after 5 games. More may not help."


def test_however_many_points_there_are_milestones_stay() -> None:
    history = History()
    judged = (verdict(beatable=True), None)
    for games in range(1, 30_001):
        history.add_all([Point(games, (1, 0, 0), judged if games % 100 == 0 else None)])
    kept = [point.games for point in history.points]
    assert len(kept) <= MOST
    assert set(kept) >= {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000}
    assert kept == sorted(kept)
    history.add_all([Point(12_345, (1, 0, 0), judged)])
    assert 12_345 in [point.games for point in history.points]
    assert [point.games for point in history.points] == sorted(p.games for p in history.points)

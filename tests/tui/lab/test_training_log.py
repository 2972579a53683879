"""The log of a training says what changed, and when."""

from __future__ import annotations

from dataclasses import replace

from learners.judge.curve import History, Point
from learners.judge.evaluation import Evaluation
from learners.players.resolve import parse_player
from tui.lab.log import training_log
from tui.lab.session import Session, Settings


def verdict(*, beatable: bool) -> Evaluation:
    return Evaluation("td", {"beatable": beatable})


def lines(*points: Point) -> list[str]:
    """The heads and the lines; nobody could be beaten who is not judged."""
    view = training_log(History(points), 0)
    told = ["".join(text for text, _ in words) for words in (view.heads, *view.lines)]
    return [line.rstrip() for line in told]


def test_only_points_at_which_something_changed_have_lines() -> None:
    both, neither = (verdict(beatable=True),) * 2, (verdict(beatable=False),) * 2
    first = Point(10, (5, 0, 5), both, (8,))
    found = lines(
        first,
        replace(first, games=20, results=(6, 0, 4)),
        Point(30, (20, 60, 20)),
        Point(40, (20, 60, 20), (both[0], neither[1]), (4,)),
        Point(50, (20, 60, 20), neither, (4,)),
        Point(60, (20, 60, 20), both, (4,)),
    )
    assert found == [
        " games  X won draw O won  what changed",
        "    10    50%   0%   50%  opens with 9",
        "    40    20%  60%   20%  opening turned to 5",
        "                          O unbeatable",
        "    50    20%  60%   20%  X unbeatable",
        "    60    20%  60%   20%  X beatable again",
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

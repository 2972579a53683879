"""The learning curve keeps a few hundred points, and no long stretch without one."""

import numpy as np

from afterstate_lab.learners.judge.curve import MILESTONES, MOST, History, Point, is_round


def test_a_long_curve_is_thinned_everywhere_and_keeps_its_milestones():
    history = History()
    history.add_all(Point(games, (1, 0, 0)) for games in range(4 * MOST))
    games = [point.games for point in history.points]
    assert len(games) <= MOST and (games[0], games[-1]) == (0, 4 * MOST - 1)
    assert {n for n in range(4 * MOST) if is_round(n, MILESTONES)} <= {*games}
    assert np.diff(games).max() < 4 * MOST / 16
    history.add_all([Point(123, (1, 0, 0))])
    games = [point.games for point in history.points]
    assert 123 in games and games == sorted({*games}), "a point may come late"


def test_a_cut_curve_keeps_the_point_where_it_is_cut():
    history = History(Point(games, (1, 0, 0)) for games in (10, 20, 30))
    history.cut(20)
    assert [point.games for point in history.points] == [10, 20]

"""The figures of the stats, in the pane, as sentences and as a report."""

from __future__ import annotations

import numpy as np
from tui.cli.report import evaluation_lines

from learners.judge.figures import COVERAGE
from learners.players.resolve import parse_player
from tui.lab.panes import stats_view
from tui.lab.session import Session, Settings
from tui.plain.dialogue import Dialogue
from tui.views.lab import StatsView

BOTH_SIDES = 4_519
"""Afterstates of X and of O without the empty board: 2,097 and 2,422."""


def trained(x: str, o: str, games: int = 200) -> Session:
    """A session at the end of its run."""
    session = Session(Settings(parse_player(x), parse_player(o), 3))
    session.run.train(games)
    session.timeline.go_to(games - 1, at_end=True)
    return session


def fresh_stats(x: str, o: str) -> StatsView:
    return stats_view(Session(Settings(parse_player(x), parse_player(o), 3)))


def test_a_table_that_both_players_share_is_counted_once():
    session = trained("negamax", "negamax")
    view = stats_view(session)
    for side in session.evaluation:
        assert side is not None
        assert side[COVERAGE] == (view.seen, view.seen_of)
    assert view.seen > 0
    told = Dialogue(session.run).answer("stats")
    assert [line for line in told if "values that they share" in line] == [
        f"X and O have written {view.seen:,} of the 4,519 values that they share."
    ]
    assert not any(line.startswith(("X has written", "O has written")) for line in told)
    report = evaluation_lines(session.evaluation, counted_once=True)
    assert sum("entries written" in line for line in report) == 1


def test_a_shared_table_in_which_each_has_boxes_of_its_own_is_counted_in_full():
    session = trained("menace-code", "menace-code")
    view, layout = stats_view(session), session.run.layout
    both = layout.x.entries.live | layout.o.entries.live
    assert layout.is_shared
    assert not layout.is_counted_once
    assert view.seen_of == both.sum()
    assert view.seen == np.count_nonzero(layout.x.visits(session.run.memory)[0][both])


def test_negamax_against_itself_has_the_afterstates_of_both_sides():
    view = fresh_stats("negamax", "negamax")
    assert (view.seen, view.seen_of) == (0, BOTH_SIDES)


def test_two_tables_are_counted_together():
    view = fresh_stats("negamax", "negamax:alpha=0.3")
    assert (view.seen, view.seen_of) == (0, 2 * BOTH_SIDES)
    view = fresh_stats("td", "td")
    assert (view.seen, view.seen_of) == (0, BOTH_SIDES)

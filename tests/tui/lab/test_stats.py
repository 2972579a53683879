"""The figures of the stats, in the pane, as sentences and as a report."""

import numpy as np
import pytest

from afterstate_lab.game import Side
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState
from afterstate_lab.learners.judge.figures import COVERAGE, RMS_MINIMAX, RMS_OPTIMAL
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.tui.blocks.span import Pen
from afterstate_lab.tui.cli.evaluate import evaluation_lines
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.panes import stats_view
from afterstate_lab.tui.lab.session import Session, Settings
from afterstate_lab.tui.plain.dialogue import Dialogue
from afterstate_lab.tui.theme.glyphs import UNICODE


def trained(x: str, o: str, games: int = 200) -> Session:
    """A session at the end of its run."""
    session = Session(Settings(parse_player(x), parse_player(o), 3))
    session.run.train(games)
    session.timeline.go_to(games - 1, at_end=True)
    return session


def test_a_table_that_both_players_share_is_counted_once():
    session = trained("negamax", "negamax")
    view = stats_view(session)
    for side in session.evaluation:
        assert side is not None
        assert view.seen == (("", *side[COVERAGE]),)
    ((_, seen, _),) = view.seen
    assert seen > 0
    told = Dialogue(session.run).answer("stats")
    assert [line for line in told if "values that they share" in line] == [
        f"X and O have visited {seen:,} of the 4,519 values that they share."
    ]
    assert not any(line.startswith(("X has visited", "O has visited")) for line in told)
    report = evaluation_lines(session.evaluation, counted_once=True)
    assert sum("values visited" in line for line in report) == 1


def test_a_shared_table_in_which_each_has_boxes_of_its_own_is_counted_in_full():
    session = trained("menace-code", "menace-code")
    view, layout = stats_view(session), session.run.layout
    both = layout.x.entries.live | layout.o.entries.live
    assert layout.is_shared
    assert not layout.is_counted_once
    assert sum(of for _, _, of in view.seen) == both.sum()
    written = np.count_nonzero(layout.x.visits(session.run.memory)[0][both])
    assert sum(seen for _, seen, _ in view.seen) == written


def test_the_error_against_minimax_and_that_against_this_opponent_have_names_of_their_own():
    """.42067 and .34658: in the stats, in Step, in sentences and in the report."""
    session = Session(Settings(parse_player("td"), parse_player("random"), 3))
    run, timeline = session.run, session.timeline
    run.train(2_000)
    timeline.go_to(1_999, at_end=True)
    view = stats_view(session)
    assert view.sides[0].rms == pytest.approx(0.42067, abs=5e-6)
    painted = ["".join(text for text, _ in line) for line in view.draw(68, 10, Pen(UNICODE))]
    (told_error,) = (line.split() for line in painted if "error" in line)
    assert told_error == ["error", "X", ".421", "O", "—", "rms", "V−minimax"]
    told = Dialogue(run).answer("stats")
    assert "The root mean square error of its values against minimax is .4207." in told
    report = evaluation_lines(session.evaluation, counted_once=False)
    assert any("RMS error against minimax 0.4207" in line for line in report)

    scope = Microscope.at(timeline)
    assert scope is not None
    (note,) = scope.entries().notes
    assert "".join(text for text, _ in note) == "X rms V−v* .34658"
    state = EvaluatedState(run.layout, timeline.v, 2_000)
    assert RMS_OPTIMAL.measure(state, Side.X) == pytest.approx(0.34658, abs=5e-6)
    assert RMS_MINIMAX.measure(state, Side.X) == view.sides[0].rms
    assert RMS_OPTIMAL.error_label == "rms V−v*"


def test_the_figures_of_a_learner_are_not_told_of_the_person_who_plays_its_side():
    session = Session(Settings(parse_player("td"), parse_player("td"), 0))
    session.take_seat("X")
    session.new_game()
    x, o = (view := stats_view(session)).sides
    assert (x.is_person, x.beatable, x.rms) == (True, None, None)
    assert not o.is_person
    assert o.beatable
    assert view.seen == (("O", *session.evaluation[1][COVERAGE]),)
    painted = ["".join(text for text, _ in line) for line in view.draw(50, 8, Pen(UNICODE))]
    assert any(line.split()[:2] == ["X", "you"] for line in painted)
    told = Dialogue(session.run).answer("stats")
    assert "X is you." in told
    assert any(line.startswith("O can be beaten") for line in told)

"""How far a training until unbeatable has come: who cannot be beaten any more, and since when."""

from __future__ import annotations

from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.training import PATIENCE, Goal, Training
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.goal import goal_of
from afterstate_lab.tui.lab.lazy_session import LazySession
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.panes import stats_view, until_unbeatable
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.plain.long_work import still_beatable, verdict_of_goal


def test_a_side_that_is_unbeatable_is_named_and_the_other_one_is_still_to_come():
    session = Session(Settings(parse_player("menace"), parse_player("td"), 0))
    session.training = Training(session.run, Goal(5, until_unbeatable=True))
    session.snapshot = session.training.snapshot
    assert until_unbeatable(session)[-1] == "X and O still beatable"
    assert still_beatable(session.snapshot) == "X still beatable, O still beatable"
    assert all(side is not None and side[BEATABLE] for side in session.snapshot.evaluation)
    view = stats_view(session)
    assert (view.progress, view.until) == (None, until_unbeatable(session))


def test_a_training_until_unbeatable_that_may_never_end_ends_with_a_sentence():
    assert goal_of("unbeatable") == Goal(PATIENCE, until_unbeatable=True)
    settings = Settings(parse_player("menace"), parse_player("td"), 0)
    controller = LabController(LazySession(settings))
    session = controller.session
    session.begin_training(Goal(5, until_unbeatable=True)).work()
    said = controller.end_training()
    assert said is not None
    assert said.text == "X and O can still be beaten after 5 games, and may be for ever."
    assert verdict_of_goal(session.snapshot) == said.text

"""The autosave: what is saved by itself and when, without a screen."""

from functools import partial
from pathlib import Path

import pytest
from reading import session_of

from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.lab.autosave import SAVE_SECONDS, Autosave
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.session import Session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def autosave(path: Path) -> Autosave:
    """An autosave whose clock stands until it is set."""
    return Autosave(open_store=lambda: Store.open(path), clock=lambda: 100.0)


session = partial(session_of, games=0)


def perform(lab: Session, name: str) -> None:
    controller = LabController(lab.settings)
    controller.session = lab
    controller.perform(name)


def saved(autosave: Autosave, lab: Session) -> bool:
    """Look, and save where there is something to save; whether there was."""
    found = autosave.capture(lab)
    if found:
        assert autosave.write()
    return found


def reopened(path: Path) -> Session:
    store, lab = Store.open(path), session()
    lab.resume(store.load(store.latest().id))
    return lab


def games_in(path: Path) -> set[int]:
    return {info.games for info in Store.open(path).list()}


def trained(lab: Session, games: int) -> Session:
    """Train, and look at what came of it while the training is still there."""
    lab.begin_training(Goal(games)).work()
    lab.look_at_training()
    return lab


def test_what_was_never_played_makes_no_file_and_nothing_is_written_twice(autosave, path):
    lab = session()
    for change in (lambda: None, lab.new_game):
        change()
        assert not autosave.capture(lab)
    assert autosave.finish(lab)
    assert not path.exists()
    (lab := session()).go_on()
    assert saved(autosave, lab)
    assert not autosave.capture(lab)
    assert not autosave.capture(lab, at_once=True)
    lab.timeline.step()
    assert not autosave.capture(lab)


def test_every_move_of_a_person_is_saved_and_the_game_goes_on(autosave, path):
    lab = session("human", "td:epsilon=0.5")
    lab.move(4)
    assert saved(autosave, lab)
    again = reopened(path)
    assert (again.mode, again.human) == (Mode.PLAY, "X")
    assert (again.board, again.script) == (lab.board, lab.script)
    while lab.game_goes_on:
        cell = lab.board.legal_cells[0]
        for each in (lab, again):
            each.move(cell)
    assert again.run.sha256 == lab.run.sha256
    assert saved(autosave, lab)
    assert reopened(path).run.games == 1
    assert lab.take_back()
    assert saved(autosave, lab), "what is taken back is taken back in the store too"
    for taken in (lab, reopened(path)):
        assert [point.games for point in taken.history.points] == [taken.run.games] == [0]
    assert reopened(path).board == lab.board


def test_a_person_who_plays_o_against_a_frozen_learner_sits_there_again(autosave, path):
    lab = session("td", "human")
    perform(lab, "learning")
    lab.new_game()
    lab.move(lab.board.legal_cells[0])
    assert saved(autosave, lab)
    again = reopened(path)
    assert (again.human, again.learner_learns, again.board) == ("O", False, lab.board)


def test_a_game_goes_on_learning_though_learning_is_switched_off_in_it():
    """The next game does not; switched off before the first move, this game does not either."""
    learned = []
    for moves_before in (1, 0):
        lab = session("human", "td")
        lab.new_game()
        before = lab.run.memory.copy()
        made = 0
        while lab.game_goes_on:
            if made == moves_before:
                perform(lab, "learning")
            lab.move(lab.board.legal_cells[0])
            made += 1
        learned.append(bool((lab.run.memory != before).any()))
        lab.new_game()
        assert Seat.FROZEN in (lab.run.seating.x, lab.run.seating.o)
    assert learned == [True, False]


def test_while_it_trains_it_is_saved_at_once_and_every_few_seconds_and_when_paused(autosave, path):
    lab = trained(session(), 300)
    assert saved(autosave, lab), "a run that is begun is in the store at once"
    lab.end_training()
    assert saved(autosave, lab)
    lab = trained(lab, 200)
    assert not autosave.capture(lab)
    autosave.clock = lambda: 100.0 + SAVE_SECONDS
    assert saved(autosave, lab)
    assert reopened(path).run.games == 500
    assert not autosave.capture(lab)
    lab.end_training()
    assert saved(autosave, lab)
    again = reopened(path)
    assert (again.mode, again.is_over) == (Mode.WATCH, True)
    assert again.history.points == lab.history.points
    trained(lab, 10)
    lab.training.pause()
    assert saved(autosave, lab)
    assert reopened(path).run.games == 510


def test_a_run_is_not_copied_while_another_thread_plays_its_games(autosave, monkeypatch):
    lab = trained(session(), 300)
    monkeypatch.setattr(lab.run, "fork", None)
    assert saved(autosave, lab)


def test_a_fork_is_a_run_of_its_own_and_leaves_the_old_one_as_it_was(autosave, path):
    lab = trained(session(), 50)
    lab.end_training()
    assert saved(autosave, lab)
    points = list(lab.history.points)
    lab.timeline.go_to(10)
    taken = lab.timeline.event.cell  # type: ignore[union-attr]
    lab.fork((taken + 1) % 9)
    assert saved(autosave, lab)
    assert lab.history.points[-1].games == 11
    assert games_in(path) == {11, 50}
    perform(lab, "other_line")
    assert not autosave.capture(lab)
    assert lab.history.points == points


def test_a_run_changed_elsewhere_is_kept_beside_it(autosave, path):
    lab = session()
    lab.go_on()
    assert saved(autosave, lab)
    store = Store.open(path)
    other = store.load("td-td")
    other.run.train(5)
    store.save(other.run, into=other.stored)
    lab.run.train(1)
    assert saved(autosave, lab)
    assert "was changed by another process" in autosave.notice
    assert games_in(path) == {2, 6}


def test_the_first_run_has_the_name_that_was_wanted(path):
    autosave = Autosave(open_store=lambda: Store.open(path), name="mine")
    for _ in range(2):
        lab = session()
        lab.go_on()
        assert saved(autosave, lab)
    assert {info.name for info in Store.open(path).list()} == {"mine", "td-td"}

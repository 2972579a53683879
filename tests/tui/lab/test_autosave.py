"""The keeper: what is saved by itself and when, without a screen."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from learners.errors import StoreError
from learners.players.resolve import parse_player
from learners.store import Store
from learners.training import Goal
from tui.lab.autosave import SAVE_SECONDS, Keeper
from tui.lab.modes import Mode, Settings
from tui.lab.session import Session


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def keeper(clock: Clock, path: Path) -> Keeper:
    return Keeper(open_store=lambda: Store.open(path), clock=clock)


def session(x: str = "td", o: str = "td", seed: int = 7) -> Session:
    return Session(Settings(parse_player(x), parse_player(o), seed))


def kept(keeper: Keeper, lab: Session) -> bool:
    """Look, and save where there is something to save; whether there was."""
    found = keeper.look(lab)
    if found:
        assert keeper.work()
    return found


def reopened(path: Path) -> Session:
    """A new lab that goes on with the run saved last."""
    with Store.open(path) as store:
        info = store.latest()
        assert info is not None
        loaded = store.load(info.id)
    lab = session()
    lab.go_on(loaded)
    return lab


def test_what_was_never_played_is_not_saved_and_makes_no_file(keeper, path):
    lab = session()
    assert not keeper.look(lab)
    lab.new_game()
    assert not keeper.look(lab)
    assert keeper.finish(lab)
    assert not path.exists()


def test_nothing_is_written_twice(keeper, path):
    lab = session()
    lab.watch_event()
    assert kept(keeper, lab)
    assert not keeper.look(lab)
    assert not keeper.look(lab, at_once=True)
    lab.timeline.step()
    assert not keeper.look(lab)


def test_every_move_of_a_person_is_saved_and_the_game_goes_on(keeper, path):
    lab = session("human", "td:epsilon=0.5")
    lab.move(4)
    assert kept(keeper, lab)
    again = reopened(path)
    assert again.mode is Mode.PLAY
    assert again.human == "X"
    assert again.board == lab.board
    assert again.script == lab.script
    while lab.game_goes_on:
        cell = lab.board.legal_cells[0]
        lab.move(cell)
        again.move(cell)
    assert again.run.state().sha256 == lab.run.state().sha256


def test_a_person_who_plays_o_against_a_frozen_learner_sits_there_again(keeper, path):
    lab = session("td", "human")
    lab.toggle_learning()
    lab.new_game()
    lab.move(lab.board.legal_cells[0])
    assert kept(keeper, lab)
    again = reopened(path)
    assert (again.human, again.learner_learns, again.board) == ("O", False, lab.board)


def test_a_game_taken_back_is_taken_back_in_the_store_too(keeper, path):
    lab = session("human", "td")
    while lab.game_goes_on:
        lab.move(lab.board.legal_cells[0])
    assert kept(keeper, lab)
    assert reopened(path).run.games == 1
    lab.take_back()
    assert kept(keeper, lab)
    again = reopened(path)
    assert again.run.games == 0
    assert again.board == lab.board


def test_an_unfinished_game_is_kept_while_one_looks_elsewhere(keeper, path):
    lab = session("human", "td")
    lab.move(4)
    lab.look_closely()
    assert kept(keeper, lab)
    assert reopened(path).script == lab.script


def test_while_it_trains_it_is_saved_every_few_seconds(keeper, clock, path):
    lab = session()
    training = lab.begin_training(Goal(500))
    training.work()
    lab.look_at_training()
    assert not keeper.look(lab)
    clock.now += SAVE_SECONDS
    assert kept(keeper, lab)
    assert reopened(path).run.games == 500
    assert not keeper.look(lab)
    lab.end_training()
    assert kept(keeper, lab)
    again = reopened(path)
    assert again.mode is Mode.WATCH
    assert again.history.points == lab.history.points
    assert again.is_over


def test_a_paused_training_is_saved_at_once(keeper, path):
    lab = session()
    training = lab.begin_training(Goal(500))
    training.work()
    lab.look_at_training()
    training.pause()
    assert kept(keeper, lab)
    assert reopened(path).run.games == 500


def test_training_that_goes_on_comes_to_the_bits_of_an_undisturbed_one(keeper, path):
    lab = session("td:epsilon=0.3", "q")
    lab.begin_training(Goal(300)).work()
    lab.end_training()
    assert kept(keeper, lab)
    again = reopened(path)
    again.begin_training(Goal(200)).work()
    whole = session("td:epsilon=0.3", "q")
    whole.run.train(500)
    assert again.run.state().sha256 == whole.run.state().sha256


def test_a_fork_is_a_run_of_its_own_and_leaves_the_old_one_as_it_was(keeper, path):
    lab = session()
    lab.begin_training(Goal(50)).work()
    lab.end_training()
    assert kept(keeper, lab)
    points = list(lab.history.points)
    lab.timeline.go_to(10)
    taken = lab.timeline.event.cell  # type: ignore[union-attr]
    lab.fork((taken + 1) % 9)
    assert kept(keeper, lab)
    assert lab.history.points[-1].games == 11
    with Store.open(path) as store:
        assert {info.games for info in store.list()} == {11, 50}
    lab.other_line()
    assert not keeper.look(lab)
    assert lab.history.points == points


def test_what_cannot_be_saved_is_said_and_saved_later(clock, path):
    working = False

    def door() -> Store:
        if not working:
            raise StoreError("the disk is full")
        return Store.open(path)

    keeper, lab = Keeper(open_store=door, clock=clock), session()
    lab.watch_event()
    assert keeper.look(lab)
    assert not keeper.work()
    assert keeper.trouble == "the disk is full"
    assert not keeper.look(lab), "it is not tried again and again"
    working = True
    assert keeper.work()
    assert keeper.trouble == ""
    assert reopened(path).run.games == 1


def test_a_store_that_another_holds_is_waited_for_a_moment_and_tried_again(clock, path):
    keeper, lab = Keeper(lambda: Store.open(path, patience=0.05), clock), session()
    lab.watch_event()
    assert kept(keeper, lab)
    lab.run.train(1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert keeper.look(lab)
        assert not keeper.work()
        assert "held by another process" in keeper.trouble
    assert keeper.work()
    assert reopened(path).run.games == 2


def test_the_newest_state_is_what_is_saved_after_trouble(clock, path):
    doors: list[Callable[[], Store]] = [lambda: Store.open(path / "no folder")]
    path.write_bytes(b"this is no database, but it is long enough to look like a file" * 20)
    keeper, lab = Keeper(open_store=lambda: doors[-1](), clock=clock), session()
    lab.watch_event()
    keeper.look(lab)
    assert not keeper.work()
    lab.run.train(5)
    keeper.look(lab)
    path.unlink()
    doors.append(lambda: Store.open(path))
    assert keeper.finish(lab)
    assert reopened(path).run.games == 6


def test_a_run_changed_elsewhere_is_kept_beside_it(keeper, path):
    lab = session()
    lab.watch_event()
    assert kept(keeper, lab)
    with Store.open(path) as store:
        other = store.load("td-td")
        other.run.train(5)
        store.save(other.run, into=other.stored)
    lab.run.train(1)
    assert kept(keeper, lab)
    assert "changed elsewhere" in keeper.told
    with Store.open(path) as store:
        assert {info.games for info in store.list()} == {2, 6}


def test_the_first_run_has_the_name_that_was_wanted(clock, path):
    keeper = Keeper(open_store=lambda: Store.open(path), clock=clock, name="mine")
    for _ in range(2):
        lab = session()
        lab.watch_event()
        assert kept(keeper, lab)
    with Store.open(path) as store:
        assert {info.name for info in store.list()} == {"mine", "td-td"}


def test_a_run_that_the_lab_has_left_is_forgotten_once_it_is_saved(keeper):
    lab = session()
    for _ in range(3):
        lab.start(lab.settings)
        lab.watch_event()
        assert kept(keeper, lab)
    assert len(keeper._kept) == 1


def test_a_run_that_was_left_before_anything_was_played_is_forgotten_too(keeper):
    lab = session()
    for _ in range(3):
        lab.start(lab.settings)
        assert not kept(keeper, lab)
    assert len(keeper._kept) == 1

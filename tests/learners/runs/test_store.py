"""What is saved comes back, whole, and goes on as if nothing had happened."""

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from afterstate_lab.learners.errors import StoreError
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.runs.store import Pending, Store
from afterstate_lab.learners.runs.verify import MOST, RunComparison, compared, verify
from afterstate_lab.learners.tape.run import Run, Seat, Seating

Begin = Callable[..., Run]


def point(run: Run) -> Point:
    """The run on its learning curve."""
    return Point(run.games, (1, 2, 3), evaluate_memory(run.layout, run.memory))


def test_a_run_with_games_of_a_person_comes_back_whole(
    store: Store, begin: Begin, play_as_x, assert_same
) -> None:
    run = begin()
    history = [point(run)]
    run.train(60)
    play_as_x(run)
    run.train(40)
    history.append(point(run))
    store.save(run, name="mine", note="a note", history=history)
    loaded = store.load("mine")
    assert_same(loaded.run.state(), run.state())
    assert loaded.note == "a note"
    assert list(loaded.history) == history
    assert loaded.pending is None
    assert loaded.is_same_engine


def test_a_game_can_be_gone_on_with_in_the_middle(store: Store, begin: Begin) -> None:
    run = begin()
    run.train(20)
    run.seat(Seating(Seat.LEARNS, Seat.HUMAN))
    first = run.play()
    taken = first.event(0).cell
    free = [cell for cell in range(9) if cell != taken]
    here = run.play({2: free[0]})
    store.save(run, name="game", pending=Pending({2: free[0]}, "O"))
    loaded = store.load("game")
    assert loaded.pending == Pending({2: free[0]}, "O")
    again = loaded.run.play(loaded.pending.script)
    assert again.events() == here.events()
    assert loaded.run.games == run.games == 20
    assert store.info("game").in_game
    store.save(loaded.run, into=loaded.stored)
    assert store.load("game").pending is None


def test_a_save_writes_only_what_is_new(store: Store, path: Path, begin: Begin) -> None:
    run = begin()
    run.train(30)
    run.train(30)
    history = [point(run)]
    stored = store.save(run, history=history)

    def rows() -> dict[str, int]:
        with sqlite3.connect(path) as connection:
            told = connection.execute(
                "SELECT 'k' || game, rowid FROM keyframes "
                "UNION SELECT 'p' || games, rowid FROM points"
            ).fetchall()
        connection.close()
        return dict(told)

    before = rows()
    run.train(30)
    history.append(point(run))
    store.save(run, into=stored, history=history)
    after = rows()
    assert set(after) - set(before) == {"k90", "p90"}
    assert all(after[row] == number for row, number in before.items())


def test_other_games_of_the_same_number_replace_the_old_ones(
    store: Store, begin: Begin, play_as_x, assert_same
) -> None:
    run = begin()
    run.train(20)
    play_as_x(run)
    stored = store.save(run, name="a", history=[point(run)])
    run.rewind(20)
    run.seat(Seating())
    run.train(1)
    history = [point(run)]
    store.save(run, into=stored, history=history)
    loaded = store.load("a")
    assert_same(loaded.run.state(), run.state())
    assert list(loaded.history) == history
    assert verify(loaded).is_same


def test_results_are_replaced_where_nothing_was_learned(
    store: Store, begin: Begin, assert_same
) -> None:
    # X wins with 1 2 3; then, taken back, O does. People learn nothing: memory stays as it was.
    run = begin()
    run.seat(Seating(Seat.HUMAN, Seat.HUMAN))
    run.play(dict(enumerate((0, 3, 1, 4, 2), 1)))
    stored = store.save(run, name="a")
    run.rewind(0)
    run.play(dict(enumerate((3, 0, 4, 1, 8, 2), 1)))
    run.play(dict(enumerate((0, 3, 1, 4, 2), 1)))
    store.save(run, into=stored)
    other = store.load("a").run
    other.rewind(1)
    run.rewind(1)
    assert_same(other.state(), run.state())


def test_what_is_not_given_stays_as_it_is(store: Store, begin: Begin) -> None:
    run = begin()
    stored = store.save(run, name="a", note="keep me", history=[point(run)])
    store.save(run, into=stored)
    loaded = store.load("a")
    assert (loaded.note, len(loaded.history)) == ("keep me", 1)


def test_runs_are_named_by_their_players(store: Store, begin: Begin) -> None:
    run = begin("td", "random")
    names = [store.save(run).name for _ in range(3)]
    assert names == ["td-random", "td-random (2)", "td-random (3)"]


@pytest.mark.parametrize("name", ["", "  ", "a" * 61, "a\x1b[2Jb", "\udcff"])
def test_a_bad_name_is_refused(store: Store, begin: Begin, name: str) -> None:
    with pytest.raises(StoreError, match="a run's name is"):
        store.save(begin(), name=name)
    assert store.list() == []


def test_a_name_is_given_once(store: Store, begin: Begin) -> None:
    run = begin()
    store.save(run, name="a")
    store.save(run, name="b")
    with pytest.raises(StoreError, match="called 'a' already"):
        store.save(run, name="a")
    with pytest.raises(StoreError, match="called 'a' already"):
        store.rename("b", "a")
    assert store.rename("b", "b").name == "b"
    assert store.rename("b", "c").name == "c"
    assert {info.name for info in store.list()} == {"a", "c"}


def test_a_line_of_the_list_tells_the_run(store: Store, begin: Begin) -> None:
    run = begin("td:alpha=0.2", "random", 2**70)
    run.train(50)
    store.save(run, name="a")
    info = store.latest()
    assert info is not None
    assert (info.x, info.o, info.seed, info.games) == ("td:alpha=0.2", "random", 2**70, 50)
    assert sum(info.results) == 50
    assert info.results[0] == run.tally[1]
    assert info.sha256 == run.sha256
    assert info.as_json()["updated"].endswith("+00:00")


def test_a_deleted_run_can_be_brought_back(store: Store, begin: Begin) -> None:
    run = begin()
    run.train(10)
    store.save(run, name="a")
    gone = store.delete("a")
    assert store.list() == [] and store.latest() is None and not store.has("a")
    with pytest.raises(StoreError, match="there is no run 'a'"):
        store.load("a")
    assert [info.id for info in store.list(deleted=True)] == [gone.id]
    store.save(begin(), name="a")
    assert store.undelete(gone.id).name == "a (2)"
    assert store.load("a (2)").run.games == 10


def test_saving_a_deleted_run_brings_it_back(store: Store, begin: Begin) -> None:
    run = begin()
    stored = store.save(run, name="a")
    store.delete("a")
    run.train(5)
    assert store.save(run, into=stored).name == "a"
    assert store.info("a").games == 5


def test_what_was_deleted_long_ago_goes_with_the_next(
    store: Store, path: Path, begin: Begin
) -> None:
    run = begin()
    old, new = store.save(run), store.save(run)
    store.delete(old.id)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE runs SET deleted = deleted - 31 * 86400")
    connection.commit()
    store.delete(new.id)
    assert [info.id for info in store.list(deleted=True)] == [new.id]
    assert connection.execute("SELECT DISTINCT run FROM keyframes").fetchall() == [(new.id,)]
    connection.close()


def test_a_run_replays_to_the_same_bits_and_says_so(store: Store, begin: Begin, play_as_x) -> None:
    run = begin("q", "td")
    run.train(50)
    play_as_x(run)
    run.train(20)
    found = verify(store.load(store.save(run).id))
    assert (found.is_same, found.games, found.differs) == (True, run.games, ())
    assert found.sha256 == run.sha256


def test_a_run_of_another_engine_says_what_differs(store: Store, begin: Begin, path: Path) -> None:
    run = begin()
    run.train(20)
    run.memory[5] += 1e-9
    run.train(20)
    stored = store.save(run)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE runs SET engine = 'another'")
    connection.commit()
    connection.close()
    loaded = store.load(stored.id)
    assert not loaded.is_same_engine
    found = verify(loaded)
    assert not found.is_same
    assert found.differs == (
        "replayed from game 20, it knows other numbers after game 40",
        "the run was played by another version of the engine or of its rules",
    )


def test_a_verification_can_be_stopped(store: Store, begin: Begin) -> None:
    run = begin()
    for _ in range(4):
        run.train(10)
    found = verify(store.load(store.save(run).id), stopped=lambda: True)
    assert found.is_same and found.games < 40


def compared_runs(store: Store, a: str, b: str) -> RunComparison:
    """What differs between two runs, as they are stored."""
    return compared(store.load(a).run.state(), store.load(b).run.state())


def test_two_runs_are_compared(store: Store, begin: Begin) -> None:
    first, second = begin("td:alpha=0.1", "td"), begin("td:alpha=0.5", "td")
    first.train(200)
    second.train(200)
    store.save(first, name="a")
    store.save(second, name="b")
    found = compared_runs(store, "a", "b")
    assert found.settings == (("X alpha", "0.1", "0.5"),)
    assert not found.is_same_memory
    apart = [abs(entry.a - entry.b) for entry in found.entries]
    assert apart == sorted(apart, reverse=True) and len(apart) == MOST
    x_first = next(entry for entry in found.entries if entry.player == "X")
    assert x_first.cell is None and len(x_first.board) == 9
    alike = compared_runs(store, "a", "a")
    assert alike.is_same_memory and alike.settings == alike.entries == ()


def test_different_kinds_of_players_are_compared_by_their_settings_alone(
    store: Store, begin: Begin
) -> None:
    runs = begin("q", "random"), begin("td", "random")
    for run in runs:
        run.train(5)
        store.save(run)
    found = compared_runs(store, "q-random", "td-random")
    assert found.settings == (("X", "q", "td"),)
    assert found.entries == ()


def test_only_the_owner_can_read_it(store: Store, path: Path, begin: Begin) -> None:
    store.save(begin())
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    files = list(path.parent.iterdir())
    assert path in files
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_store_that_was_moved_away_is_made_anew_and_nothing_is_lost(
    store: Store, path: Path, begin: Begin, tmp_path: Path
) -> None:
    run = begin()
    run.train(5)
    stored = store.save(run, name="a")
    for file in path.parent.iterdir():
        file.rename(tmp_path / file.name)
    run.train(5)
    store.save(run, into=stored)
    assert store.load("a").run.games == 10


def test_the_state_of_a_training_is_saved_while_it_goes_on(
    store: Store, begin: Begin, assert_same
) -> None:
    run = begin()
    run.train(10)
    state = run.state()
    run.train(30)
    store.save(state, name="a")
    undisturbed = begin()
    undisturbed.train(10)
    assert_same(store.load("a").run.state(), undisturbed.state())

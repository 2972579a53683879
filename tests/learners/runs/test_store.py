"""What is saved comes back, whole, and goes on as if nothing had happened, whoever saves."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from made import all_of, differs, play_as_x, run_of

from afterstate_lab.learners.errors import StoreError
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.runs.store import Store


def point(run):
    return Point(run.games, (1, 2, 3), evaluate_memory(run.layout, run.memory), (0, 4))


def test_a_run_with_games_of_a_person_comes_back_whole(store):
    run = run_of()
    history = [point(run)]
    run.train(60)
    play_as_x(run)
    run.train(40)
    history.append(point(run))
    store.save(run, name="mine", history=history)
    loaded = store.load("mine")
    assert all_of(loaded.run) == all_of(run)
    assert list(loaded.history) == history
    assert loaded.script == {}
    assert loaded.is_same_engine


def test_a_save_writes_only_what_is_new(store, edit):
    run = run_of(games=30)
    run.train(30)
    history = [point(run)]
    stored = store.save(run, history=history)

    def rows():
        return dict(
            edit(
                "SELECT 'k' || game, rowid FROM keyframes "
                "UNION SELECT 'p' || games, rowid FROM points"
            )
        )

    before = rows()
    run.train(30)
    history.append(point(run))
    store.save(run, into=stored, history=history)
    after = rows()
    assert set(after) - set(before) == {"k90", "p90"}
    assert all(after[row] == number for row, number in before.items())


def test_what_is_not_given_stays_as_it_is(store):
    run = run_of()
    stored = store.save(run, name="a", history=[point(run)])
    store.set_note("a", "keep me")
    store.save(run, into=stored)
    assert (store.info("a").note, len(store.load("a").history)) == ("keep me", 1)


@pytest.mark.parametrize("name", ["", "  ", "a" * 61, "a\x1b[2Jb", "\udcff"])
def test_a_bad_name_is_refused(store, name):
    with pytest.raises(StoreError, match="a run's name is"):
        store.save(run_of(), name=name)
    assert store.list() == []


def test_runs_are_named_by_their_players_and_a_name_is_given_once(store):
    run = run_of("td", "random")
    names = [store.save(run).name for _ in range(3)]
    assert names == ["td-random", "td-random (2)", "td-random (3)"]
    store.save(run, name="a")
    store.save(run, name="b")
    for taken in (lambda: store.save(run, name="a"), lambda: store.rename("b", "a")):
        with pytest.raises(StoreError, match="named 'a' already exists"):
            taken()
    assert [store.rename("b", name).name for name in ("b", "c")] == ["b", "c"]
    assert {info.name for info in store.list()} == {"a", "c", *names}


def test_a_deleted_run_can_be_brought_back_also_by_saving_it(store):
    run = run_of(games=10)
    stored = store.save(run, name="a")
    store.delete("a")
    assert store.list() == [] and store.latest() is None and not store.has("a")
    with pytest.raises(StoreError, match="no such run: 'a'"):
        store.load("a")
    store.save(run_of(), name="a")
    assert store.undelete().name == "a (2)"
    assert store.undelete() is None
    assert store.load("a (2)").run.games == 10
    store.delete("a")
    store.rename("a (2)", "a")
    store.delete("a")
    run.train(5)
    assert store.save(run, into=stored).name == "a"
    assert store.info("a").games == 15


def test_the_run_that_was_deleted_last_comes_back_first(store):
    for name in "abc":
        store.save(run_of(), name=name)
    for name in "bca":
        store.delete(name)
    assert [store.undelete().name for _ in range(3)] == ["a", "c", "b"]


def test_a_longest_name_that_is_taken_keeps_its_length_with_a_number(store):
    store.save(run_of(), name="a" * 60)
    store.delete("a" * 60)
    store.save(run_of(), name="a" * 60)
    assert store.undelete().name == f"{'a' * 56} (2)"


def test_what_was_deleted_over_thirty_days_ago_goes_with_the_next(store, edit):
    run = run_of()
    ids = [store.save(run).id for _ in range(3)]
    for gone, days in zip(ids, (31, 29, 0), strict=True):
        store.delete(gone)
        edit(f"UPDATE runs SET deleted = deleted - {days * 86_400} WHERE id = {gone}")
    assert edit("SELECT id FROM runs WHERE deleted NOT NULL") == [(kept,) for kept in ids[1:]]
    assert sorted(edit("SELECT DISTINCT run FROM keyframes")) == [(kept,) for kept in ids[1:]]


def test_a_run_of_another_engine_says_what_differs(store, edit):
    run = run_of(games=20)
    run.memory[5] += 1e-9
    run.train(20)
    stored = store.save(run)
    edit("UPDATE runs SET engine = 'another'")
    loaded = store.load(stored.id)
    assert (loaded.is_same_engine, loaded.warning) == (False, "")
    assert loaded.run.memory.tobytes() == run.memory.tobytes()
    assert differs(loaded) == ["other numbers after game 40"]


def test_two_labs_that_go_on_with_one_run_keep_both(path):
    mine, yours = Store.open(path), Store.open(path)
    mine.save(run_of(games=10), name="a")
    mine.set_note("a", "ours")
    my_run, your_run = mine.load("a"), yours.load("a")
    my_run.run.train(5)
    your_run.run.train(50)
    saved = mine.save(my_run.run, into=my_run.stored)
    kept = yours.save(your_run.run, into=your_run.stored)
    assert (saved.name, saved.is_copy) == ("a", False)
    assert (kept.name, kept.is_copy) == ("a (2)", True)
    assert mine.info("a (2)").note == "ours"
    your_run.run.train(50)
    again = yours.save(your_run.run, into=kept)
    assert (again.name, again.is_copy) == ("a (2)", False)
    assert all_of(mine.load("a").run) == all_of(my_run.run)
    assert all_of(mine.load("a (2)").run) == all_of(your_run.run)


def test_many_threads_may_save_list_and_load_at_once(path):
    store, run, states = Store.open(path), run_of(), []
    for _ in range(8):
        run.train(10)
        states.append(run.fork())

    def save(worker):
        stored = None
        for state in states:
            stored = store.save(state, into=stored, name=f"run {worker}")
            store.list()
        assert stored is not None
        assert store.load(stored.id).run.games == 80

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(save, range(6)))
    assert [info.games for info in store.list()] == [80] * 6

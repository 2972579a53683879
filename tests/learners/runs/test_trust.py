"""A file that cannot be used is refused with one sentence, and left as it is."""

import errno
import fcntl
import json
import os
import resource
import signal
import sqlite3
import tempfile
import zlib
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from made import all_of, differs, is_said, run_of, sentences

from afterstate_lab.learners.errors import PolicyFileError, StoreError
from afterstate_lab.learners.files import path_of
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.players.policy_file import check_place
from afterstate_lab.learners.runs.listing import OwnRuleError
from afterstate_lab.learners.runs.replay import changed_files
from afterstate_lab.learners.runs.store import Store


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "runs.sqlite"
    run = run_of(seed=7)
    for _ in range(3):
        run.train(20)
    Store.open(path).save(run, name="a")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


@pytest.fixture
def filled(path, whole):
    path.parent.mkdir(mode=0o700)
    path.write_bytes(whole)
    return path


def refusal(work):
    with pytest.raises(StoreError) as refused:
        work()
    told = str(refused.value)
    assert told.isprintable()
    return told


@pytest.mark.parametrize("why", ["it is not a database", "another program's database"])
def test_a_file_of_another_kind_is_refused_and_left_alone(path, edit, why):
    path.parent.mkdir()
    if why == "another program's database":
        edit("CREATE TABLE recipes (name)")
    else:
        path.write_bytes(b"my diary\n" * 1000)
    before = path.read_bytes()
    assert why in refusal(lambda: Store.open(path))
    assert path.read_bytes() == before


def test_a_store_held_by_another_process_is_told_and_usable_later(store, path, monkeypatch):
    """SQLite reports a disk that cannot lock, ENOLCK, as it reports a held store."""
    stored, run = store.save(run_of(), name="a"), run_of(games=5)

    def fails(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "another process is using" in refusal(lambda: store.save(run, into=stored))
        assert store.load("a").run.games == 0
        monkeypatch.setattr(fcntl, "lockf", fails)
        told = refusal(lambda: store.save(run, into=stored))
        assert "cannot lock files: set AFTERSTATE_DATA" in told
    store.save(run, into=stored)
    assert store.load("a").run.games == 5


@contextmanager
def no_more_room(size):
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("size", [0, 30_000, 200_000])
def test_where_no_file_can_grow_what_was_saved_is_kept_and_can_be_read(store, path, size):
    run = run_of(games=10)
    stored = store.save(run, name="a")
    for _ in range(40):
        run.train(10)
    with no_more_room(size):
        told = refusal(lambda: store.save(run, into=stored))
        assert "full" in told and str(path) in told
        assert [info.games for info in Store.open(path).list()] == [10]
        assert store.load("a").run.games == 10
    assert store.load("a").run.games == 10
    store.save(run, into=stored)
    assert store.load("a").run.games == 410


def test_a_store_that_cannot_be_made_leaves_nothing_behind(path):
    with no_more_room(0):
        told = refusal(lambda: Store.open(path, patience=0.1).save(run_of()))
    assert str(path) in told
    assert list(path.parent.iterdir()) == []


@contextmanager
def read_only(folder):
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    before = os.geteuid()
    if not before:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)
        folder.chmod(0o755)


@pytest.mark.parametrize("is_open_elsewhere", [False, True])
def test_in_a_folder_that_is_read_only_runs_are_listed_and_loaded(is_open_elsewhere):
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / "runs.sqlite"
        run = run_of(games=10)
        stored = Store.open(path).save(run, name="a")
        Store.open(path).load("a")
        if is_open_elsewhere:
            other = stack.enter_context(closing(sqlite3.connect(path)))
            other.execute("UPDATE runs SET note = 'mine'")
            other.commit()
        before = sorted(path.parent.iterdir())
        with read_only(path.parent):
            store = Store.open(path)
            assert [info.note for info in store.list()] == ["mine" * is_open_elsewhere]
            assert store.load("a").run.games == 10
            told = refusal(lambda: store.save(run, into=stored))
            assert told == (
                f"cannot write the store {str(path)!r}: its folder or file is read-only"
            )
        assert sorted(path.parent.iterdir()) == before


SOUND, _ = (one.as_json() for one in evaluate_memory(run_of().layout, run_of().memory))
CURVES = (
    "{}", "[{}, null]", "[[], 1]", "[null, null, [9]]", "",
    *(json.dumps([SOUND | figures, None]) for figures in (
        {"optimal": [5, 0]}, {"coverage": [6, 5]}, {"missed_wins": 10**30}, {"worst_loss": 10**400},
        {"worst_loss": -0.1}, {"rms_minimax": float("inf")},
        {"vs_random": {"win": 1.1, "draw": 0, "loss": 0}},
    )),
)  # fmt: skip


def damages(kind):
    rows = sentences("learners/runs/damages.txt", kind)
    return [pytest.param(*row, id=row[0][:40]) for row in rows]


def damage(edit, statements):
    memory = run_of().memory
    broken = memory.copy()
    broken[3] = np.nan
    values = {
        "bomb": zlib.compress(bytes(10_000_000)),
        "short": zlib.compress(memory.tobytes()[:-8]),
        "nan": zlib.compress(broken.tobytes()),
        "zeros": zlib.compress(bytes(memory.nbytes)),
        "deep": "[" * 100_000,
    }
    edit(*statements.split(";"), **values)


@pytest.mark.parametrize(("statements", "said"), damages("refused"))
def test_a_damaged_part_is_named(filled, edit, statements, said):
    damage(edit, statements)
    told = refusal(lambda: Store.open(filled).load(1))
    assert told.startswith("cannot load run 'a'") and is_said(told, said)


@pytest.mark.parametrize(("statement", "said"), damages("replayed"))
def test_a_run_whose_memory_is_damaged_is_played_again_and_says_so(filled, edit, statement, said):
    whole = Store.open(filled).load("a").run
    damage(edit, statement)
    loaded = Store.open(filled).load("a")
    assert loaded.warning == f"a was damaged: {said}; all 60 games were replayed."
    assert loaded.run.memory.tobytes() == whole.memory.tobytes()
    assert not differs(loaded)
    Store.open(filled).save(loaded.run, into=loaded.stored)
    again = Store.open(filled).load("a")
    assert again.warning == ""
    assert all_of(again.run) == all_of(loaded.run)


@pytest.mark.parametrize("told", CURVES, ids=lambda told: told[-40:])
def test_a_damaged_curve_is_left_out_and_that_is_said(filled, edit, told):
    add = "INSERT OR REPLACE INTO points SELECT id, 5, 1, 1, 1, :told FROM runs"
    edit(add, told=json.dumps([SOUND, None]))
    assert Store.open(filled).load("a").history[-1].games == 5
    edit(add, told=told)
    loaded = Store.open(filled).load("a")
    assert loaded.warning == "a was damaged: its learning curve cannot be read, and is omitted."
    assert loaded.history == ()
    Store.open(filled).save(loaded.run, into=loaded.stored)
    assert Store.open(filled).load("a").warning == ""


@pytest.mark.parametrize(("statements", "said"), damages("other tables"))
def test_a_store_with_other_tables_is_refused(filled, statements, said):
    """A stranger's store: nothing is asked of other tables than its own."""
    with closing(sqlite3.connect(filled)) as connection:
        connection.executescript(statements)
    before = filled.read_bytes()
    told = refusal(lambda: Store.open(filled))
    assert is_said(told, said)
    assert filled.read_bytes() == before


@pytest.mark.parametrize("spoilt", [b"\x80", b"{", b"}"])
def test_any_message_of_sqlite_is_a_sentence(filled, whole, spoilt):
    filled.write_bytes(whole.replace(b"CREATE TABLE runs", b"CREATE %bABLE runs" % spoilt, 1))
    assert "is damaged" in refusal(lambda: Store.open(filled))


@pytest.mark.parametrize(("row", "name", "why"), damages("listed"))
def test_a_damaged_row_is_listed_as_damaged_and_can_be_deleted_and_the_rest_is_there(
    filled, edit, row, name, why
):
    store = Store.open(filled)
    store.save(run_of(), name="b")
    edit(f"UPDATE runs SET {row} WHERE name = 'a'")
    edit("UPDATE runs SET updated = updated - 9 WHERE name = 'b'")
    assert store.latest().name == "b"
    (damaged,) = (info for info in store.list() if info.is_damaged)
    assert (damaged.name, damaged.note) == (name, f"damaged: {why}")
    damaged.updated.astimezone()
    told = refusal(lambda: store.load(damaged.id))
    assert told.startswith("cannot load run ") and why in told
    store.delete(damaged.id)
    assert [info.name for info in store.list()] == ["b"]
    if name == "a":
        store.undelete()
        assert len(store.list()) == 2


def test_numbers_that_no_learner_has_are_not_saved(store):
    run = run_of()
    stored = store.save(run, name="a")
    run.memory[3] = np.inf
    assert "could not save the run" in refusal(lambda: store.save(run, into=stored))
    assert store.load("a").run.memory[3] == 0.5


def test_a_rule_in_a_file_is_not_run_by_listing_or_loading(store, tmp_path, telltale_rule):
    ran, file = tmp_path / "it ran", tmp_path / "mine.py"
    file.write_text(telltale_rule)
    rule = f"{file}:Mine"
    run = run_of(f"{rule}:alpha=0.2", "random", games=10)
    ran.unlink()
    stored = store.save(run)
    assert stored.name == "mine-random"
    assert store.list()[0].x == f"{rule}:alpha=0.2"
    with pytest.raises(OwnRuleError) as refused:
        store.load(stored.id)
    assert refused.value.rule == rule
    assert repr(rule)[:40] in str(refused.value)
    assert not ran.exists()
    loaded = store.load(stored.id, own_rules=[rule])
    assert not differs(loaded)


def test_a_run_against_an_agent_goes_on_without_its_file_and_asks_it_never_again(store, tmp_path):
    file, ran = tmp_path / "agent.py", tmp_path / "ran"
    source = "def move(board):\n    return board.index('.') + 1\n"
    file.write_text(source)
    run = run_of("td", f"{file}:move", games=20)
    stored = store.save(run)
    file.write_text(f"open({str(ran)!r}, 'w')\n{source}")
    loaded = store.load(stored.id)
    assert str(loaded.run.o) == f"{file}:move"
    assert store.info(stored.id).o == f"{file}:move"
    run.train(20)
    loaded.run.train(20)
    assert loaded.run.memory.tobytes() == run.memory.tobytes()
    assert changed_files(store.load(stored.id).run) == [f"{file}:move"]
    file.unlink()
    assert changed_files(store.load(stored.id).run) == [f"{file}:move"]
    assert not differs(store.load(stored.id))
    file.write_text(source)
    assert not changed_files(store.load(stored.id).run)
    assert not ran.exists()


@pytest.mark.parametrize(
    "place", ["{here}/x.npz", "{here}/none/x.npz", "{here}/x", "~root/x.npz", "~nobody-here/x.npz",
              "none/x.npz", "x.npz", "../x.npz"],
)  # fmt: skip
def test_a_locked_lab_tells_nothing_of_a_path_elsewhere(place, tmp_path, monkeypatch):
    monkeypatch.setenv("AFTERSTATE_LOCKED", "1")
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    typed = place.format(here=tmp_path)
    with pytest.raises(PolicyFileError) as refused:
        check_place(path_of(typed))
    why = "this lab is locked and uses only files in its own folder"
    assert str(refused.value) == f"cannot write {typed!r}: {why}"

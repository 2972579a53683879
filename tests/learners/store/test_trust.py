"""A file that cannot be used is refused with one sentence, and left as it is."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from learners.errors import StoreError
from learners.players.policy_file import read_policy, save_policy
from learners.store import OwnRuleError, Store, verify
from learners.tape.run import Run

Begin = Callable[..., Run]

OWN_RULE = """
from pathlib import Path
from learners.rules.td import TemporalDifference
Path({ran!r}).touch()
class Mine(TemporalDifference):
    pass
"""


@pytest.fixture
def filled(path: Path, begin: Begin) -> Path:
    """A closed store with one run, `a`."""
    with Store.open(path) as store:
        run = begin()
        for _ in range(3):
            run.train(20)
        store.save(run, name="a")
    return path


@contextmanager
def edited(path: Path) -> Iterator[sqlite3.Connection]:
    """The store under somebody else's hands."""
    connection = sqlite3.connect(path)
    yield connection
    connection.commit()
    connection.close()


def refusal(work: Callable[[], object]) -> str:
    """The sentence with which something is refused."""
    with pytest.raises(StoreError) as refused:
        work()
    told = str(refused.value)
    assert told.isprintable()
    return told


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"my diary\n" * 1000)
    assert "it is not a database" in refusal(lambda: Store.open(path))
    assert path.read_bytes() == b"my diary\n" * 1000


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with edited(path) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    before = path.read_bytes()
    assert "of another program" in refusal(lambda: Store.open(path))
    assert path.read_bytes() == before


def test_a_store_of_a_newer_version_is_refused(filled: Path) -> None:
    with edited(filled) as connection:
        connection.execute("PRAGMA user_version = 2")
    assert "newer afterstate (format 2, this one reads 1)" in refusal(lambda: Store.open(filled))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_store_is_refused(filled: Path, share: float) -> None:
    whole = filled.read_bytes()
    filled.write_bytes(whole[: int(len(whole) * share)])
    told = refusal(lambda: Store.open(filled).load("a"))
    assert "is damaged" in told


@pytest.mark.parametrize("seed", range(8))
def test_a_store_with_a_spoilt_page_is_refused_or_unharmed(filled: Path, seed: int) -> None:
    dice = np.random.default_rng(seed)
    whole = bytearray(filled.read_bytes())
    first = int(dice.integers(100, len(whole) - 600))
    whole[first : first + 500] = dice.bytes(500)
    filled.write_bytes(whole)
    try:
        with Store.open(filled) as store:
            assert store.load("a").run.games == 60
    except StoreError as error:
        assert str(error).isprintable()


def test_an_empty_file_is_a_new_store(path: Path, begin: Begin) -> None:
    path.parent.mkdir()
    path.touch()
    with Store.open(path) as store:
        store.save(begin(), name="a")
        assert store.has("a")


def test_a_folder_in_its_place_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    assert "no ordinary file" in refusal(lambda: Store.open(path))


def test_a_pipe_in_its_place_is_refused(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    assert "no ordinary file" in refusal(lambda: Store.open(path))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = refusal(lambda: Store.open(tmp_path / "file" / "runs.sqlite"))
    assert "not a directory" in told or "exists" in told


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_a_folder_that_is_read_only_is_told() -> None:
    told = refusal(lambda: Store.open(Path("/proc/self/afterstate/runs.sqlite")))
    assert "cannot be used" in told


def test_a_store_held_by_another_process_is_told_and_usable_later(
    store: Store, path: Path, begin: Begin
) -> None:
    stored = store.save(begin(), name="a")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    run = begin()
    run.train(5)
    assert "held by another process" in refusal(lambda: store.save(run, into=stored))
    assert store.load("a").run.games == 0
    other.execute("ROLLBACK")
    other.close()
    store.save(run, into=stored)
    assert store.load("a").run.games == 5


def test_a_file_that_can_grow_no_more_keeps_what_was_saved(
    store: Store, path: Path, begin: Begin
) -> None:
    run = begin()
    run.train(10)
    stored = store.save(run, name="a")
    for _ in range(20):
        run.train(10)
    log = path.with_name(path.name + "-wal")
    largest = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 20_000, largest[1]))
    try:
        told = refusal(lambda: store.save(run, into=stored))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, largest)
        signal.signal(signal.SIGXFSZ, before)
    assert "full" in told
    assert store.load("a").run.games == 10
    store.save(run, into=stored)
    assert store.load("a").run.games == 210


def test_a_full_disk_keeps_what_was_saved(tmp_path: Path, begin: Begin) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=700k", "none", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        with Store.open(disk / "runs.sqlite") as store:
            run = begin()
            run.train(10)
            stored = store.save(run, name="a")
            games = 10
            with pytest.raises(StoreError, match="full"):
                for _ in range(50):
                    run.train(10)
                    stored = store.save(run, into=stored)
                    games += 10
            assert store.load("a").run.games == games
            assert verify(store.load("a")).is_same
    finally:
        subprocess.run(["umount", str(disk)], check=True)


DAMAGES = {
    "UPDATE contents SET memory = x'7878'": "its memory cannot be unpacked",
    "UPDATE contents SET memory = 7": "its memory cannot be unpacked",
    "UPDATE contents SET memory = :bomb": "not as long as its players need",
    "UPDATE contents SET memory = :short": "not as long as its players need",
    "UPDATE contents SET memory = :nan": "numbers that no learner has",
    "UPDATE contents SET memory = :zeros": "checksum",
    "UPDATE keyframes SET memory = :zeros WHERE game = 20": "checksum",
    "UPDATE keyframes SET game = 70 WHERE game = 40": "results are not those",
    "DELETE FROM keyframes": "keyframes are not those",
    "DELETE FROM keyframes WHERE game = 0": "keyframes are not those",
    "DELETE FROM contents": "contents are missing",
    "UPDATE runs SET games = 61": "results are not those",
    "UPDATE runs SET games = -1": "no count",
    "UPDATE runs SET games = 'many'": "no count",
    "UPDATE runs SET seed = '-1'": "seed is no number",
    "UPDATE runs SET seed = x'00'": "seed is no number",
    "UPDATE runs SET x = 'nobody'": "there is no player 'nobody'",
    "UPDATE runs SET x = 'td:alpha=7'": "alpha=7 will not do",
    "UPDATE runs SET x = 'q'": "not as long as its players need",
    "UPDATE runs SET x = x'74'": "one of its texts is none",
    "UPDATE runs SET x = char(27) || '[2J'": "printable characters only",
    "UPDATE contents SET legs = '[]'": "who sat where",
    "UPDATE contents SET legs = '[[0, \"learns\", \"ghost\"]]'": "who sat where",
    "UPDATE contents SET legs = '[[0.5, \"learns\", \"learns\"]]'": "who sat where",
    "UPDATE contents SET legs = '[[0, \"learns\", \"learns\"], [99, \"learns\", \"learns\"]]'":
        "who sat where",
    "UPDATE contents SET legs = :deep": "who sat where",
    "UPDATE contents SET pending = '[\"X\"]'": "unfinished game",
    "UPDATE contents SET pending = '[\"X\", \"11.......\"]'": "twice",
    "INSERT INTO scripts SELECT id, 5, '1.2' FROM runs": "moves cannot be read",
    "INSERT INTO scripts SELECT id, 60, '1........' FROM runs": "belong to no game",
    "INSERT INTO points SELECT id, 5, 1, 1, 1, '{}' FROM runs": "learning curve",
    "INSERT INTO points SELECT id, 5, 1, 1, 1, '[{}, null]' FROM runs": "learning curve",
    "INSERT INTO points SELECT id, 5, -1, 1, 1, '[null, null]' FROM runs": "learning curve",
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_part_is_named(filled: Path, begin: Begin, damage: str) -> None:
    memory = begin().memory
    broken = memory.copy()
    broken[3] = np.nan
    with edited(filled) as connection:
        connection.execute(
            damage,
            {
                "bomb": zlib.compress(bytes(10_000_000)),
                "short": zlib.compress(memory.tobytes()[:-8]),
                "nan": zlib.compress(broken.tobytes()),
                "zeros": zlib.compress(bytes(memory.nbytes)),
                "deep": "[" * 100_000,
            },
        )
    with Store.open(filled) as store:
        told = refusal(lambda: store.load(1))
        assert DAMAGES[damage] in told
        assert told.startswith("the run 'a' cannot be loaded")


def test_a_value_that_is_too_large_takes_no_memory(filled: Path) -> None:
    with edited(filled) as connection:
        connection.execute("UPDATE contents SET memory = zeroblob(100000000)")
    with Store.open(filled) as store:
        refusal(lambda: store.load("a"))
        assert store.list()[0].games == 60


def test_no_text_steers_the_terminal(filled: Path) -> None:
    with edited(filled) as connection:
        connection.execute(
            "UPDATE runs SET name = char(27) || '[31m', note = char(10, 155), x = char(7)"
        )
    with Store.open(filled) as store:
        (info,) = store.list()
        assert (info.name, info.note, info.x) == ("\\x1b[31m", "\\n\\x9b", "\\x07")
        assert json.dumps(info.as_json()).isprintable()


def test_numbers_that_no_learner_has_are_not_saved(store: Store, begin: Begin) -> None:
    run = begin()
    stored = store.save(run, name="a")
    run.memory[3] = np.inf
    assert "not saved" in refusal(lambda: store.save(run, into=stored))
    assert store.load("a").run.memory[3] == 0.5


def test_moves_that_are_not_legal_are_found_by_replaying(filled: Path) -> None:
    with edited(filled) as connection:
        connection.execute("INSERT INTO scripts SELECT id, 5, '.1.2.3.4.' FROM runs")
        connection.execute("INSERT INTO scripts SELECT id, 25, '123456789' FROM runs")
    with Store.open(filled) as store:
        found = verify(store.load("a"))
    assert not found.is_same


def test_a_rule_in_a_file_is_not_run_by_listing_or_loading(
    store: Store, begin: Begin, tmp_path: Path
) -> None:
    ran, file = tmp_path / "ran", tmp_path / "mine.py"
    file.write_text(OWN_RULE.format(ran=str(ran)))
    rule = f"{file}:Mine"
    run = begin(f"{rule}:alpha=0.2", "random")
    run.train(10)
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
    assert verify(loaded).is_same


def test_a_rule_whose_file_is_gone_is_named(store: Store, begin: Begin, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be loaded: the rule file"):
        run = begin()
        stored = store.save(run, name="a")
        with edited(store.path) as connection:
            connection.execute("UPDATE runs SET x = 'gone.py:Mine'")
        store.load(stored.id, own_rules=["gone.py:Mine"])


def test_a_run_against_a_saved_policy_goes_on_without_its_file(
    store: Store, begin: Begin, tmp_path: Path
) -> None:
    teacher = begin()
    teacher.train(200)
    file = tmp_path / "teacher.npz"
    save_policy(teacher, file)
    run = begin("td", str(file))
    run.train(20)
    stored = store.save(run)
    assert verify(store.load(stored.id)).differs == ()
    file.unlink()
    read_policy.cache_clear()
    run.train(20)
    loaded = store.load(stored.id)
    loaded.run.train(20)
    assert loaded.run.memory.tobytes() == run.memory.tobytes()
    found = verify(store.load(stored.id))
    assert found.is_same
    assert found.differs == (f"{file} is gone or has changed; the run goes on with what it held",)


def test_a_run_against_an_agent_goes_on_without_its_file_and_asks_it_never_again(
    store: Store, begin: Begin, tmp_path: Path
) -> None:
    file, ran = tmp_path / "agent.py", tmp_path / "ran"
    source = "def move(board):\n    return board.index('.') + 1\n"
    file.write_text(source)
    run = begin("td", f"{file}:move")
    run.train(20)
    stored = store.save(run)
    file.write_text(f"open({str(ran)!r}, 'w')\n{source}")
    loaded = store.load(stored.id)
    assert str(loaded.run.o) == f"{file}:move"
    assert store.info(stored.id).o == f"{file}:move"
    run.train(20)
    loaded.run.train(20)
    assert loaded.run.memory.tobytes() == run.memory.tobytes()
    told = (f"{file}:move is gone or has changed; the run goes on with what it held",)
    assert verify(store.load(stored.id)).differs == told
    file.unlink()
    assert verify(store.load(stored.id)).differs == told
    file.write_text(source)
    assert verify(store.load(stored.id)).differs == ()
    assert not ran.exists()

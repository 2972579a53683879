"""Pipes, devices, folders, links and odd names where a file is expected: one sentence, at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz import PLAN

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.plan import Plan
from afterstate_lab.learners.experiments.results import ArmResults, Results, write_results
from afterstate_lab.learners.experiments.run import JOURNAL, Journal, append
from afterstate_lab.learners.files import NoPlainFileError, cache_root, path_of
from afterstate_lab.learners.players.policy_file import load_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.players.user_rule import user_rule
from afterstate_lab.learners.runs.store import Store, last_run
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.pages.experiments import Experiments

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no such files here")
PATIENCE = 20.0
Told = Callable[..., tuple[int, str, str]]


def refusal(work: Callable[[], object]) -> str:
    """The one sentence with which something is refused, without waiting for anything."""
    came: list[BaseException | None] = []

    def run() -> None:
        try:
            work()
            came.append(None)
        except Exception as error:
            came.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert came, "it waits for ever"
    assert isinstance(came[0], UsageError), came[0]
    assert str(came[0]).isprintable()
    return str(came[0])


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path)


PLACES: dict[str, Callable[[Path], None]] = {
    "pipe": pipe, "endless device": device, "folder": Path.mkdir, "loop": loop,
}  # fmt: skip
READERS: dict[str, Callable[[Path], object]] = {
    "policy.npz": load_policy,
    "rule.py": lambda path: user_rule(str(path), "Rule"),
    "plan.toml": Plan.load,
    JOURNAL: lambda path: Journal(path.parent).finished(Plan.parse(PLAN)),
    "runs.sqlite": Store.open,
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, name: str, place: str) -> None:
    PLACES[place](tmp_path / name)
    assert refusal(lambda: READERS[name](tmp_path / name))


@pytest.mark.parametrize(
    ("name", "words"),
    [("rule.py", "larger than a megabyte"), ("plan.toml", "at most 200,000 characters")],
)
def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path, name: str, words: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(10**12)
    assert words in refusal(lambda: READERS[name](tmp_path / name))


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "~nobody-of-this-name/plan.toml", "\udcff"])
def test_a_plan_of_an_odd_name_is_refused(name: str) -> None:
    assert refusal(lambda: Experiments().open_text(name))


def test_a_home_that_nobody_has_is_said() -> None:
    assert "home folder" in refusal(lambda: path_of("~nobody-of-this-name"))


def test_a_journal_is_not_written_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "diary"
    victim.write_text("mine\n")
    (tmp_path / JOURNAL).symlink_to(victim)
    with pytest.raises(NoPlainFileError):
        append(tmp_path / JOURNAL, b"{}\n")
    assert victim.read_text() == "mine\n"


def test_results_replace_links_and_do_not_follow_them(tmp_path: Path) -> None:
    victim = tmp_path / "diary"
    victim.write_text("mine\n")
    folder = tmp_path / "results"
    folder.mkdir()
    for name in ("metrics.csv", "results.json", "value-x.svg"):
        (folder / name).symlink_to(victim)
    plan = Plan.parse(PLAN)
    write_results(Results(plan, tuple(ArmResults(arm, plan, (), ()) for arm in plan.arms)), folder)
    assert victim.read_text() == "mine\n"
    assert not any(path.is_symlink() for path in folder.iterdir())


def test_a_linked_folder_and_a_linked_store_are_used_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "disk")
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    td = parse_player("td")
    Store.open().save(Run(td, td), name="a")
    assert (tmp_path / "disk" / "runs.sqlite").is_file()
    (tmp_path / "linked.sqlite").symlink_to(tmp_path / "disk" / "runs.sqlite")
    assert [info.name for info in Store.open(tmp_path / "linked.sqlite").list()] == ["a"]


DATA = {
    "a file": "/etc/passwd", "a device": "/dev/null", "a long name": "x" * 5000,
    "under a file": "/etc/passwd/data", "steering": "/proc/\x1b[2J\n\x9b\u202e", "no UTF-8":
    "/proc/\udcff", "read-only": "/proc/self",
}  # fmt: skip


@pytest.mark.parametrize("where", DATA)
@pytest.mark.parametrize("words", [("runs",), ("train", "--games", "5", "--run", "a")])
def test_a_data_folder_that_cannot_be_is_one_line(
    monkeypatch: pytest.MonkeyPatch, told: Told, where: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("AFTERSTATE_DATA", DATA[where])
    status, _, line = told(*words)
    if words == ("runs",) and status == 0:
        assert line == ""
        return
    assert status in (1, 2)
    assert line.startswith("afterstate: ") and line.endswith("\n") and line[:-1].isprintable()


def test_in_a_home_that_takes_nothing_one_can_play(
    monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setenv("HOME", "/proc/self")
    for name in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.delenv(f"AFTERSTATE_{name}", raising=False)
    assert told("train", "--games", "5")[::2] == (0, "")
    lines = "5\nsave as one\nsave as one\nquit\n"
    _, out, err = told("play", "--plain", "--train", "0", stdin=lines)
    assert out.count("Not saved: ") == 3
    assert err.startswith("afterstate: Could not save: ") and err.count("\n") == 1


@pytest.mark.parametrize("where", DATA)
def test_the_doctor_says_what_is_wrong_with_a_folder(
    monkeypatch: pytest.MonkeyPatch, told: Told, where: str
) -> None:
    monkeypatch.setenv("AFTERSTATE_DATA", DATA[where])
    monkeypatch.setenv("AFTERSTATE_CACHE", DATA[where])
    assert told("doctor")[::2] == (0, "")


def test_an_odd_but_possible_data_folder_is_used(
    monkeypatch: pytest.MonkeyPatch, told: Told, tmp_path: Path
) -> None:
    folder = tmp_path / "\x1b[2J\n‮ 'a' \udcff;#"
    monkeypatch.setenv("AFTERSTATE_DATA", str(folder))
    assert told("train", "--games", "5", "--run", "a", "--json")[::2] == (0, "")
    assert [info.name for info in Store.open().list()] == ["a"]


def test_a_relative_folder_is_where_the_command_was_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFTERSTATE_CACHE", "cache")
    assert cache_root() == tmp_path / "cache"
    monkeypatch.delenv("AFTERSTATE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert cache_root() == Path.home() / ".cache" / "afterstate"


def test_without_a_home_the_command_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("AFTERSTATE_DATA")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert last_run() is None
    for words in (("runs",), ("train", "--games", "5", "--run", "a")):
        status, _, line = told(*words)
        assert (status, line.count("\n")) == (2, 1)
        assert "set AFTERSTATE_DATA" in line

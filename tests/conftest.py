"""Settings for all tests."""

import faulthandler
import gc
import io
import itertools
import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

HARNESS = ("agents", "benchmarks", "learners", "pty", "robustness", "ssh", "tui", "tui/truth")
sys.path += [str(Path(__file__).parent / folder) for folder in HARNESS]
# The same examples for the same code; `search` and `hours` are for a developer, and find others.
settings.register_profile("any machine", deadline=None, max_examples=6, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=24, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=200)
settings.register_profile("hours", deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "any machine"))

POSIX = re.compile(
    r"^\s*(?:import|from) (?:agents|fcntl|labs|pseudo_terminal|pty|pwd|resource|sshd|termios)\b"
    r"|\bos\.(?:fork|geteuid|kill|mkfifo)\b|\.chmod\(|SIGKILL|\bgraded\b|\.py:move\b|cmd:",
    re.MULTILINE,
)
LIMIT, SLOW_LIMIT = 300, 1200
"""Seconds after which a test hangs: it says where, and ends its process."""
ERRORS = pytest.StashKey[int]()
"""Where that is said, whatever a test does with the standard streams."""


def pytest_configure(config: pytest.Config) -> None:
    """Keep the real standard error, before any test's is captured, and what was compiled.

    What tests start is ended by a hangup, also where nohup started the tests, and by Ctrl-C, also
    where a shell without job control started them in the background. All processes share byte code,
    and the machine code in pytest's cache folder, which is named by a hash of its sources: the next
    run finds it too. A test that is about that cache sets `AFTERSTATE_CACHE` for itself.
    """
    gc.disable()  # until all tests are collected
    config.stash[ERRORS] = os.dup(2)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("machine-code")
        folder.chmod(0o700)  # one into which others can write is not used
        os.environ.setdefault("AFTERSTATE_CACHE", str(folder))


def needs_posix(file: Path) -> bool:
    """Return whether a file of tests uses what Windows lacks: agents, terminals, permissions."""
    return POSIX.search(file.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Do not import on Windows what cannot be imported there."""
    is_file = os.name != "posix" and collection_path.suffix == ".py"
    return True if is_file and needs_posix(collection_path) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need POSIX, and as slow what runs in a terminal, but for marks `quick`."""
    posix = set(filter(needs_posix, {item.path for item in items}))
    for item in items:
        if item.path in posix:
            item.add_marker(pytest.mark.posix)
        quick = item.get_closest_marker("quick")
        named = quick.args if quick else ()
        is_other = named and isinstance(item, pytest.Function) and item.callspec.id not in named
        if is_other or (quick is None and item.path.parent.name == "pty"):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through thousands of tests again, and else rarely."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    from afterstate_lab.learners.kernel.kernel import cores

    return cores()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let no test hang: a loop that waits for what never comes would hold up all the others."""
    limit = SLOW_LIMIT if item.get_closest_marker("slow") else LIMIT
    faulthandler.dump_traceback_later(limit, exit=True, file=item.config.stash[ERRORS])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for folders; hardly any test makes its own, so a folder for each would cost time."""
    folder = tmp_path_factory.mktemp("data")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def data_of_its_own(data_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = next(data_folders)
    monkeypatch.setenv("AFTERSTATE_DATA", str(folder))
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(folder / "config.toml"))
    for switch in ("AFTERSTATE_LOCKED", "AFTERSTATE_TRUST"):  # a command sets them for its process
        monkeypatch.setenv(switch, "")
    return folder


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few games need no compiler."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


class Outcome(NamedTuple):
    """The exit status of a command, and what it printed."""

    status: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def afterstate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `afterstate` with these words, and this text on its standard input.

    However busy the machine is, no command tells how far it is.
    """
    from afterstate_lab.tui.command import main

    monkeypatch.setattr("afterstate_lab.tui.progress.FIRST_LINE_SECONDS", math.inf)

    def run(*words: str, stdin: str | bytes = "") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        monkeypatch.setattr(sys, "argv", ["afterstate", *words])
        status, interrupt = 0, signal.getsignal(signal.SIGINT)
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            signal.signal(signal.SIGINT, interrupt)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def telltale_rule() -> str:
    """A file with the rule `Mine`, which leaves the file `it ran` beside it when it is run."""
    return """
from pathlib import Path
from afterstate_lab import Rule, backup, options

Path(__file__).with_name("it ran").touch()

class Mine(Rule):
    options = (options.ALPHA, options.DRAW, options.INITIAL, *options.COMMON)
    def after_step(v, tape, me, steps, greedy, t, over, game):
        backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)
"""

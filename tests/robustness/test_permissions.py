"""What is made is its owner's alone, from the moment at which it is made, whatever the umask."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from made import PLAN

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import (
    NoPlainFileError,
    check_new,
    is_private,
    replace_file,
)
from afterstate_lab.learners.kernel import compiler
from afterstate_lab.learners.kernel.hooks import WithHooks
from afterstate_lab.tui.cli.doctor import folder as folder_finding

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no owner's bits here")

WATCHER = """
import atexit, builtins, io, json, os, stat
made = []
def watched(function):
    def call(path, *arguments, **named):
        is_path = isinstance(path, (str, os.PathLike))
        is_new = is_path and not os.path.lexists(path)
        result = function(path, *arguments, **named)
        if is_new and os.path.lexists(path) and "__pycache__" not in os.fspath(path):
            made.append((os.path.abspath(path), stat.S_IMODE(os.lstat(path).st_mode)))
        return result
    return call
os.open, os.mkdir = watched(os.open), watched(os.mkdir)
builtins.open = io.open = watched(io.open)
log, write = os.environ["MADE"], os.write
def tell():
    with io.open(log, "a") as file:
        file.write("".join(json.dumps(one) + "\\n" for one in made))
atexit.register(tell)
os.umask(0)
"""
"""Runs at the start of every process: notes the bits of all that is made, as soon as it is made."""


@pytest.mark.slow
def test_what_commands_make_is_nobody_elses(tmp_path):
    root, log, watcher = tmp_path / "place", tmp_path / "made.jsonl", tmp_path / "watcher"
    for folder in (root, watcher):
        folder.mkdir()
    (watcher / "sitecustomize.py").write_text(WATCHER)
    (root / "plan.toml").write_text(PLAN)
    (root / "plan.toml").chmod(0o600)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(watcher), *filter(None, sys.path)]),
        "AFTERSTATE_DATA": str(root / "new" / "data"),
        "AFTERSTATE_CACHE": str(root / "new" / "cache"),
        "MADE": str(log),
    }
    save = ("train", "--games", "50", "--out", "p.npz", "--run", "a")
    compiles = ("train", "--games", "60000", "--x", "random", "--o", "random")
    experiment = ("experiment", "plan.toml", "--games", "5", "--out", "deep/results")
    for words in (save, (*save, "--force"), experiment, compiles):
        environment["AFTERSTATE_INTERPRETED"] = "" if words is compiles else "1"
        command = [sys.executable, "-m", "afterstate_lab", *words]
        subprocess.run(command, env=environment, cwd=root, check=True, capture_output=True)
    then = [tuple(json.loads(line)) for line in log.read_text().splitlines()]
    made = [(path, bits) for path, bits in then if path != str(log)]
    made += [(str(path), path.lstat().st_mode & 0o777) for path in root.rglob("*")]
    assert [(path, oct(bits)) for path, bits in made if bits & 0o077] == []
    names = {Path(path).name for path, _ in made}
    assert {"p.npz", "runs.sqlite", "journal.jsonl", "metrics.csv", "results.json"} <= names
    assert any(name.startswith(".p.npz.") for name in names)
    assert any(name.endswith(".code") for name in names)
    assert {"new", "data", "deep", "results"} <= names


def test_a_file_is_private_whatever_the_umask_is_and_what_lay_in_its_way_is_left(tmp_path):
    (tmp_path / "theirs").write_text("kept")
    part = tmp_path / f".mine.{os.getpid()}"
    before = os.umask(0o002)
    try:
        for content in ("text", b"bytes"):
            part.symlink_to(tmp_path / "theirs")
            replace_file(tmp_path / "mine", content)
        assert os.umask(0o002) == 0o002
    finally:
        os.umask(before)
    assert (tmp_path / "mine").read_bytes() == b"bytes"
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "theirs").read_text() == "kept"
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "theirs"}


@pytest.mark.parametrize("bits", [0o720, 0o702, 0o777])
def test_machine_code_is_not_taken_from_where_others_can_put_it(tmp_path, monkeypatch, bits):
    monkeypatch.setenv("AFTERSTATE_CACHE", str(tmp_path / "cache"))
    bound = WithHooks(compiler.plain)
    folder = compiler.cache_folder(bound)
    assert folder is not None and is_private(folder)
    folder.chmod(bits)
    assert compiler.cache_folder(bound) is None
    folder.chmod(0o700)
    (tmp_path / "cache").chmod(bits)
    assert compiler.cache_folder(bound) is None
    assert "not used" in folder_finding({}, "cache").value
    (tmp_path / "cache").chmod(0o755)
    assert "exists" in folder_finding({}, "cache").value
    assert compiler.cache_folder(bound) == folder
    if os.geteuid() == 0:  # only root may give a folder away
        os.chown(folder, 54321, -1)
        assert compiler.cache_folder(bound) is None


def test_a_pipe_is_never_replaced(tmp_path):
    """`--out` as root would have put a file in the place of /dev/null."""
    pipe = tmp_path / "x.npz"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="is not a regular file"):
        check_new(pipe, "", force=True)
    with pytest.raises(NoPlainFileError):
        replace_file(pipe, "")
    assert pipe.is_fifo()

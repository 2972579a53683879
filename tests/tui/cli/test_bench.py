"""`afterstate bench`: every learner compared with td, plain C and what it did the last time."""

import json
import shutil
from pathlib import Path

import pytest

from afterstate_lab.learners.files import replace_file
from afterstate_lab.tui.cli import bench as module
from afterstate_lab.tui.cli.bench import KEPT, compiled_yardstick, games_a_second


@pytest.fixture
def run(afterstate, monkeypatch, tmp_path):
    """The command where td plays 300 games a second, every other learner 150, and C 400."""
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))
    monkeypatch.setattr(module, "games_a_second", lambda program: 400.0)
    told = {"load_seconds": 0.0, "compiled": True}
    monkeypatch.setattr(
        module, "measured",
        lambda name: told | {"learner": name, "games_per_second": 150.0 * (1 + (name == "td"))},
    )  # fmt: skip

    def run(*words, c=None):
        monkeypatch.setattr(module, "compiled_yardstick", lambda folder: c)
        done = afterstate("bench", *words)
        assert (done.status, done.err) == (0, "")
        return done.out if not words else {row["learner"]: row for row in json.loads(done.out)}

    return run


def test_every_learner_is_compared_with_td_and_plain_c(run):
    found = run("--json", c=Path())
    assert (found["td"]["ratio_to_td"], found["td"]["ratio_to_c"]) == (1.0, 0.75)
    assert (found["q"]["ratio_to_td"], found["q"]["ratio_to_c"]) == (0.5, 0.375)
    assert "td in C plays 400 games per second. Previous bench: 20" in run(c=Path())
    assert run("--json")["td"]["ratio_to_c"] is None
    assert "No C compiler found." in run()


def test_the_figures_are_kept_and_compared_with_the_next(run, tmp_path):
    assert run("--json")["td"]["ratio_to_last_time"] is None
    assert (tmp_path / KEPT).stat().st_mode & 0o077 == 0
    speeds = {"td": 200.0, "q": 600.0, "no learner": 1.0}
    replace_file(tmp_path / KEPT, json.dumps({"when": 1.0, "speeds": speeds}))
    found = run("--json")
    assert [found[name]["ratio_to_last_time"] for name in ("td", "q", "mc")] == [1.5, 0.25, None]
    assert run("--json")["q"]["ratio_to_last_time"] == 1.0
    assert [file.name for file in tmp_path.iterdir()] == [KEPT]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"\xff", b'{"when": 1}', b'{"when": "x", "speeds": {}}',
        b'{"when": 1, "speeds": {"td": 0}}', b'{"when": 1, "speeds": {"td": NaN}}',
        b'{"when": 1e999, "speeds": {}}', b'{"when": 1, "speeds": 3}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_as_if_it_was_never_run(run, tmp_path, data):
    (tmp_path / KEPT).write_bytes(data)
    assert "Previous bench: none." in run()


@pytest.mark.parametrize("compiler", ["", "/no such compiler", "false"])
def test_the_yardstick_is_played_where_a_c_compiler_works(monkeypatch, tmp_path, compiler):
    monkeypatch.setenv("CC", compiler)
    works = not compiler and shutil.which("cc") is not None
    yardstick = compiled_yardstick(tmp_path)
    assert (yardstick is not None) == works
    assert yardstick is None or games_a_second(yardstick, 1_000) > 0

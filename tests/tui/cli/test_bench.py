"""`afterstate bench`: every learner beside td, plain C and what it did the last time."""

import json
import shutil

import pytest
from click.testing import CliRunner

from afterstate_lab.tui.cli import bench as module
from afterstate_lab.tui.cli.bench import KEPT, LastTime, Yardstick
from afterstate_lab.tui.cli.group import afterstate


class Steady(Yardstick):
    """Plain C at 400 games a second."""

    def games_a_second(self, games=0):
        return 400.0


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs the command where td plays 300 games a second and every other learner 150."""
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))

    def told(name):
        speed = 300.0 if name == "td" else 150.0
        return {
            "learner": name, "games_per_second": speed, "load_seconds": 0.0, "compiled": True,
        }  # fmt: skip

    def run(*words, c=None):
        monkeypatch.setattr(module, "measured", told)
        monkeypatch.setattr(Yardstick, "compiled", lambda folder: c)
        done = CliRunner().invoke(afterstate, ["bench", *words])
        assert done.exit_code == 0, done.output
        return done.output

    return run


def rows(output):
    return {row["learner"]: row for row in json.loads(output)}


def test_every_learner_stands_beside_td_and_plain_c(run, tmp_path):
    found = rows(run("--json", c=Steady(tmp_path)))
    assert (found["td"]["ratio_to_td"], found["td"]["ratio_to_c"]) == (1.0, 0.75)
    assert (found["q"]["ratio_to_td"], found["q"]["ratio_to_c"]) == (0.5, 0.375)
    assert "td in plain C plays 400 games a second. The last time was 20" in run(c=Steady(tmp_path))


def test_without_a_c_compiler_there_is_no_such_ratio(run):
    assert rows(run("--json"))["td"]["ratio_to_c"] is None
    assert "There is no C compiler here." in run()


def test_the_figures_are_kept_and_compared_with_the_next(run, tmp_path):
    assert rows(run("--json"))["td"]["ratio_to_last_time"] is None
    assert (tmp_path / KEPT).stat().st_mode & 0o077 == 0
    LastTime(1.0, {"td": 200.0, "q": 600.0, "no learner": 1.0}).save()
    found = rows(run("--json"))
    assert found["td"]["ratio_to_last_time"] == 1.5
    assert found["q"]["ratio_to_last_time"] == 0.25
    assert found["mc"]["ratio_to_last_time"] is None
    assert rows(run("--json"))["q"]["ratio_to_last_time"] == 1.0
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
    assert "The last time was never." in run()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_yardstick_is_compiled_and_played(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    yardstick = Yardstick.compiled(tmp_path)
    assert yardstick is not None
    assert yardstick.games_a_second(1_000) > 0


@pytest.mark.parametrize("compiler", ["/no such compiler", "false"])
def test_no_yardstick_where_the_c_compiler_does_not_work(monkeypatch, tmp_path, compiler):
    monkeypatch.setenv("CC", compiler)
    assert Yardstick.compiled(tmp_path) is None

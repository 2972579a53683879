"""When the lab fails all the same: saved, restored, one sentence, and a report."""

import pytest

from afterstate_lab.learners.runs.store import Store

FAILS = """
import afterstate_lab.tui.lab.stepping
def fail(*_):
    secret = "a value of a local"
    raise RuntimeError("\\x1b[31mit failed")
from afterstate_lab.tui.verbs import BY_NAME
BY_NAME["{command}"].do = fail
"""


@pytest.mark.parametrize(
    "size",
    [(80, 24), pytest.param((40, 10), marks=pytest.mark.slow)],
    ids="{0[0]}x{0[1]}".format,
)
def test_it_says_so_in_one_line_and_loses_nothing(lab, tmp_path, size):
    terminal = lab(before=FAILS.format(command="step"), columns=size[0], rows=size[1], shows=())
    terminal.press("w", ".", ".")
    terminal.read_until_quiet()
    terminal.press("s")
    assert terminal.wait(5.0) == 1
    end = terminal.written.rindex(b"\x1b[?1049l")
    said = terminal.written[end:].decode()
    assert "afterstate failed (RuntimeError). The work is saved; a report is in " in said
    assert "Traceback" not in said
    assert terminal.settings == terminal.before
    (report,) = (tmp_path / "reports").iterdir()
    assert str(report) in said
    text = report.read_text()
    assert "--x td --o td --seed 0" in text
    assert "Commands: watch, one_event, one_event, step" in text
    assert "RuntimeError: \\x1b[31mit failed" in text
    assert "a value of a local" not in text.replace('secret = "a value of a local"', "")
    assert report.stat().st_mode & 0o077 == 0
    (info,) = Store.open(tmp_path / "runs.sqlite").list()
    assert info.games == 1

"""`afterstate doctor`: what was found out, why, and what changes it."""

import pytest

from afterstate_lab.tui.cli.doctor import examine

UTF8 = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
MOUSE = "used if the terminal supports it"


def found(env: dict[str, str], name: str) -> dict[str, str]:
    return next(vars(finding) for finding in examine(env) if finding.name == name)


@pytest.mark.parametrize(
    ("env", "name", "value"),
    [
        ({"TERM": "xterm-256color"}, "colours", "256 (dark)"),
        ({"TERM": "xterm"}, "colours", "standard (sixteen)"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "colours", "truecolor (dark)"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "colours", "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "colours", "256 (dark)"),
        ({"TERM": "linux"}, "colours", "standard (sixteen)"),
        ({"TERM": "vt100"}, "colours", "none"),
        ({"TERM": "dumb"}, "colours", "none"),
        (UTF8, "characters", "unicode"),
        (UTF8 | {"TERM": "tmux-256color"}, "characters", "unicode"),
        (UTF8 | {"TERM": "linux"}, "characters", "linux"),
        (UTF8 | {"TERM": "dumb"}, "characters", "ascii"),
        (UTF8 | {"TERM": "vt100"}, "characters", "ascii"),
        (UTF8 | {"SSH_CONNECTION": "1 2 3 4"}, "SSH", "yes"),
        (UTF8 | {"TMUX": "/tmp/tmux"}, "inside", "tmux"),
        ({"TERM": "screen", "STY": "1.pts"}, "mouse", "not used"),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, "colours", "standard (sixteen)"),
        ({"TERM": "screen-256color", "COLORTERM": "truecolor"}, "colours", "256 (dark)"),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit", "STY": "1"}, "colours", "256 (dark)"),
        ({"TERM": "screen-256color"}, "mouse", "not used"),
        ({"TERM": "screen-256color", "TMUX": "/tmp/tmux"}, "mouse", MOUSE),
        ({"TERM": "tmux-256color"}, "mouse", MOUSE),
    ],
)
def test_what_the_environment_says_is_found(env, name, value):
    assert found(env, name)["value"] == value


@pytest.mark.parametrize(
    ("env", "has_numba", "remedy"),
    [
        ({}, True, "AFTERSTATE_INTERPRETED=1 turns it off"),
        ({"AFTERSTATE_INTERPRETED": "1"}, False, "unset AFTERSTATE_INTERPRETED"),
        ({}, False, "pip install numba, if there is a wheel for this Python and machine"),
    ],
)
def test_the_remedy_for_a_missing_compiler_is_what_would_bring_it(
    monkeypatch: pytest.MonkeyPatch, env, has_numba, remedy
):
    monkeypatch.setattr("afterstate_lab.learners.kernel.compiler.is_available", lambda: has_numba)
    assert found(env, "compiler")["change"] == remedy


def test_folders_and_settings_that_cannot_be_used_are_told(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "file"))
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(tmp_path / ("long" * 100)))
    assert "not writable" in found(UTF8, "data")["value"]
    assert found(UTF8, "settings")["why"].endswith(": file name too long")

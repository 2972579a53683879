"""`afterstate doctor`: what was found out, why, and what changes it."""

import pytest

from afterstate_lab.tui.cli.doctor import Finding, machine_findings, terminal_findings

UTF8 = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def found(env: dict[str, str], name: str) -> Finding:
    findings = [*terminal_findings(env), *machine_findings(env)]
    return next(finding for finding in findings if finding.name == name)


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
        ({"TERM": "screen", "STY": "1.pts"}, "mouse", "not used"),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, "colours", "standard (sixteen)"),
        ({"TERM": "screen-256color", "COLORTERM": "truecolor"}, "colours", "256 (dark)"),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit", "STY": "1"}, "colours", "256 (dark)"),
        ({"TERM": "screen-256color"}, "mouse", "not used"),
    ],
)
def test_what_the_environment_says_is_found(env, name, value):
    assert found(env, name).value == value


@pytest.mark.parametrize(
    ("env", "has_numba", "remedy"),
    [
        ({}, True, ""),
        ({"AFTERSTATE_INTERPRETED": "1"}, False, "unset AFTERSTATE_INTERPRETED"),
        ({}, False, "pip install numba, if there is a wheel for this Python and machine"),
    ],
)
def test_the_remedy_for_a_missing_compiler_is_what_would_bring_it(
    monkeypatch: pytest.MonkeyPatch, env, has_numba, remedy
):
    monkeypatch.setattr("afterstate_lab.learners.kernel.compiler.is_available", lambda: has_numba)
    assert found(env, "compiler").change == remedy


def test_folders_and_settings_that_cannot_be_used_are_told(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "file"))
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(tmp_path / ("long" * 100)))
    assert "not writable" in found(UTF8, "data").value
    assert found(UTF8, "settings").why.endswith(": file name too long")

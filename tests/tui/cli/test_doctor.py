"""`afterstate doctor`: what was found out, why, and what changes it."""

from __future__ import annotations

import json

import pytest

from afterstate_lab.tui.cli.doctor import examine

UTF8 = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def values(env: dict[str, str]) -> dict[str, str]:
    return {finding.name: finding.value for finding in examine(env)}


@pytest.mark.parametrize(
    ("env", "name", "value"),
    [
        ({"TERM": "xterm-256color"}, "colours", "256 (dark)"),
        ({"TERM": "xterm"}, "colours", "standard (sixteen)"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "colours", "truecolor (dark)"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "colours", "none"),
        ({"TERM": "vt100"}, "colours", "none"),
        ({"TERM": "vt100", "LC_ALL": "C.UTF-8"}, "characters", "ascii"),
        (UTF8 | {"SSH_CONNECTION": "1 2 3 4"}, "SSH", "yes"),
        (UTF8 | {"TMUX": "/tmp/tmux"}, "inside", "tmux"),
        ({"TERM": "screen", "STY": "1.pts"}, "mouse", "not used"),
        ({"TERM": "screen-256color"}, "mouse", "not used"),
        (
            {"TERM": "screen-256color", "TMUX": "/tmp/tmux"},
            "mouse",
            "used where the terminal has one",
        ),
        ({"TERM": "tmux-256color"}, "mouse", "used where the terminal has one"),
    ],
)
def test_what_the_environment_says_is_found(env, name, value):
    assert values(env)[name] == value


def test_a_folder_that_cannot_be_made_is_told(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("AFTERSTATE_DATA", str(file))
    assert "cannot be written" in values(UTF8)["data"]


@pytest.mark.parametrize(
    ("env", "has_numba", "remedy"),
    [
        ({}, True, "AFTERSTATE_INTERPRETED=1 does without"),
        ({"AFTERSTATE_INTERPRETED": "1"}, False, "unset AFTERSTATE_INTERPRETED"),
        ({}, False, "pip install numba, where there is a wheel for this Python and machine"),
    ],
)
def test_the_remedy_for_a_missing_compiler_is_what_would_bring_it(
    monkeypatch: pytest.MonkeyPatch, env, has_numba, remedy
):
    monkeypatch.setattr("afterstate_lab.learners.kernel.compiler.is_available", lambda: has_numba)
    found = {finding.name: finding for finding in examine(env)}["compiler"]
    assert remedy in vars(found).values()


def test_works_without_a_terminal_and_as_json(afterstate):
    told = afterstate("doctor", "--json")
    assert (told.status, told.err) == (0, "")
    assert {"name", "value", "why", "change"} == set(json.loads(told.out)[0])
    plain = afterstate("doctor")
    assert plain.out.startswith("terminal")
    assert "is not a terminal" in plain.out


def test_settings_that_cannot_even_be_looked_for_are_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(tmp_path / ("long" * 100)))
    (found,) = (finding for finding in examine(UTF8) if finding.name == "settings")
    assert found.why.endswith("cannot be read: file name too long")

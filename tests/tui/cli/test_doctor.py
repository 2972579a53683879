"""`afterstate doctor`: what was found out, why, and what changes it."""

from __future__ import annotations

import json

import pytest

from tui.cli.doctor import examine

UTF8 = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def values(env: dict[str, str]) -> dict[str, str]:
    return {finding.name: finding.value for finding in examine(env)}


@pytest.mark.parametrize(
    ("env", "colours"),
    [
        ({"TERM": "xterm-256color"}, "256 (dark)"),
        ({"TERM": "xterm"}, "standard (sixteen)"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "truecolor (dark)"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none"),
        ({"TERM": "vt100"}, "none"),
    ],
)
def test_colours_follow_the_environment(env, colours):
    assert values(env)["colours"] == colours


def test_a_simple_terminal_gets_ascii():
    assert values({"TERM": "vt100", "LC_ALL": "C.UTF-8"})["characters"] == "ascii"


def test_the_link_is_named():
    found = values(UTF8 | {"SSH_CONNECTION": "1 2 3 4", "TMUX": "/tmp/tmux"})
    assert (found["SSH"], found["inside"]) == ("yes", "tmux")


@pytest.mark.parametrize(
    ("env", "mouse"),
    [
        ({"TERM": "screen", "STY": "1.pts"}, "not used"),
        ({"TERM": "screen-256color"}, "not used"),
        ({"TERM": "screen-256color", "TMUX": "/tmp/tmux"}, "used where the terminal has one"),
        ({"TERM": "tmux-256color"}, "used where the terminal has one"),
    ],
)
def test_screen_which_would_hold_esc_back_is_not_asked_for_the_mouse(env, mouse):
    assert values(env)["mouse"] == mouse


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
    monkeypatch.setattr("learners.kernel.compiler.is_available", lambda: has_numba)
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

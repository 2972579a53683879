"""The user's own settings: read at the start, never written, never in the way."""

import os
import re
import sys
from pathlib import Path

import pytest
from platformdirs.macos import MacOS

from afterstate_lab.learners.files import user_folder
from afterstate_lab.tui.preferences import SETTINGS, read_preferences

WRONG = Path(__file__).parents[1] / "scenarios" / "lines" / "settings.txt"
"""What is said of a file of settings, and the file."""


NOBODY = 65534


@pytest.fixture
def config(tmp_path, monkeypatch):
    path = tmp_path / "own" / "config.toml"
    monkeypatch.setenv("AFTERSTATE_CONFIG", str(path))

    def write(text: str | bytes):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    write.path = path
    return write


def test_every_setting_is_read_what_is_right_counts_and_without_a_file_or_locked_all_is_as_ever(
    config, monkeypatch, tmp_path
):
    every = {"theme": "light", "cells": "keypad", "speed": 8}
    for text, wanted, mistakes in (
        ("", {}, 0),
        ('speed = "fast"\ntheme = "light"\n', {"theme": "light"}, 1),
        ('theme = "light"\ncells = "keypad"\nspeed = 8\n', every, 0),
    ):
        if text:
            config(text)
        found = read_preferences()
        assert (found.given, len(found.mistakes), found.path) == (wanted, mistakes, config.path)
    assert (*every,) == tuple(SETTINGS)
    monkeypatch.setenv("AFTERSTATE_LOCKED", "1")
    assert read_preferences().given == {}
    monkeypatch.delenv("AFTERSTATE_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert read_preferences().path == tmp_path / "afterstate" / "config.toml"


@pytest.mark.parametrize(
    ("system", "folders", "config", "cache"),
    [
        ("linux", None, ".config/afterstate", ".cache/afterstate"),
        ("darwin", MacOS, "Library/Application Support/afterstate", "Library/Caches/afterstate"),
    ],
)
def test_folders_are_where_the_system_has_them(
    monkeypatch, tmp_path, system, folders, config, cache
):
    for name in ("AFTERSTATE_CONFIG", "XDG_CONFIG_HOME", "AFTERSTATE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "not absolute")
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("platformdirs.PlatformDirs", folders)
    assert read_preferences().path == tmp_path / config / "config.toml"
    assert user_folder("cache") == tmp_path / cache


MISTAKES = [
    (re.sub(r"^\| ?", "", text, flags=re.M), said)
    for said, _, text in (part.partition("\n") for part in WRONG.read_text("utf-8").split("\n\n"))
]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        *MISTAKES,
        (b"\xff\xfe\x00", "config.toml' is not a settings file: it is not UTF-8 text"),
        ("#" * 200_001, "config.toml: it can have at most 200,000 characters"),
    ],
)
def test_a_mistake_is_one_sentence_with_line_and_key(config, text, mistake):
    config(text)
    (sentence,) = read_preferences().mistakes
    assert mistake in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (lambda path: path.mkdir(), ": it is not a regular file"),
        (lambda path: os.mkfifo(path), ": it is not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), ": it is not a regular file"),
        (lambda path: path.symlink_to(path), ": too many levels of symbolic links"),
        (lambda path: (path.touch(), os.truncate(path, 10**9)), "at most 200,000 characters"),
    ],
    ids=["folder", "pipe", "device", "circle", "1 GB"],
)
def test_what_is_no_file_of_settings_is_one_sentence_and_stays_as_it_is(config, place, said):
    config.path.parent.mkdir()
    place(config.path)
    before = config.path.lstat()[:7], config.path.lstat().st_mtime_ns
    (sentence,) = read_preferences().mistakes
    assert sentence.endswith(said) and sentence.isprintable()
    assert (config.path.lstat()[:7], config.path.lstat().st_mtime_ns) == before


def test_a_file_that_may_not_be_read_is_said(config):
    config('theme = "light"\n').chmod(0o000)
    user = os.geteuid()
    os.seteuid(user or NOBODY)  # root reads everything
    try:
        (sentence,) = read_preferences().mistakes
    finally:
        os.seteuid(user)
    assert sentence.endswith(": permission denied")

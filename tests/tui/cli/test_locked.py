"""A locked lab opens no door: no file outside its own folder is read, written or run."""

import os
from pathlib import Path

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.plan import NAMES as PLANS
from afterstate_lab.learners.experiments.plan import built_in, catalogue
from afterstate_lab.learners.files import (
    LOCK,
    TRUST,
    LockedError,
    check_lock,
    data_folder,
    is_only_ours,
)
from afterstate_lab.learners.players.resolve import parse_player, recipes
from afterstate_lab.learners.players.user_rule import user_rule
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import find_script
from afterstate_lab.tui.pages.explain import glossary

WHY = "this lab is locked and uses only files in its own folder"


@pytest.fixture
def locked(monkeypatch) -> Path:
    """A locked lab; its folder."""
    monkeypatch.setenv(LOCK, "1")
    folder = data_folder()
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def rule(tmp_path, telltale_rule) -> Path:
    """A file with a rule, in a folder beside that of the lab."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "mine.py").write_text(telltale_rule)
    user_rule.cache_clear()
    return folder / "mine.py"


def test_what_is_built_in_is_used(locked):
    """An earlier test, of an open lab, may have read it all."""
    built_in.cache_clear()
    recipes.cache_clear()
    assert [plan.name for plan in catalogue()] == list(PLANS)
    assert [find_script(name).name for name in NAMES] == list(NAMES)
    assert all(recipe.players for recipe in recipes().values())
    assert glossary.__wrapped__()


def test_what_is_in_the_folder_of_the_lab_is_used_as_ever(afterstate, locked, rule):
    inside = rule.rename(locked / "mine.py")
    assert parse_player(f"{inside}:Mine").learns
    assert inside.with_name("it ran").exists()
    file = locked / "policy.npz"
    assert afterstate("--locked", "train", "--games=20", f"--out={file}").status == 0
    assert afterstate("--locked", "evaluate", str(file)).status == 0


@pytest.mark.parametrize("way", ["its own", "up", "link", "link to the folder"])
def test_no_way_leads_out_of_the_folder(locked, rule, way):
    (locked / "mine.py").symlink_to(rule)
    (locked / "folder").symlink_to(rule.parent, target_is_directory=True)
    up = locked / ".." / "elsewhere" / "mine.py"
    ways = {"its own": rule, "up": up, "link": locked / "mine.py"}
    path = ways.get(way, locked / "folder" / "mine.py")
    with pytest.raises(LockedError):
        check_lock(path)
    with pytest.raises(UsageError, match=WHY):
        parse_player(f"{path}:Mine")
    assert not rule.with_name("it ran").exists()


def test_no_line_of_plain_mode_leads_out(afterstate, locked, rule):
    (locked / "way").symlink_to(rule.parent, target_is_directory=True)
    words = ("players x {}/mine.py:Mine", "players {}/mine.py:Mine td", "players o {}/policy.npz",
             "whatif {}/mine.py:Mine", "whatif {}/policy.npz")  # fmt: skip
    lines = [word.format(way) for way in (rule.parent, locked / "way") for word in words]
    shell = ("!touch out", "| touch out", "> out", "sh", "$(touch out)", "`touch out`")
    told = afterstate(
        *("--locked", "play", "--plain", "--seed=1", "--train=5"),
        stdin="\n".join(("step", "go 1", *lines, f"open {rule}", f"save as {rule}", *shell, "q")),
    )
    assert " ".join(told.out.split()).count(WHY) == len(lines)
    assert (told.status, told.out.endswith("Bye.\n")) == (0, True)
    assert [path.name for path in rule.parent.iterdir()] == ["mine.py"]
    assert not Path("out").exists()


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")


@needs_owners
@pytest.mark.parametrize("who", ["file", "folder"])
def test_a_rule_that_others_could_have_written_is_not_run(rule, who, monkeypatch):
    (rule if who == "file" else rule.parent).chmod(0o777)
    with pytest.raises(UsageError, match="other users can write to it") as refused:
        parse_player(f"{rule}:Mine")
    assert sentence(str(refused.value)).endswith("or pass --trust.")
    assert not rule.with_name("it ran").exists()
    monkeypatch.setenv(TRUST, "1")
    assert parse_player(f"{rule}:Mine").learns


@needs_owners
def test_a_folder_that_none_may_change_is_fine_and_a_rule_of_another_account_is_not_run(rule):
    rule.parent.chmod(0o1777)
    if os.geteuid() == 0:  # only root gives files away
        os.chown(rule, 12_345, 12_345)
        with pytest.raises(UsageError, match="other users can write to it"):
            parse_player(f"{rule}:Mine")
        assert not rule.with_name("it ran").exists()
        os.chown(rule, 0, 0)
    assert parse_player(f"{rule}:Mine").learns


def test_the_file_that_was_opened_is_judged_not_another_that_took_its_place(tmp_path):
    read, later = tmp_path / "read.py", tmp_path / "later.py"
    for file, mode in ((read, 0o646), (later, 0o644)):
        file.write_text("")
        file.chmod(mode)
    with read.open("rb") as file:
        later.replace(read)
        assert is_only_ours(read)
        assert not is_only_ours(read, os.fstat(file.fileno()))

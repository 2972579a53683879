"""The user's own keys: tables, footers and help follow them."""

from collections.abc import Iterator

import pytest
from textual.keys import _character_to_key

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.tui.lab.commands import BY_NAME, COMMANDS, key_of
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.own_keys import SIGNS, clash, give_keys, key_named, names, written
from afterstate_lab.tui.lab.scripts.guide import as_keys
from afterstate_lab.tui.pages.help import taught
from afterstate_lab.tui.pages.home import Home
from afterstate_lab.tui.pages.lab import lab_page
from afterstate_lab.tui.screens.page import tabs_of


@pytest.fixture
def tables() -> Iterator[None]:
    """Give the commands their keys back afterwards."""
    before = [(command, vars(command).copy()) for command in COMMANDS]
    yield
    for command, fields in before:
        vars(command).update(fields)


def test_a_character_is_the_key_that_textual_calls_it():
    for character in map(chr, range(33, 0x180)):
        if character.isprintable() and character != ":":
            assert key_named(character) == _character_to_key(character)
            assert written(key_named(character)) == character


@pytest.mark.parametrize("text", ["", "\x07", "f13", "ctrl+c", "ctrl+z", "ctrl+m", "ab", "中文"])
def test_what_is_no_key_is_refused(text):
    with pytest.raises(UsageError, match="is not a key"):
        key_named(text)


def test_the_keys_of_every_table_are_keys_that_could_be_given():
    for command in COMMANDS:
        for key in command.keys:
            assert key_named(written(key) if key in SIGNS else key) == key


def test_no_command_clashes_as_it_is():
    """Where all commands of one name have the same keys."""
    keys: dict[str, set[tuple[str, ...]]] = {}
    for command in COMMANDS:
        keys.setdefault(command.name, set()).add(command.keys)
    for command in COMMANDS:
        if command.name in names() and len(keys[command.name]) == 1:
            assert clash(command.name, {command.name: command.keys}) == "", command.name


def test_keys_can_change_places():
    taken = "s is the key of step (step through what is learned)"
    assert clash("watch", {"watch": ("s",)}) == taken
    both = {"watch": ("s",), "step": ("w",)}
    assert (clash("watch", both), clash("step", both)) == ("", "")


@pytest.mark.usefixtures("tables")
def test_footer_help_and_tour_show_the_user_s_keys():
    give_keys(
        {
            "train": ("f6", "m"),
            "faster": ("f7",),
            "step": ("w",),
            "watch": ("s",),
            "go_home": ("ctrl+x",),
        }
    )
    assert (key_of("train"), BY_NAME["train"].keys) == ("F6", ("f6", "m"))
    assert BY_NAME["go_home"].help == "go home; from there, leave the lab"
    td = PlayerSpec.parse("td")
    lab = LabController(Settings(td, td))
    assert next(i.key for i in Home(lab).menu().items if i.name == "train it") == "F6"
    page = lab_page(lab, lab.perform)
    assert ("F6", "train") in [(tab.shown, tab.name) for tab in tabs_of(page)]
    assert next(key.signs for key in page.keys if key.word == "stride") == "F7 −"
    assert next(key.key for key in page.keys if key.word == "run") == "space"
    assert dict(taught()[0][1])["p s w F6"] == "the four tabs at the top"
    assert as_keys("`step` plays a game") == (("w", "key"), (" plays a game", "text"))
    give_keys({"train": ("c",), "to_break": ("K",)})
    assert "c" in [tab.shown for tab in tabs_of(page)]

"""What opens, the keys that help tells, and none that a keyboard has only behind AltGr."""

import re
import string
from importlib import import_module
from pathlib import Path

import pytest
from piloting import Desk, desk_of
from reading import SAMPLES, sample
from textual.events import Key
from textual.keys import _character_to_key

from afterstate_lab.tui.lab import commands
from afterstate_lab.tui.lab.commands import COMMANDS
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.help import taught

BEHIND_ALTGR = {"German": "[]{}\\|@~", "French": "[]{}\\|@~#^`", "Spanish": "[]{}\\|@~#"}
"""The characters of ASCII that these keyboards have only behind AltGr."""


def test_what_can_be_opened_has_a_file_that_says_how():
    """Home and explanations are opened by themselves."""
    sources = Path(commands.__file__).parents[1].rglob("*.py")
    pages = re.findall(r'\bOpen\(\s*"(\w+)"', "".join(map(Path.read_text, sources)))
    assert len(set(pages)) > 15
    for page in set(pages) - {"home", "explain"}:
        assert callable(import_module(f"afterstate_lab.tui.pages.{page}").open_on)


@pytest.mark.parametrize("keyboard", BEHIND_ALTGR)
def test_no_command_is_only_behind_altgr(keyboard: str):
    behind = {_character_to_key(character) for character in BEHIND_ALTGR[keyboard]}
    for command in COMMANDS:
        if command.keys:
            assert set(command.keys) - behind, command.name


def test_help_is_the_dozen_keys_and_the_palette_has_every_letter():
    ((_, told),) = taught()
    keys = {key for shown, _ in told for key in shown.split()}
    assert keys == {*"←→−+↑↓ni:pwst", "Enter", "Esc", "space", "1–9"}
    assert sum(len(f"{shown} {says}".split()) for shown, says in told) <= 250


@desk_of(games=2)
async def test_no_letter_is_silent(desk: Desk):
    bound = {key for command in COMMANDS for key in command.keys}
    for mode in "pws":
        await desk.press(mode)
        for letter in sorted({*string.ascii_letters, "at"} - bound):
            said = await desk.press(letter)
            assert said.endswith("does nothing here. ? lists the keys."), (mode, letter)


TWELVE = {"right": "", "left": "", "plus": "+", "minus": "-", "down": "", "up": "", "space": " ",
          "5": "5", "n": "n", "enter": "", "escape": "", "i": "i", "question_mark": "?",
          "colon": ":", "p": "p", "w": "w", "s": "s", "t": "t"}  # fmt: skip
PLACES = {
    "home": "H", "help": "question_mark", "explain": "i", "what if": "W q enter", "film": "",
    "play": "p", "watch": "w", "step": "", "train": "t 9 enter",
}  # fmt: skip
UNTYPED = [name for name in SAMPLES if "setup" not in name and name[-2:] != "-q" and (
    not name.endswith("-menace") or "box" in name)]  # fmt: skip


@pytest.mark.quick("30-table-td", "30-watch")
@pytest.mark.parametrize("name", [*UNTYPED, *PLACES])
@desk_of(games=30)
async def test_each_of_the_twelve_keys_does_something_on_every_page_or_says_where(
    desk: Desk, name: str
):
    screen, front, make = desk.screen, None, sample(name) if name in SAMPLES else None
    for key, character in TWELVE.items():
        if front is None or screen.front is not front or front.asked or desk.in_lab:
            if not desk.in_lab:
                screen.close(screen.sheets[1])
            screen.front.asked = None
            screen.redraw()
            await desk.press("s")
            if make is not None:
                screen.push(make)
            if name == "film":
                screen.action_perform("marks")
            await desk.finish(PLACES.get(name, ""))
            front = screen.front
            assert desk.in_lab is (name in ["play", "watch", "step", "train"])
        if screen.page.typing is not None:
            return
        window = screen.page.window
        if window is not None:
            window.move(window.count if key in ("up", "left") else -window.count)
        screen.redraw()
        before = desk.text
        await screen.on_key(Key(key, character or None))
        if screen.front is front:
            assert desk.text != before or front.running, key
            assert key not in "pwst" or front.asked or screen.page.name[0].lower() == key
        else:
            assert key not in "pwst" or desk.in_lab


@desk_of(games=30)
async def test_second_keys_do_the_same_and_watch_goes_back_over_the_moves_that_it_went(desk: Desk):
    timeline = desk.session.timeline
    for mode in "sw":
        await desk.press(mode)
        for pair in ("[,", "].", "{(", "})"):
            places = []
            for key in pair:
                timeline.go_to(20)
                timeline.step()
                await desk.press(key)
                places.append(timeline.place)
            assert places[0] == places[1], (mode, pair)
    timeline.go_to(20)
    ends = []
    for _ in range(13):
        await desk.press("→")
        ends.append((timeline.place, desk.session.board))
    assert timeline.game > 20
    for end in reversed(ends[:-1]):
        await desk.press("←")
        assert (timeline.place, desk.session.board) == end
    assert desk.session.mode is Mode.WATCH

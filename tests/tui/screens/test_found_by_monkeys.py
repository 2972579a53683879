"""What monkeys have found, as claims about the lab."""

import gc
import threading
from collections.abc import AsyncIterator
from itertools import cycle, islice
from typing import Any
from weakref import WeakSet

import pytest
from piloting import ESCAPE, WINDOW, Desk, saved
from textual.events import Resize
from textual.geometry import Size

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.screens.lab import Sheet
from afterstate_lab.tui.verbs import COMMANDS

CLEAR, DOWN, RIGHT, PAGES = "\x15", "\x1b[B", "\x1b[C", ("\x1b[6~", "\x1b[5~")
TD = parse_player("td")


async def test_a_page_under_a_card_is_made_for_the_window_that_it_has(desk: Desk):
    await desk.finish("s ] ]")
    await desk.feed(":")
    assert desk.screen.page.is_over
    before = desk.text
    await desk.feed(ESCAPE, ":")
    await desk.resize((9, 9))
    await desk.resize(WINDOW)
    assert desk.text == before


@pytest.mark.parametrize("keys", ["o", "v", "m", ":", "h", "?"])
async def test_a_click_on_a_frame_chooses_nothing(desk: Desk, keys: str):
    await desk.feed(keys)
    framed = [place for place in desk.screen.places if place.block.framed]
    assert framed
    for place in framed:
        right, low = place.x + place.columns - 1, place.y + place.rows - 1
        for x in range(place.x, right + 1):
            assert place.row_at(x, place.y) is place.row_at(x, low) is None
        for y in range(place.y, low + 1):
            assert place.row_at(place.x, y) is place.row_at(right, y) is None


async def test_what_is_clicked_or_typed_while_the_lab_ends_counts_once_or_is_dropped(desk: Desk):
    await desk.feed("?")
    desk.app._exit = True  # nothing is painted any more
    for _ in range(2):
        desk.screen.take(Leave())
    desk.app._exit = False
    await desk.feed("v", ESCAPE)
    assert desk.in_lab
    await desk.feed("o")
    desk.app._exit = True
    await desk.feed("6", RIGHT)
    desk.app._exit = False
    await desk.feed(ESCAPE)
    assert desk.in_lab


@pytest.mark.slow
async def test_enters_in_one_packet_and_what_is_left_before_it_is_shown_do_no_harm(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    begun: list[Goal] = []
    monkeypatch.setattr(desk.screen, "start_training", begun.append)
    for key in "o:v":
        await desk.feed(key + ESCAPE, key + ESCAPE + key + ESCAPE)
        await desk.go_home()
    await desk.feed(":", "experiments (E)")
    await desk.finish()
    await desk.feed(DOWN, "\r" * 8)
    assert desk.screen.sheets[1].page.name.startswith("EXPERIMENT")
    await desk.go_home()
    for key in "o:t":
        await desk.feed(key, "\r\r\r\r")
        assert desk.screen.sheets[0].page is not None
    assert len(begun) == 1


async def test_what_is_found_closes_no_screen_but_its_own(desk: Desk):
    await desk.feed("p", "5", "w", "R")
    await desk.finish()
    runs = desk.front
    await desk.feed("?")
    assert len(desk.screen.sheets) == 3
    desk.screen.take(Leave(), runs)
    assert desk.in_lab


async def test_a_lab_that_is_left_hears_no_more_keys(desk: Desk):
    screen = desk.screen
    await desk.feed("p", "5")
    script = dict(desk.session.script)
    with desk.app._context():
        desk.app.leave()
        for name in ("step", "take_back", "watch"):
            screen.action_perform(name)
        screen.redraw()
    assert desk.session.script == script


@pytest.mark.quick("open")
@pytest.mark.parametrize("way", ["set up", "open", "train"])
async def test_no_training_goes_on_behind_what_takes_its_place(desk: Desk, way: str):
    screen = desk.screen
    screen.start_training(Goal(10**9))
    training = desk.session.training
    while training.snapshot.done < 100:
        await desk.pilot.pause()
    training.pause()
    if way == "set up":
        screen.take(screen.controller.set_up(desk.session.settings))
    elif way == "open":
        store = Store.open()
        store.save(Run(TD, TD, 7), name="other")
        screen.take(screen.controller.resume(store.load("other")))
    else:
        screen.start_training(Goal(10))
    assert training.wait(0.0)
    await desk.settle()
    if way == "train":
        assert desk.session.run.games >= 110
    else:
        assert any(info.games >= 100 for info in Store.open().list())


@pytest.mark.slow
async def test_screens_that_are_left_are_gone(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    made: WeakSet[Sheet] = WeakSet()
    make = Sheet.__init__

    def noted(sheet: Sheet, *arguments: Any) -> None:
        made.add(sheet)
        make(sheet, *arguments)

    monkeypatch.setattr(Sheet, "__init__", noted)
    for key in ("v", "E", "question_mark", "o", "t", "colon", "R"):
        await desk.pilot.press(key, "question_mark", "escape", "escape")
        while not desk.in_lab:
            await desk.pilot.press("escape")
    await desk.pilot.press("o", "enter")
    await desk.finish()
    assert desk.in_lab
    gc.unfreeze()  # the app freezes what is there after its first picture, or a little later
    for _ in range(40):  # a timer that was cancelled keeps its screen until it would be due
        await desk.resize((79, 24), WINDOW)
        gc.collect()
        if not made:
            break
    assert list(made) == []


@pytest.mark.slow
async def test_a_training_is_left_at_once_when_all_threads_are_busy(desk: Desk):
    end = threading.Event()
    try:
        for _ in range(40):
            desk.app.run_worker(end.wait, thread=True, group="busy", exit_on_error=False)
        await desk.feed("t", CLEAR, "900m", "\r")
        assert desk.session.is_training
        await desk.feed("w")
        assert not desk.session.is_training
        await desk.feed("t", CLEAR, "700m", "\r")
        second = desk.session.training
    finally:
        end.set()
    while second.snapshot.done == 0:
        await desk.pilot.pause()
    assert desk.session.training is second
    await desk.feed(ESCAPE)


CONTROLS = [chr(code) for code in (*range(27), *range(28, 32), *range(127, 160), 0x2028, 0x2029)]
"""Without Esc, which ends a paste."""


async def prompts(desk: Desk) -> AsyncIterator[str]:
    """Open every line that can be typed: questions of commands, and pages that let you type."""
    saved("one")
    desk.session.run.train(3)
    for command in COMMANDS:
        modes = (Mode.STEP, Mode.WATCH, Mode.PLAY)
        mode = next((mode for mode in modes if mode in command.modes), None)
        if mode is None or command.name in ("quit", "cell"):
            continue
        await desk.finish(mode.value[0])
        desk.screen.action_perform(command.name)
        await desk.settle()
        if desk.screen.typed is not None:
            yield command.name
        for key in [] if desk.in_lab else [key for key in desk.screen.page.keys if key.asks]:
            desk.screen.do(key)
            yield f"{command.name} {key.word}"
            await desk.feed(ESCAPE)
        for _ in range(4):
            await desk.feed(ESCAPE)


async def test_a_number_copied_with_its_line_break_is_a_number(desk: Desk):
    for control in ("\n", "\r", "\x0b", "\x1c", "\0", "\u2028"):
        await desk.feed("t", f"\x1b[200~{control}70\t{control}\x1b[201~")
        assert (desk.screen.typed, desk.screen.line.value) == ("train", "70 ")
        await desk.feed(ESCAPE)


@pytest.mark.slow
async def test_the_first_line_of_a_paste_that_is_not_blank_is_typed_at_every_prompt(desk: Desk):
    """The first takes each of them, the others some in turn."""
    asked, turns = [], cycle(CONTROLS)
    async for name in prompts(desk):
        asked.append(name)
        for control in islice(turns, 8 if asked[1:] else len(CONTROLS)):
            desk.screen.line.value = ""
            await desk.feed(f"\x1b[200~{control}700{control}\r{control}\x1b[201~")
            assert desk.screen.typed is not None, (name, control)
            assert desk.screen.line.value.strip() == "700", (name, control)
    assert len(asked) > 12


async def test_a_question_and_the_palette_follow_the_size_and_no_old_one(desk: Desk):
    screen = desk.screen
    for key in ("t", "colon"):
        await desk.press(key)
        await desk.resize((2, 30), (40, 12))
        assert not screen.places
        await desk.resize((100, 30))
        assert screen.places
        assert screen.paper.lines[29].text.strip()
        assert {screen.paper.render_line(y).cell_length for y in range(30)} == {100}
        await desk.go_home()
    await desk.press("t")
    screen.post_message(Resize(Size(90, 20), Size(90, 20)))
    await desk.pilot.pause()
    assert screen.outer_size == (80, 24)

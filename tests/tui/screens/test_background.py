"""What is asked and searched in the background: keys are answered, and another run drops it."""

import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet, ref

import pytest
from made import run_of
from piloting import ESCAPE, WINDOW, Desk, at, desk_of, saved

from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.screens.lab import LabScreen, Sheet

AGENT = """
import os, time
def move(board):
    while not os.path.exists({gate!r}):
        time.sleep(0.01)
    return board.index(".") + 1
"""


@pytest.fixture
def agent(tmp_path: Path) -> str:
    """An agent that answers once there is a file `gate`."""
    (tmp_path / "agent.py").write_text(AGENT.format(gate=str(tmp_path / "gate")))
    return f"{tmp_path / 'agent.py'}:move"


KINDS = {
    "a game by hand": (":be\r", "td\r"),
    "another player": (":whatif\r", "q\r"),
    "an address": (":go\r", "afterstate:1/td/td/3/900\r"),
    "an agent": (":setup\r", "/{agent}\r"),
    "a rule": (":setup\r", "/{loop}:Mine\r"),
    "a breakpoint": (":break flip\r", "C"),
    "the last writer": ("", "B"),
    "why": ("", "r"),
    "a film": (":watch\r", "m"),
    "a film on the map": (":map\r", " "),
    "a saved run": (":runs\r", "\x1b[B\r"),
}
QUICK = "a breakpoint", "a rule"


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind not in QUICK)) for kind in KINDS]
)
async def test_only_esc_counts_while_the_lab_works(lab, agent, tmp_path, monkeypatch, kind: str):
    """Keys and clicks do nothing, the bar moves, and Esc ends it at once, whatever it is."""
    loop = tmp_path / "loop.py"
    loop.write_text("while True: pass")
    saved("other", games=30)
    may_end, begin = threading.Event(), LabScreen.in_thread
    may_end.set()
    monkeypatch.setattr(
        LabScreen,
        "in_thread",
        lambda screen, do, *more: begin(screen, lambda: may_end.wait(30) and do(), *more),
    )
    first, last = (text.format(agent=agent, loop=loop) for text in KINDS[kind])
    async with at(lab()) as desk:
        desk.session.run.train(40)
        await desk.finish("s end [ tab")
        await desk.feed(first)
        await desk.settle()
        may_end.clear()
        await desk.feed(last)
        await desk.until(lambda: desk.screen.busy)
        sheet, running = desk.screen.busy

        def seen() -> object:
            session, pages = desk.session, [one.make for one in desk.screen.sheets]
            at = session.timeline.place, session.selection
            return pages, session.run, session.run.games, session.mode, at

        assert running.look() != running.look()
        before = seen()
        await desk.press("n . 5 Enter space → p w t v i ? : R")
        await desk.feed("play\r")
        await desk.pilot.click(offset=(3, 0))
        assert (seen(), desk.screen.busy) == (before, (sheet, running))
        await desk.until(lambda: "Esc gives up" in desk.text)
        await desk.press("Esc")
        assert (seen(), desk.screen.busy) == (before, None)
        assert "Given up." in desk.text
        may_end.set()
        await desk.settle()
        assert seen() == before


async def test_an_agent_is_given_up_or_told_of_if_it_cannot_be_asked(lab, agent, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def move(board):\n    return 10\n")
    for spec, key, said in (
        (f"{agent}:seconds=600", "Esc", "Given up."),
        (f"{wrong}:move", "", "On the board "),
    ):
        async with at(lab(o=spec)) as desk:
            for keys, told in (("", "asking"), (key, said)) if key else (("", said),):
                await desk.press(keys)
                await desk.until(lambda desk=desk, told=told: desk.session.note.startswith(told))
            assert str(desk.session.run.o) == "td"


def look_for(desk: Desk, *names: str) -> tuple[Callable[[], None], list[Any]]:
    """Begin searches, each in place of the one before; what ends them, and what they found."""
    may_end, found = threading.Event(), list[Any]()
    for name in names:
        work = lambda *_, name=name: may_end.wait(30) and name  # noqa: E731
        run = desk.session.run
        desk.screen.take(Work(work, says=name, then=found.append, run=run))
    return may_end.set, found


@desk_of(games=200)
async def test_what_shows_or_searches_a_run_is_left_when_another_is_opened(desk: Desk):
    saved("other", games=10)
    other = Store.open().load("other")
    await desk.press("s end [")
    screen = desk.screen
    end, found = look_for(desk, "one", "two")
    await desk.pilot.pause()
    end()
    await desk.finish()
    assert found == ["two"], "the second of two searches counts"
    for key in "rv":
        await desk.finish(key)
        assert not desk.in_lab
        await desk.press("?")
        assert not desk.in_lab
        screen.take(screen.controller.resume(other))
        await desk.pilot.pause()
        assert desk.screen is screen
        assert desk.session.run is other.run
        await desk.press("s → [")
        desk.session.start(desk.session.settings)
        desk.session.run.train(20)
        await desk.press("s end [")
    end, found = look_for(desk, "something")
    screen.take(screen.controller.resume(other))
    end()
    assert await desk.finish() == "Given up."
    assert found == []


@desk_of(x="human")
async def test_what_is_found_in_a_game_that_was_taken_back_is_not_gone_to(desk: Desk):
    await desk.pilot.pause()
    while desk.session.game_goes_on:
        await desk.press(str(desk.session.board.legal_cells[0] + 1))
    end, found = look_for(desk, "it")
    desk.screen.controller.perform("take_back")
    end()
    assert await desk.finish() == "Given up."
    assert found == []


async def test_a_run_is_let_go_when_another_begins_without_the_collector(lab):
    async with at(lab()) as desk:
        gc.collect()
        gc.disable()
        try:
            await desk.ask("t", "500")
            await desk.finish()
            look_for(desk, "one")[0]()
            await desk.finish()
            before = ref(desk.session.run)
            assert before().games == 500
            await desk.press("o")
            await desk.feed("/q\r", "\r")
            await desk.finish()
            assert (str(desk.session.run.x), before()) == ("q", None)
        finally:
            gc.enable()


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
        store.save(run_of(seed=7), name="other")
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
        await desk.feed("t", "\x15", "900m", "\r")
        assert desk.session.is_training
        await desk.feed("w")
        assert not desk.session.is_training
        await desk.feed("t", "\x15", "700m", "\r")
        second = desk.session.training
    finally:
        end.set()
    while second.snapshot.done == 0:
        await desk.pilot.pause()
    assert desk.session.training is second
    await desk.feed(ESCAPE)

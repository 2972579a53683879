"""What monkeys have found, as claims about the lab."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from monkey_cage import STUCK, Cage
from monkey_lab import WINDOW
from monkey_strokes import BYTES, CLEAR, ESCAPE, Stroke
from monkey_world import RESTS, counted, world
from pyte import Stream
from textual._context import visible_screen_stack
from textual.command import CommandList
from textual.events import Resize
from textual.geometry import Size
from textual.renderables.background_screen import BackgroundScreen
from textual.widget import Widget

from afterstate_lab.learners.ask.why import last_write
from afterstate_lab.learners.players.policy_file import save_policy
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.training import Goal, Training
from afterstate_lab.tui.blocks.span import wrap
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.runs import export_path
from afterstate_lab.tui.screens.base import Overlay
from afterstate_lab.tui.screens.lab import LabScreen
from afterstate_lab.tui.screens.page import PageScreen
from afterstate_lab.tui.screens.palette import LabPalette
from afterstate_lab.tui.terminal.threads import Threads


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for all that is made, and no compiler."""
    with world(tmp_path):
        yield tmp_path


@pytest.fixture
async def cage(here: Path) -> AsyncIterator[Cage]:
    """A lab on a terminal of our own."""
    async with Cage() as cage:
        yield cage


async def press(cage: Cage, *keys: bytes) -> None:
    """One key after the other."""
    for key in keys:
        await cage.do(Stroke(key))


def the_lab(cage: Cage) -> LabScreen:
    assert isinstance(cage.lab.screen, LabScreen)
    return cage.lab.screen


async def click(cage: Cage, words: str) -> None:
    """Click on a hint in the last row."""
    (row,) = (y for y, line in enumerate(lines(cage)) if words in line)
    x = lines(cage)[row].index(words) + 1
    await press(cage, f"\x1b[<0;{x};{row + 1}M\x1b[<0;{x};{row + 1}m".encode())


def lines(cage: Cage) -> list[str]:
    """What the screen shows."""
    width = cage.lab.size.width
    strips = cage.lab.screen._compositor.render_strips(cage.lab.size)
    return ["".join(segment.text for segment in strip).ljust(width) for strip in strips]


async def test_a_click_on_the_digits_says_what_they_do(cage: Cage):
    await press(cage, b"p")
    await click(cage, "1–9 move")
    assert "marks a cell" in cage.lab.session.note
    assert cage.lab.session.mode is Mode.PLAY


async def test_a_click_on_a_hint_does_what_its_key_does(cage: Cage):
    await press(cage, b"p", b"5", b"5")
    script = dict(cage.lab.session.script)
    await click(cage, "u undo")
    assert script and cage.lab.session.script != script


async def test_a_click_on_a_hint_of_a_page_does_what_its_key_does(cage: Cage):
    await press(cage, b"v")
    await click(cage, "/ filter")
    assert cage.front == "question, filter"
    await press(cage, ESCAPE)
    await click(cage, "Esc back")
    the_lab(cage)


async def test_a_page_that_has_no_room_has_its_ground_all_over(cage: Cage):
    await press(cage, b"v")
    stream = cage.sink.blank()
    await cage.do(Stroke(size=(79, 23)))
    await painted(cage, stream, "needs 80×24")
    assert isinstance(cage.lab.screen, PageScreen)
    strips = [cage.lab.screen.paper.render_line(y) for y in range(23)]
    assert {strip.cell_length for strip in strips} == {cage.lab.screen.paper.size.width}
    assert all(segment.style and segment.style.bgcolor for strip in strips for segment in strip)


@pytest.mark.parametrize("key", [b"z", b"Z", b"i", b"?", b"\x1b[6~"])
async def test_a_page_that_has_no_room_takes_any_key(cage: Cage, key: bytes):
    await press(cage, b"v")
    await cage.do(Stroke(size=(1, 1)))
    await press(cage, key, ESCAPE, ESCAPE, b"v" + key, ESCAPE, ESCAPE, b"v", key)
    await cage.do(Stroke(size=WINDOW))
    await cage.go_home()


@pytest.mark.quick("o", "t")
@pytest.mark.parametrize("key", [b"o", b":", b"t"])
async def test_a_second_enter_in_the_same_packet_changes_nothing(cage: Cage, key: bytes):
    await press(cage, key)
    await press(cage, b"\r\r\r\r")
    assert isinstance(cage.lab.screen_stack[0], LabScreen)
    if key == b"t":
        assert [worker.group for worker in cage.lab.workers].count("training") == 1


@pytest.mark.quick("o")
@pytest.mark.parametrize(
    "key",
    [b"o", b":", *(pytest.param(bytes([k]), marks=pytest.mark.slow) for k in b"tvRE?")],
)
async def test_what_is_left_before_it_is_shown_does_no_harm(cage: Cage, key: bytes):
    await press(cage, key + ESCAPE, key + ESCAPE + key + ESCAPE)
    await cage.go_home()


async def test_a_palette_that_is_left_before_it_searches_does_no_harm(cage: Cage):
    await press(cage, b":")
    palette = cage.lab.screen
    assert isinstance(palette, LabPalette)

    async def search_too_late() -> None:
        await palette.query_one(CommandList).remove()
        palette._gather_commands("")

    cage.lab.call_later(search_too_late)
    await cage.settle()
    await cage.wait_for("--textual-command-palette-gather-commands")
    await cage.go_home()


@pytest.mark.parametrize("again", [False, True])
async def test_a_palette_is_left_before_it_is_mounted(cage: Cage, again: bool):
    lab: Any = cage.lab
    with lab._context():
        lab.action_command_palette()
        first = lab.screen
        first.dismiss()
        if again:
            lab.action_command_palette()
    await cage.settle()
    assert isinstance(lab.screen, LabPalette) == again
    if not again:
        await press(cage, b":")
    assert isinstance(lab.screen, LabPalette)
    assert lab.screen is not first


async def test_no_palette_is_opened_over_a_word_that_is_explained(cage: Cage):
    with cage.lab._context():
        cage.lab.explain()
        cage.lab.action_command_palette()
    await cage.settle()
    assert not [screen for screen in cage.lab.screen_stack if isinstance(screen, LabPalette)]


async def test_a_palette_that_is_not_composed_hears_that_it_searches(cage: Cage):
    with cage.lab._context():
        palette = LabPalette()
        palette._watch__list_visible()
        palette._watch__show_busy()


async def test_a_palette_that_has_no_room_can_be_paged(cage: Cage):
    await press(cage, b":")
    await cage.do(Stroke(size=(1, 1)))
    palette = cage.lab.screen
    assert isinstance(palette, LabPalette)
    commands = palette.query_one(CommandList)
    commands.add_option("one")
    commands.highlighted = 0
    commands._index_to_line.clear()
    await press(cage, BYTES["pagedown"], BYTES["pageup"])
    await cage.do(Stroke(size=WINDOW))
    await cage.go_home()


async def test_a_packet_of_enters_asks_for_what_the_palette_found_once(cage: Cage):
    await press(cage, b":", b"experiments (E)")
    await cage.wait_for("--textual-command-palette-gather-commands")
    await press(cage, BYTES["down"], b"\r" * 8)
    assert [type(screen) for screen in cage.lab.screen_stack] == [LabScreen, PageScreen]
    await cage.go_home()


async def test_a_policy_that_has_not_learned_a_side_is_not_seated_there(cage: Cage, here: Path):
    save_policy(Run(parse_player("td"), parse_player("random")), here / "only-x.npz")
    await press(cage, b"o", b"\t", CLEAR, b"only-x.npz", b"\r")
    form = cage.lab.screen
    assert isinstance(form, PageScreen)
    assert "'only-x.npz' holds no learner that plays O" in form.note
    await press(cage, CLEAR, b"td", ESCAPE)
    await press(cage, b"\t" * 3, CLEAR, b"only-x.npz", b"\r")
    assert str(the_lab(cage).session.run.x) == "only-x.npz"
    await cage.go_home()


async def test_what_is_found_closes_no_screen_but_its_own(cage: Cage):
    await press(cage, b"p", b"5", b"w")
    await cage.do(Stroke(b"R", waits=True))
    runs = cage.lab.screen
    assert isinstance(runs, PageScreen)
    await press(cage, b"?")
    for _ in range(2):
        cage.lab.call_later(runs.dismiss, None)
        await cage.settle()
        assert isinstance(cage.lab.screen, LabScreen)


@pytest.mark.parametrize("size", [(1, 1), (2, 30), (4, 24), (80, 24)])
async def test_the_tour_goes_on_in_a_window_of_any_size(cage: Cage, size: tuple[int, int]):
    await press(cage, b"T")
    await cage.do(Stroke(size=size))
    await cage.do(Stroke(size=WINDOW))
    assert the_lab(cage).controller.lessons.guide is not None


@pytest.mark.quick("s")
@pytest.mark.parametrize(
    "place",
    [
        *(b"s", b"R"),
        *(pytest.param(bytes([k]), marks=pytest.mark.slow) for k in b"ovE:ptT?"),
        pytest.param(b"", marks=pytest.mark.slow),
    ],
)
async def test_every_screen_bears_a_window_of_any_size(cage: Cage, place: bytes):
    await press(cage, b"p", b"5", b"w", b" ", b" ", place)
    for size in ((1, 1), (3, 60), (5, 3), (7, 24), (300, 1), (80, 3), (61, 21), (300, 100)):
        await cage.do(Stroke(size=size))
    await cage.go_home()


@pytest.mark.quick("v", "?")
@pytest.mark.parametrize("place", [b"", b"v", b"R", b"?", b"H"])
async def test_a_key_that_is_held_explains_once(cage: Cage, place: bytes):
    await press(cage, b"w", place)
    below = len(cage.lab.screen_stack)
    cage.lab.incoming.feed(b"i" * 40)
    await cage.settle()
    assert len(cage.lab.screen_stack) == below + 1
    await cage.go_home()


async def test_a_lab_that_is_left_hears_no_more_keys(cage: Cage):
    lab, screen = cage.lab, the_lab(cage)
    await press(cage, b"p", b"5")
    script = dict(lab.session.script)
    lab.may_leave = True
    with lab._context():
        lab.leave()
        for name in ("step", "take_back", "watch"):
            screen.action_perform(name)
        screen.redraw()
    assert lab.session.script == script


def test_text_is_wrapped_to_nothing_where_there_is_no_room():
    assert wrap((("some words", ""),), 0) == []
    assert wrap((("some words", ""),), -3) == []


async def painted(cage: Cage, stream: Stream, *words: str) -> None:
    """Wait until a terminal that showed nothing shows these words."""
    text = ""
    async with asyncio.timeout(STUCK):
        while not all(word in text for word in words):
            await cage.sink.changed.wait()
            text = cage.sink.drawn(stream)


async def test_a_window_dragged_back_to_its_old_size_is_painted_anew(cage: Cage):
    stream = cage.sink.blank()
    cage.lab.terminal.resize(cage.lab.size - (1, 0))
    await cage.do(Stroke(size=WINDOW))
    await painted(cage, stream, "WATCH", "board", "q home")


async def test_a_window_dragged_back_while_a_screen_opens_is_painted_anew(cage: Cage):
    lab = cage.lab
    await press(cage, b"v")
    await cage.settle()
    screen: Any = lab.screen
    screen._was_shown = False  # as until its first layout is painted
    stream = cage.sink.blank()
    lab.post_message(Resize(lab.size, lab.size))
    await painted(cage, stream, "whole table", "Esc back")


async def test_a_window_dragged_back_while_the_lab_paints_is_painted_anew(cage: Cage):
    lab, screen = cage.lab, the_lab(cage)

    def paint_and_drag_back() -> None:
        assert lab.size != Size(*WINDOW) == screen.outer_size
        screen.refresh(layout=True)
        screen._on_timer_update()
        streams.append(cage.sink.blank())
        lab.post_message(Resize(Size(*WINDOW), Size(*WINDOW)))

    streams: list[Stream] = []
    narrower = lab.size - (1, 0)
    lab.post_message(Resize(narrower, narrower))
    lab.call_later(paint_and_drag_back)
    await cage.settle()
    await painted(cage, streams[0], "WATCH", "q home")


@pytest.mark.parametrize("text", ["", ".", "  ", "/"])
async def test_an_export_needs_a_name(text: str):
    with pytest.raises(Exception, match="a name for the file is needed"):
        export_path(text)


def test_a_policy_is_exported_to_the_file_that_was_named(tmp_path: Path):
    assert export_path(f" {tmp_path}/one ") == tmp_path / "one.npz"
    assert export_path("two.npz") == Path("two.npz")


def test_the_last_writer_can_be_asked_for_after_the_last_event_of_a_game():
    run = Run(parse_player("td"), parse_player("td"), 7)
    run.train(20)
    recording = run.record(19, 20)
    events = len(recording.rows_of(19))
    writes = [row for row in range(events) if recording.event(row).__class__.__name__ == "Backup"]
    entry = recording.event(writes[-1]).entry  # type: ignore[union-attr]
    assert last_write(run, entry, TapePosition(19, events)) == TapePosition(19, writes[-1])
    assert last_write(run, entry, TapePosition(19, writes[-1])) != TapePosition(19, writes[-1])


@pytest.mark.parametrize("way", ["set up", "open", "train"])
async def test_no_training_goes_on_behind_what_takes_its_place(cage: Cage, way: str):
    lab = the_lab(cage)
    lab.start_training(Goal(10**9))
    training = cage.lab.session.training
    assert training is not None
    while training.snapshot.done < 100:
        await cage.settle()
    training.pause()
    if way == "set up":
        lab.set_up(cage.lab.session.settings)
    elif way == "open":
        run = Run(parse_player("td"), parse_player("td"), 7)
        with Store.open() as store:
            store.save(run, name="other")
            lab.take(lab.controller.current.resume(store.load("other")))
    else:
        lab.start_training(Goal(10))
    assert training.snapshot.is_over
    await cage.wait_for("training", "saving")
    if way == "train":
        assert cage.lab.session.run.games >= 110
    else:
        with Store.open() as store:
            assert any(info.games >= 100 for info in store.list())


def test_nobody_waits_for_a_training_that_has_no_thread_yet():
    run = Run(parse_player("td"), parse_player("td"), 7)
    training = Training(run, Goal(1_000))
    training.stop()
    assert training.wait(0.0)
    memory = run.memory.copy()
    assert training.work().is_over
    assert (run.games, run.memory.tobytes()) == (0, memory.tobytes())


def test_a_thread_that_waits_for_work_keeps_nothing_of_what_it_did():
    noted: ContextVar[str] = ContextVar("noted", default="nothing")
    with Threads() as threads:
        threads.submit(noted.set, "a screen").result()
        assert threads.submit(noted.get).result() == "nothing"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> WeakSet[Widget]:
    """The widgets, and screens, that are made from now on and are still there."""
    found: WeakSet[Widget] = WeakSet()
    make = Widget.__init__

    def noted(widget: Widget, *arguments: Any, **options: Any) -> None:
        found.add(widget)
        make(widget, *arguments, **options)

    monkeypatch.setattr(Widget, "__init__", noted)
    return found


@pytest.mark.slow
async def test_screens_that_are_left_are_gone(made: WeakSet[Widget], cage: Cage):
    await press(cage, b"p", b"5", b"w")
    before = await counted(cage)
    made.clear()
    for key in (b"v", b"E", b"?", b"o", b"t", b":"):
        await press(cage, key, b"?", ESCAPE, ESCAPE)
    await cage.do(Stroke(b"R", waits=True))
    left = WeakSet(made)
    assert any(isinstance(widget, PageScreen) for widget in left)
    for _ in range(RESTS):
        after = await counted(cage)
        if not left:
            break
    assert list(left) == []
    assert after.tasks == before.tasks


async def test_a_training_is_left_at_once_when_all_threads_are_busy(cage: Cage):
    end = threading.Event()
    try:
        for _ in range(40):
            cage.lab.run_worker(end.wait, thread=True, group="busy", exit_on_error=False)
        await press(cage, b"t", CLEAR, b"900m", b"\r")
        assert cage.lab.session.is_training
        await press(cage, b"w")
        assert not cage.lab.session.is_training
        await press(cage, b"t", CLEAR, b"700m", b"\r")
        second = cage.lab.session.training
    finally:
        end.set()
    assert second is not None
    while second.snapshot.done == 0:
        await cage.settle()
    assert cage.lab.session.training is second
    await press(cage, BYTES["escape"])


@pytest.mark.quick("keys1", "keys2", "keys5")
@pytest.mark.parametrize(
    "keys",
    [(b"R", b"/"), (b"E", b"?"), (b"v", b"?"), (b"o",), (b"t",), (b"i",), (b":",), (b"v", b":")],
)
async def test_no_two_screens_are_painted_behind_each_other(cage: Cage, keys: tuple[bytes, ...]):
    for key in keys:
        await cage.do(Stroke(key, waits=True))
    stack = list(cage.lab.screen_stack)
    under: list[object] = []

    def render() -> None:
        for screen in stack:
            visible_screen_stack.set(stack * 2)  # what Textual has not counted
            shown = screen.render()
            under.append(shown.screen if isinstance(shown, BackgroundScreen) else None)

    cage.lab.call_later(render)
    await cage.settle()
    for below, screen, seen in zip([None, *stack], stack, under, strict=False):
        assert seen is (below if isinstance(screen, Overlay) else None)

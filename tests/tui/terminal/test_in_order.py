"""What is typed is done in its order, by the screen in front when its turn comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar

from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from afterstate_lab.tui.terminal.driver import TerminalInput
from afterstate_lab.tui.terminal.textual_internals import InOrderApp


class Question(ModalScreen[str]):
    """Asks for a line; its field comes late, and takes the focus later still."""

    AUTO_FOCUS = None

    async def on_mount(self) -> None:
        await asyncio.sleep(0.001)
        self.mount(field := Input(select_on_focus=False))
        self.call_later(self.set_focus, field)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        self.dismiss(message.value)


class Asking(InOrderApp[None]):
    """Notes each letter and each answer; `:` asks before any widget does, `o` as any screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("colon", "ask('colon')", priority=True)]

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    def compose(self) -> ComposeResult:
        return iter(())

    def action_ask(self, why: str) -> None:
        self.push_screen(Question(), lambda answer: self.notes.append(f"{why}: {answer}"))

    async def on_key(self, event: Key) -> None:
        if isinstance(self.screen, Question):
            return
        if event.key == "o":
            self.action_ask("o")
        else:
            await asyncio.sleep(0.001)
            self.notes.append(event.key)


def packets(typed: bytes, sizes: list[int]) -> Iterator[bytes]:
    """A line in packets of these sizes, the last one whatever is left."""
    for size in sizes:
        yield typed[:size]
        typed = typed[size:]
    yield typed


async def notes_of(typed: bytes, sizes: list[int]) -> list[str]:
    """What came of a line that arrived in packets, and what is in the open question."""
    app = Asking()
    async with app.run_test() as pilot:
        reader = TerminalInput(app.post_message)
        for packet in packets(typed, sizes):
            reader.feed(packet)
            await pilot.pause()
        while app.is_handling_input:
            await pilot.pause(0.001)
        return [*app.notes, *(field.value for field in app.screen.query(Input))]


async def test_a_key_belongs_to_the_screen_that_an_earlier_one_opens_or_leaves():
    done = await notes_of(b"ao5000\x7f\x7f\rb:x:y\rco:", [])
    assert done == ["a", "o: 50", "b", "colon: x:y", "c", ":"]


@settings(max_examples=max(4, settings().max_examples // 2))
@given(
    st.lists(st.sampled_from([b"o", b":", b"a", b"7", b"\x7f", b"\r", b"\x1b[D"])),
    st.lists(st.integers(1, 5)),
)
async def test_what_comes_of_a_line_never_depends_on_its_packets(
    typed: list[bytes], sizes: list[int]
):
    line = b"".join(typed)
    one_by_one = await notes_of(line, [len(key) for key in typed])
    assert await notes_of(line, sizes) == await notes_of(line, []) == one_by_one


async def test_a_widget_that_is_stuck_holds_keys_for_a_moment_only(monkeypatch):
    monkeypatch.setattr("afterstate_lab.tui.terminal.textual_internals.MOST_PASSES", 2)
    app, free = Asking(), asyncio.Event()
    async with app.run_test() as pilot:
        await app.mount(stuck := Static())
        stuck.call_later(free.wait)
        TerminalInput(app.post_message).feed(b"ab")
        while app.notes != ["a", "b"]:
            await asyncio.sleep(0)
        free.set()
        await pilot.pause()

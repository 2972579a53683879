"""Textual's private names are as the lab uses them; each failure says what changed."""

import inspect
from typing import Any

import pytest
from textual.app import App
from textual.driver import Driver
from textual.screen import Screen
from textual.widgets import Static

from afterstate_lab.tui.terminal.textual_internals import HoldableScreen, driver_of

linux_driver = pytest.importorskip("textual.drivers.linux_driver")
LinuxDriver: Any = linux_driver.LinuxDriver

OVERRIDDEN = [
    (Screen, "_on_timer_update", "_update_timer", "a slow line is flooded with pictures"),
    (App, "_fatal_error", "_handle_exception", "a failure prints a traceback over the screen"),
    (LinuxDriver, "_sigcont_application", "__init__", "a woken lab is not drawn anew"),
    (LinuxDriver, "_sigtstp_application", "__init__", "a suspension comes within a picture"),
    (LinuxDriver, "_get_terminal_size", "start_application_mode", "any size is painted"),
    (LinuxDriver, "run_input_thread", "_run_input_thread", "garbage from a line ends the lab"),
    (LinuxDriver, "disable_input", "stop_application_mode", "a shell gets the terminal's replies"),
]
"""Class, method that the lab overrides, the method of Textual that calls it, and the loss."""


@pytest.mark.parametrize(("owner", "name", "caller", "loss"), OVERRIDDEN)
def test_textual_still_calls_what_the_lab_overrides(
    owner: type, name: str, caller: str, loss: str
) -> None:
    where = f"{owner.__name__}.{name}"
    assert callable(getattr(owner, name, None)), f"Textual has no {where} any more: {loss}."
    method = inspect.getattr_static(owner, caller, None)
    source = inspect.getsource(method.fget if isinstance(method, property) else method)
    calls = f".{name}" in source
    assert calls, f"Textual no longer calls {where} from {caller}: {loss}."


async def test_a_screen_says_what_is_to_be_painted_and_can_be_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app: App[None] = App()
    held: list[HoldableScreen] = []
    async with app.run_test() as pilot:
        screen = HoldableScreen()
        await app.push_screen(screen)
        label = Static("one")
        await screen.mount(label)
        await pilot.pause()
        for name in ("_dirty_widgets", "_layout_required", "_repaint_required", "_update_timer"):
            assert hasattr(screen, name), f"Textual's Screen has no {name} any more."
        monkeypatch.setattr(screen, "may_paint", lambda: held.append(screen))
        screen._on_timer_update()
        assert not held, "Textual's Screen notes elsewhere what it repaints."
        screen._dirty_widgets.add(label)
        screen._on_timer_update()
        assert held
        assert label in screen._dirty_widgets
        assert screen._update_timer._active.is_set() is False
        screen.catch_up()
        assert screen._update_timer._active.is_set() is True
        assert driver_of(app) is not None, "Textual's App keeps its driver elsewhere than _driver."


def test_the_driver_keeps_the_file_the_app_and_its_suspension_under_the_known_names() -> None:
    source = inspect.getsource(LinuxDriver)
    for question in ("?2026$p", "?2048$p"):
        assert f"[{question}" in source, (
            f"Textual asks otherwise than by {question}: it is printed."
        )
    for name in ("_file", "_must_signal_resume", "exit_event"):
        assert f"self.{name} = " in source, f"Textual's LinuxDriver has no {name} any more."
    assert "self._app = " in inspect.getsource(Driver), "Textual's Driver has no _app any more."
    writes_there = "WriterThread(self._file)" in source
    assert writes_there, "Textual's LinuxDriver writes elsewhere than to _file."

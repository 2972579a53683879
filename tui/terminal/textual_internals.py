"""Private names of Textual that the lab overrides or uses, under public names.

The driver overrides some more. A new release of Textual may change any of them:
`tests/tui/terminal/test_textual_internals.py` tests each, and explains in one sentence what changed
and what the lab loses.
"""

from __future__ import annotations

from typing import Any

from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.app import App
from textual.screen import Screen

__all__ = [
    "BRACKETED_PASTE_END",
    "BRACKETED_PASTE_START",
    "FailingApp",
    "HoldableScreen",
    "TerminalParser",
    "driver_of",
]


class TerminalParser(XTermParser):
    """Textual's parser of terminal input; it knows whether a sequence has begun."""

    @property
    def is_within_sequence(self) -> bool:
        return self._timeout_time is not None


class FailingApp(App[None]):
    """An app that reports a failure in a sentence instead of a traceback."""

    failure_text = ""
    """The text to print after the app; empty without a failure."""
    _failure: Exception | None = None

    def sentence_of(self, error: Exception) -> str:
        """Return the message about an uncaught error."""
        raise NotImplementedError

    def _handle_exception(self, error: Exception) -> None:
        self._failure = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.panic()

    def panic(self, *renderables: Any) -> None:
        """Leave the app; only the first failure is reported."""
        if self._failure is None:
            super().panic(*renderables)
            return
        self.failure_text = self.failure_text or self.sentence_of(self._failure)
        self._close_messages_no_wait()


class HoldableScreen(Screen[None]):
    """A screen whose painting can be held back."""

    def may_paint(self) -> bool:
        """Return whether to paint the changes now; if not, `catch_up` must be called later."""
        return True

    def _on_timer_update(self) -> None:
        is_changed = self._dirty_widgets or self._layout_required or self._repaint_required
        if is_changed and not self.may_paint():
            self._update_timer.pause()
        else:
            super()._on_timer_update()

    def catch_up(self) -> None:
        """Paint at the next tick what was held back."""
        self._update_timer.resume()


def driver_of(app: App[Any]) -> Any:
    """Return the app's driver; None before it runs."""
    return app._driver

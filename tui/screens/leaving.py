"""Leaving a screen: once, whatever was typed ahead."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from textual._styles_cache import StylesCache
from textual.await_complete import AwaitComplete

if TYPE_CHECKING:
    from textual.app import App


class Leaving:
    """A screen that can be left, to be named before Textual's.

    Textual takes away whatever screen is in front when one is left. A second Enter in the same
    packet, or something found in the background, would so close another screen, or end the app.
    """

    app: App[Any]

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave, with an answer; a question or help in front goes too. Nothing, once it is left."""
        app: Any = self.app
        if self not in app.screen_stack:
            return AwaitComplete()
        while app.screen is not self:
            app.pop_screen()
        left: AwaitComplete = super().dismiss(result)  # type: ignore[misc]
        forget_pictures()
        return left


class OfRun(Leaving):
    """A screen about the run that goes on: it is left where another one takes its place."""


def forget_pictures() -> None:
    """Let go of widgets that are gone: a cache of Textual's keeps 1,024 of them, as painted."""
    with contextlib.suppress(AttributeError):
        StylesCache.get_inner_outer.cache_clear()

"""What is painted behind a screen.

The background of ours is the terminal's own, which Textual takes for translucent, and paints the
screens behind. Which one that is it finds by counting the screens it has painted, and remembers: so
two of three could each be painted behind the other, without end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.renderables.background_screen import BackgroundScreen

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.app import App
    from textual.css.styles import RenderStyles


def background(app: Any) -> RenderableType:
    """What is behind all screens."""
    plain: RenderableType = app.render()
    return plain


class Covering:
    """A screen that fills the terminal, to be named before Textual's: nothing is seen behind it."""

    app: App[Any]

    def render(self) -> RenderableType:
        """The background."""
        return background(self.app)


class Overlying:
    """A screen that fills a part, to be named before Textual's: the one under it stays seen."""

    app: App[Any]
    styles: RenderStyles

    def render(self) -> RenderableType:
        """The screen under this one, as it is."""
        stack: list[Any] = self.app.screen_stack
        under = stack.index(self) - 1 if self in stack else -1
        if under < 0:
            return background(self.app)
        return BackgroundScreen(stack[under], self.styles.background)

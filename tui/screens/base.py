"""What all screens share: their app, leaving, hiding the screens below, and pacing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from textual import events
from textual.await_complete import AwaitComplete
from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen, ScreenResultType
from textual.timer import Timer

from afterstate_lab.tui.terminal.textual_internals import HoldableScreen, release_painted_widgets

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.app import App
    from textual.css.styles import RenderStyles
    from textual.message import Message

    from afterstate_lab.tui.lab.outcomes import Outcome
    from afterstate_lab.tui.terminal.pacing import Pacer
    from afterstate_lab.tui.theme.look import Look


class LabApp(Protocol):
    """What screens use of the app, besides Textual's own."""

    pacer: Pacer
    """Decides when a frame can be sent."""

    @property
    def look(self) -> Look:
        """The colours and characters of this terminal."""

    def explain(self, line: str = "", column: int = 0) -> None:
        """Explain the words on screen; first the word at a column of a line, if any."""

    def show(self, outcome: Outcome) -> None:
        """Show the outcome of a command over the front screen."""

    def toggle_light(self) -> None:
        """Switch between dark and light."""

    def leave(self, status: int = 0) -> None:
        """Save, and end the app with an exit status."""


def lab_app(screen: Screen[Any]) -> LabApp:
    return cast("LabApp", screen.app)


class SizedAsTerminal:
    """A screen that takes only the terminal's size; a base before Textual's.

    Textual's screens also post themselves each size of a layout. An outdated size may come last,
    and the screen would be painted for it.
    """

    app: App[Any]

    def post_message(self, message: Message) -> bool:
        """Queue a message; drop an outdated size."""
        if isinstance(message, events.Resize) and message.size != self.app.size:
            return False
        queued: bool = super().post_message(message)  # type: ignore[misc]
        return queued


class DismissOnce(SizedAsTerminal):
    """A screen that can be left once, whatever was typed ahead; a base before Textual's.

    Textual removes the front screen when any screen is left. A second Enter in the same packet, or
    a finished search, could close another screen, or end the app.
    """

    app: App[Any]

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave once, with an answer; also close a question or help in front."""
        app: Any = self.app
        if self not in app.screen_stack:
            return AwaitComplete()
        while app.screen is not self:
            app.pop_screen()
        left: AwaitComplete = super().dismiss(result)  # type: ignore[misc]
        release_painted_widgets()
        return left


class OpaqueScreen:
    """A base for screens that fill the terminal and hide the screens below; goes before Textual's.

    Our background is the terminal's, which Textual takes for translucent, so it would paint the
    screens below. It finds them by counting painted screens, and caches the answer: two of three
    screens could each be painted below the other, endlessly.
    """

    app: App[Any]
    _was_shown = False

    def render(self) -> RenderableType:
        """Return the background."""
        return plain_background(self.app)

    def on_screen_resume(self) -> None:
        """Paint refreshed parts from now on."""
        node: Any = self
        node.call_after_refresh(self.note_shown)

    def note_shown(self) -> None:
        """The screen is painted."""
        self._was_shown = True

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Refresh, except what the first layout has just painted."""
        refreshed: Self = super().refresh(  # type: ignore[misc]
            *regions, repaint=repaint and self._was_shown, layout=layout, recompose=recompose
        )
        return refreshed


class Overlay:
    """A screen over a part of the previous screen; a base before Textual's."""

    app: App[Any]
    styles: RenderStyles

    def render(self) -> RenderableType:
        """Return the screen under this one."""
        stack: list[Any] = self.app.screen_stack
        under = stack.index(self) - 1 if self in stack else -1
        if under < 0:
            return plain_background(self.app)
        return BackgroundScreen(stack[under], self.styles.background)


def plain_background(app: Any) -> RenderableType:
    """Return the background of all screens."""
    plain: RenderableType = app.render()
    return plain


class PacedScreen(DismissOnce, OpaqueScreen, HoldableScreen[ScreenResultType]):
    """A screen that is painted only as often as the connection allows.

    Changes while the connection is busy are painted together, in their latest state.
    """

    _is_held = False
    _asking_again: Timer | None = None

    def on_idle(self) -> None:
        """Lay out the screen under a question, too: Textual lays out only the front screen."""
        front = self.app.screen
        if self.needs_layout and front is not self and not isinstance(front, OpaqueScreen):
            self.place_widgets()
            front.refresh()

    def catch_up(self) -> None:
        """Paint what was held back."""
        if self._is_held:
            self.resume_painting()

    def paint(self) -> None:
        """Paint the changes, unless the connection is busy."""
        pacer = lab_app(self).pacer
        self._is_held = self.needs_painting and not pacer.may_paint()
        if self._asking_again is not None:
            self._asking_again.stop()
            self._asking_again = None
        if self._is_held:
            self.pause_painting()
            self._asking_again = self.set_timer(pacer.seconds_to_wait, self.catch_up)
        else:
            super().paint()

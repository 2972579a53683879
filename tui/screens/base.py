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
    """What screens use of the app, besides what every app of Textual has."""

    pacer: Pacer
    """Says when the line to the terminal is free."""

    @property
    def look(self) -> Look:
        """The colours and characters that this terminal can show."""

    def explain(self, line: str = "", column: int = 0) -> None:
        """Explain the words that are shown; first that in a column of a line, if it has one."""

    def show(self, outcome: Outcome) -> None:
        """Show what came of a command over the screen in front."""

    def toggle_light(self) -> None:
        """Change between dark and light."""

    def leave(self, status: int = 0) -> None:
        """Save, and end the app with an exit status."""


def lab_app(screen: Screen[Any]) -> LabApp:
    return cast("LabApp", screen.app)


class SizedAsTerminal:
    """A screen that hears of the terminal's size only, to be named before Textual's.

    Textual's screens also tell themselves each size that they are laid out for. Such a word of a
    size before may come last, and the screen would be painted for a terminal that is no more.
    """

    app: App[Any]

    def post_message(self, message: Message) -> bool:
        """Queue a message; a size that the terminal no longer has is forgotten."""
        if isinstance(message, events.Resize) and message.size != self.app.size:
            return False
        queued: bool = super().post_message(message)  # type: ignore[misc]
        return queued


class DismissOnce(SizedAsTerminal):
    """A screen that can be left once, whatever was typed ahead; to be named before Textual's.

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
        """Paint from now on whatever is refreshed."""
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
        """As any screen's, but what the first layout has just painted is not painted again."""
        refreshed: Self = super().refresh(  # type: ignore[misc]
            *regions, repaint=repaint and self._was_shown, layout=layout, recompose=recompose
        )
        return refreshed


class Overlay:
    """A screen that fills a part, to be named before Textual's: the one under it stays seen."""

    app: App[Any]
    styles: RenderStyles

    def render(self) -> RenderableType:
        """Return the screen under this one, as it is."""
        stack: list[Any] = self.app.screen_stack
        under = stack.index(self) - 1 if self in stack else -1
        if under < 0:
            return plain_background(self.app)
        return BackgroundScreen(stack[under], self.styles.background)


def plain_background(app: Any) -> RenderableType:
    """Return what is behind all screens."""
    plain: RenderableType = app.render()
    return plain


class PacedScreen(DismissOnce, OpaqueScreen, HoldableScreen[ScreenResultType]):
    """A screen that is painted as often as the line to the terminal allows, and no oftener.

    What changes while the line is busy is painted together, in its latest state.
    """

    _is_held = False
    _asking_again: Timer | None = None

    def on_idle(self) -> None:
        """Lay out what is seen behind a question: Textual lays out the screen in front only."""
        front = self.app.screen
        if self.needs_layout and front is not self and not isinstance(front, OpaqueScreen):
            self.place_widgets()
            front.refresh()

    def catch_up(self) -> None:
        """Paint what was held back."""
        if self._is_held:
            self.resume_painting()

    def paint(self) -> None:
        """Paint what changed, unless the line is busy with what was painted before."""
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

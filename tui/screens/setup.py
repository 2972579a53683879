"""Setup: who plays, with which options, from which seed."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from learners.errors import UsageError
from learners.players.recipes import recipes
from learners.players.resolve import parse_player
from learners.rules.registry import rules
from tui.lab.modes import Settings
from tui.lab.setup import checked_settings, seed_of
from tui.screens.base import DismissOnce, OpaqueScreen
from tui.theme.look import Look


class SetupScreen(DismissOnce, OpaqueScreen, ModalScreen[Settings | None]):
    """Four lines to fill in; what is wrong, or what the player can be told, stands below.

    Args:
        settings: what stands there at first.
        look: colours and characters.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave"),
        Binding("down", "app.focus_next", "next"),
        Binding("up", "app.focus_previous", "previous"),
    ]

    def __init__(self, settings: Settings, *, look: Look) -> None:
        super().__init__()
        self._settings = settings
        self._look = look
        self.add_class(look.glyphs.name)

    def compose(self) -> ComposeResult:
        """The four lines and what is said about them."""
        text = self._look.glyphs.text
        with Vertical(id="dialog") as dialog:
            dialog.border_title = "setup"
            dialog.border_subtitle = "Enter begins a new run, Esc leaves it as it is"
            yield Label(text("X  name, or name:option=value,…"), markup=False)
            yield Input(str(self._settings.x), id="x")
            yield Label("O", markup=False)
            yield Input(str(self._settings.o), id="o")
            yield Label("seed", markup=False)
            yield Input(str(self._settings.seed), id="seed")
            yield Label("recipe  fills in X and O", markup=False)
            yield Input(placeholder=", ".join(recipes()), id="recipe")
            yield Label("", id="said", markup=False)

    def on_mount(self) -> None:
        """Stand still, at the first line."""
        for field in self.query(Input):
            field.cursor_blink = False
        for first in self.query("#x"):
            first.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say what is wrong with the line that is filled in, or what the player can be told."""
        if event.input.id == "recipe" and event.value in recipes():
            recipe = recipes()[event.value]
            self.query_one("#x", Input).value = recipe.x
            self.query_one("#o", Input).value = recipe.o
        if event.input is self.focused:
            self._say(self._told(event.input))

    def on_descendant_focus(self) -> None:
        """Say what belongs to the line that is filled in now."""
        if isinstance(self.focused, Input):
            self._say(self._told(self.focused))

    def on_input_submitted(self) -> None:
        """Begin, if all four lines will do."""
        if not self.is_active:
            return
        try:
            settings = checked_settings(
                parse_player(self.query_one("#x", Input).value),
                parse_player(self.query_one("#o", Input).value),
                seed_of(self.query_one("#seed", Input).value),
            )
        except UsageError as error:
            self._say(str(error))
            return
        self.dismiss(settings)

    def action_leave(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)

    def _say(self, text: str) -> None:
        self.query_one("#said", Label).update(self._look.glyphs.text(text))

    def _told(self, field: Input) -> str:
        try:
            if field.id == "recipe":
                return recipe_told(field.value)
            if field.id == "seed":
                seed_of(field.value)
                return "The seed of all dice: the same seed gives the same games."
            spec = parse_player(field.value)
            spec.rule.check_side(("x", "o").index(str(field.id)))
        except UsageError as error:
            return f"{error}\n\nplayers: {', '.join(rules())}"
        lines = [f"{spec.rule.name}: {spec.rule.summary}"]
        lines += [
            f"  {option.name}={option.format(spec.settings[option.name])}  {option.help}"
            for option in spec.rule.options
        ]
        return "\n".join(lines)


def recipe_told(name: str) -> str:
    """What a recipe is, or which there are."""
    recipe = recipes().get(name)
    if recipe is None:
        return "\n".join(f"{known.name}: {known.title}" for known in recipes().values())
    return (
        f"{recipe.title}, {recipe.games:,} games\n{recipe.did}\n"
        f"wrong: {recipe.wrong}\nhere: {recipe.corrected}"
    )

"""The setup: players and options chosen from lists or typed, a recipe, a seed; checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from learners.engine.dice import LARGEST_SEED
from learners.errors import UsageError
from learners.players.completion import (
    Completion,
    completions,
    neighbour,
    told_options,
    values,
)
from learners.players.recipes import Recipe, recipes
from learners.players.resolve import parse_player
from learners.rules.options import IntegerOption, Option
from learners.rules.spec import BUILT_IN, PlayerSpec, rules, runs_code
from tui.lab.list_controller import ListController
from tui.lab.modes import Settings
from tui.lab.outcomes import Close, Message, Outcome

SEED: Final = IntegerOption("seed", 0, "", 0, LARGEST_SEED)
FIELDS: Final = ("X", "O", "seed", "recipe")
"""What is set up, in the order of the rows; options stand below their player."""


@dataclass(frozen=True)
class SetupRow:
    """A row of the form: a field, or an option of the player in it."""

    field: str
    option: Option | None = None


class SetupController(ListController):
    """What is set up, under a cursor; and the line that is typed, if one is.

    Args:
        settings: what is set up at first.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            {
                "less": lambda: self.change(-1),
                "more": lambda: self.change(1),
                "other": lambda: self.next_field(1),
                "other_back": lambda: self.next_field(-1),
                "begin": self.begin,
                "back": self.back,
            }
        )
        self.specs = {"X": settings.x, "O": settings.o}
        self.seed = str(settings.seed)
        self.recipe: Recipe | None = None
        """The recipe that was chosen last."""
        self.typed: str | None = None
        """What stands in the line of the current field while it is typed."""
        self.at = 0
        """The completion that is selected."""
        self.page = 0
        """Paragraphs of a recipe's story by which it is scrolled."""
        self._set_before: dict[tuple[str, str], PlayerSpec] = {}
        """Players that were left for others, with their options, by field and name."""
        self._open = "X"
        self._top = 0
        """The first choice that is seen."""
        self.fold()

    @property
    def rows(self) -> list[SetupRow]:
        """The rows of the form; where there is no room, options of one player only."""
        rows = []
        options = {field: told_options(spec.rule) for field, spec in self.specs.items()}
        has_room = len(FIELDS) + sum(map(len, options.values())) <= self.window.height
        for field in FIELDS:
            rows.append(SetupRow(field))
            if field in options and (has_room or field == self._open):
                rows += [SetupRow(field, option) for option in options[field]]
        return rows

    @property
    def row(self) -> SetupRow:
        """The row under the cursor."""
        return self.rows[self.window.cursor]

    def fold(self, row: SetupRow | None = None) -> None:
        """Show the options of the player under the cursor, which is put on a row, or stays."""
        row = row or self.row
        if row.field in self.specs:
            self._open = row.field
        rows = self.rows
        self.window.hold(len(rows))
        self.window.go_to(rows.index(row) if row in rows else rows.index(SetupRow(row.field)))

    def perform(self, name: str, key: str = "") -> Outcome:
        """Do what a command asks for; a line that is typed has its own use for some."""
        self.note = ""
        if self.typed is not None and name in ("up", "down"):
            self.at += 1 if name == "down" else -1
            self.at = min(max(self.at, 0), max(0, len(self.completions) - 1))
            return None
        if self.typed is not None and name == "other":
            self.complete()
            return None
        if name not in ("begin", "back"):
            self.take_typed()
        outcome = super().perform(name, key)
        if name not in ("less", "more"):
            self.fold()
        return outcome

    def resize(self, rows: int) -> None:
        """There is room for so many rows."""
        row = self.row
        self.window.resize(rows)
        self.window.hold(len(self.rows))
        self.window.go_to(self.rows.index(row) if row in self.rows else 0)

    def turn(self, pages: int) -> None:
        """Turn the page of a story, or of the form."""
        if self.row.field == "recipe":
            self.page = min(max(self.page + pages, 0), 3)
        else:
            super().turn(pages)

    def choose(self, row: int) -> None:
        """Put the cursor on a row of those that are seen."""
        self.take_typed()
        super().choose(row)
        self.fold()

    def next_field(self, by: int) -> Outcome:
        """Go to the next field, or to the one before."""
        field = FIELDS[(FIELDS.index(self.row.field) + by) % len(FIELDS)]
        self.go_to_field(field)
        return None

    def go_to_field(self, field: str) -> None:
        """Put the cursor on a field."""
        self.window.go_to(self.rows.index(SetupRow(field)))
        self.fold()

    def change(self, by: int) -> Outcome:
        """Take the next value of the row under the cursor, or the one before."""
        row = self.row
        if row.option is not None:
            spec = self.specs[row.field]
            value = neighbour(row.option, spec.settings[row.option.name], by)
            self.specs[row.field] = with_value(spec, row.option, value)
        elif row.field == "seed":
            self.seed = str(min(max(seed_of(self.seed) + by, 0), LARGEST_SEED))
        elif row.field == "recipe":
            name = self.recipe.name if self.recipe else ""
            self.take_recipe(next_of(list(recipes()), name, by))
        else:
            self.take_player(next_of(list(BUILT_IN), self.specs[row.field].rule.name, by))
        self.fold(row)
        return None

    def take_player(self, name: str) -> None:
        """Let a built-in player play the current field, as it was when it was left."""
        field, spec = self.row.field, self.specs[self.row.field]
        self._set_before[field, spec.rule.name] = spec
        self.specs[field] = self._set_before.get((field, name)) or PlayerSpec(rules()[name])

    def take_recipe(self, name: str) -> None:
        """Fill in the players of a recipe."""
        self.recipe, self.page = recipes()[name], 0
        self.specs["X"], self.specs["O"] = self.recipe.players

    @property
    def choices(self) -> tuple[tuple[Completion, ...], int | None]:
        """What the current row may become, and the number of what it is."""
        row = self.row
        if self.typed is not None:
            return self.completions, self.at if self.completions else None
        if row.option is not None:
            offered = values(row.option)
            texts = tuple(Completion(text, text, "") for text in offered)
            value = row.option.format(self.specs[row.field].settings[row.option.name])
            return texts, number_of(offered, value)
        if row.field == "recipe":
            found = recipes().values()
            texts = tuple(Completion(one.name, one.name, one.title) for one in found)
            return texts, number_of(list(recipes()), self.recipe.name if self.recipe else "")
        if row.field == "seed":
            return (), None
        return completions(""), number_of(list(BUILT_IN), self.specs[row.field].rule.name)

    def choices_seen(self, rows: int) -> slice:
        """The choices for which there is room, around what the current row is."""
        choices, at = self.choices
        self._top = max(0, min((at or 0) - rows // 2, len(choices) - rows))
        return slice(self._top, self._top + rows)

    def choose_value(self, row_seen: int) -> None:
        """Take one of the choices, by its row of those that are seen."""
        row, (choices, _) = self.row, self.choices
        number = self._top + row_seen
        if not 0 <= number < len(choices):
            return
        text = choices[number].text
        if self.typed is not None:
            self.at = number
            self.complete()
        elif row.option is not None:
            value = row.option.parse(text)
            self.specs[row.field] = with_value(self.specs[row.field], row.option, value)
        elif row.field == "recipe":
            self.take_recipe(text)
        else:
            self.take_player(text)
        if self.typed is None:
            self.fold(row)

    @property
    def completions(self) -> tuple[Completion, ...]:
        """What the typed line may go on with."""
        return completions(self.typed or "") if self.row.field in self.specs else ()

    def text_of(self, field: str) -> str:
        """What stands in the line of a field."""
        if self.typed is not None and field == self.row.field:
            return self.typed
        return self.seed if field == "seed" else str(self.specs[field])

    def start_typing(self, character: str) -> bool:
        """Begin to type a line at the current row; whether the row has one."""
        row = self.row
        if row.field == "recipe":
            self._jump_to_recipe(character)
            return False
        if row.field == "seed":
            self.type(character)
            return True
        spec = self.specs[row.field]
        if row.option is not None:
            name = row.option.name
            without = with_value(spec, row.option, row.option.default)
            self.type(f"{without}{',' if without.given else ':'}{name}={character}")
        elif character in ":,":
            self.type(f"{spec}{',' if spec.given else ':'}")
        else:
            self.type(character)
        return True

    def _jump_to_recipe(self, character: str) -> None:
        names = list(recipes())
        start = names.index(self.recipe.name) + 1 if self.recipe else 0
        for name in (*names[start:], *names[:start]):
            if name.startswith(character.lower()):
                row = self.row
                self.take_recipe(name)
                self.fold(row)
                return

    def type(self, text: str) -> None:
        """Take what stands in the line now; what it says is set up as soon as it is right.

        A file with code is not opened before it is named to the end: Tab, Enter or a row says so.
        """
        if text != self.typed:
            self.at = 0
        self.typed, self.note = text, ""
        if self.row.field in self.specs and runs_code(text):
            return
        error = self._take(text)
        if error and not self.completions:
            self.note = error

    def _take(self, text: str) -> str:
        """Set up what a text says; what is wrong with it."""
        field = self.row.field
        try:
            if field == "seed":
                self.seed = str(seed_of(text))
            else:
                spec = parse_player(text)
                spec.rule.check_side(FIELDS.index(field))
                row = self.row
                self.specs[field] = spec
                self.fold(row)  # an option that the player has not is left
        except UsageError as error:
            return str(error).partition(" (players:")[0]  # they are listed beside it
        return ""

    def complete(self) -> None:
        """Go on with the typed line as far as it is sure, then by what is selected."""
        offered, text = self.completions, self.typed or ""
        if not offered:
            self.note = self._take(text)
            return
        common = offered[0].text
        for other in offered[1:]:
            while not other.text.startswith(common):
                common = common[:-1]
        chosen = offered[self.at].text
        if len(common) > len(text):
            text = common
        elif chosen != text:
            text = chosen
        elif ":" not in text and told_options(self.specs[self.row.field].rule):
            text += ":"
        elif "=" in text:
            text += ","
        self.type(text)

    def take_typed(self) -> str:
        """Be done with typing; what is wrong with the line, which then changes nothing.

        A name that is not typed to its end stands for the one that is selected.
        """
        if self.typed is None:
            return ""
        offered, text = self.completions, self.typed
        error = self._take(text)
        if error and offered and not self._take(offered[self.at].text):
            error = ""
        self.typed, self.at = None, 0
        return error

    def back(self) -> Outcome:
        """Leave the line that is typed; without one, the setup."""
        if self.typed is None:
            return Close(None)
        self.typed, self.at = None, 0
        return None

    def begin(self) -> Outcome:
        """Begin a run with what is set up."""
        typed = self.typed
        if error := self.take_typed():
            self.type(typed or "")
            return Message(error)
        try:
            return Close(checked_settings(self.specs["X"], self.specs["O"], seed_of(self.seed)))
        except UsageError as error:
            return Message(str(error))


def next_of(names: Sequence[str], name: str, by: int) -> str:
    """The name after another one, or before it, and so round; from none, the first or the last."""
    at = number_of(names, name)
    start = -1 if by > 0 else 0
    return names[((start if at is None else at) + by) % len(names)]


def number_of(names: Sequence[str], name: str) -> int | None:
    """Where a name stands among others; None where it does not."""
    return names.index(name) if name in names else None


def with_value(spec: PlayerSpec, option: Option, value: object) -> PlayerSpec:
    """The player with a value of an option; the usual one need not be told."""
    spec = spec.with_setting(option.name, value)
    if value != option.default:
        return spec
    return PlayerSpec(spec.rule, tuple(pair for pair in spec.given if pair[0] != option.name))


def seed_of(text: str) -> int:
    """The seed that a user typed.

    Raises:
        UsageError: it is no whole number from 0 to the largest seed.
    """
    return SEED.parse(text.strip())


def checked_settings(x: PlayerSpec, o: PlayerSpec, seed: int) -> Settings:
    """The settings of a new run in which somebody learns.

    Raises:
        UsageError: two humans play, or a player cannot play its side.
    """
    if x.rule.human and o.rule.human:
        raise UsageError("two people need no learner; play --plain --x human --o human is for them")
    return Settings(x, o, seed)

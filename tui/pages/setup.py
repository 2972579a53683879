"""Setup: who plays, with which options, from which seed; chosen from lists, or typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.completion import (
    Completion,
    completions,
    neighbour,
    told_options,
    values,
)
from afterstate_lab.learners.players.recipes import Recipe, find_recipe, recipes
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.options import IntegerOption, Option
from afterstate_lab.learners.rules.spec import BUILT_IN, PlayerSpec, rules, runs_code
from afterstate_lab.tui.blocks.block import NO_END, Beside, Stack, Window
from afterstate_lab.tui.blocks.speech import spoken
from afterstate_lab.tui.blocks.table import Cell, Column, Table
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.pages.page import Key, Leave, Opened, Page, Typing
from afterstate_lab.tui.theme.numerals import NONE
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

SEED = IntegerOption("seed", 0, "", 0, LARGEST_SEED)
FIELDS = ("X", "O", "seed", "recipe")
CHOICES = 46
"""The least columns of what a row may become."""
FILES = "or type a file or museum:NAME"
SEED_SAYS = "The seed of all dice: the same seed gives the same games, bit by bit."
USE = "players x SPEC, players o SPEC, players SPEC SPEC or players seed N begins a new run"
RECIPE_SAYS = "← → fill in the players of one of the documents, its mistakes corrected."


COLUMNS = (
    Column("option", 13, role="dim"),
    Column("value", 15, say="is {}"),
    Column("range", 27, 1, say="({})", role="dim"),
    Column("meaning", 60, 2, say="", grows=True, role="dim"),
)


class Row(NamedTuple):
    """A row of the form: a field, or an option of the player in it."""

    field: str
    option: Option | None = None


class Setup:
    """What is set up, and the line that is typed, if one is."""

    def __init__(self, settings: Settings) -> None:
        self.specs = {"X": settings.x, "O": settings.o}
        self.seed = str(settings.seed)
        self.recipe: Recipe | None = None
        self.typed: str | None = None
        self.field = "X"
        """Whose options are shown."""
        self.list, self.offered = Window(), Window()
        self.note = ""
        self._left: dict[tuple[str, str], PlayerSpec] = {}
        """Players that were left for others, with their options, by field and name."""

    @property
    def rows(self) -> list[Row]:
        """The fields, and the options of the player whose field is open."""
        found = [Row(field) for field in FIELDS]
        if self.field in self.specs:
            at = FIELDS.index(self.field) + 1
            options = told_options(self.specs[self.field].rule)
            found[at:at] = [Row(self.field, option) for option in options]
        return found

    @property
    def row(self) -> Row:
        """The row under the cursor; its field opens."""
        rows = self.rows
        row = rows[min(self.list.cursor, len(rows) - 1)]
        if row.field != self.field:
            self.go_to(row)
        return row

    def go_to(self, row: Row) -> None:
        self.field = row.field
        rows = self.rows
        self.list.cursor = rows.index(row if row in rows else Row(row.field))

    # what can be asked for

    def next_field(self, by: int) -> None:
        self.go_to(Row(FIELDS[(FIELDS.index(self.row.field) + by) % len(FIELDS)]))

    def change(self, by: int) -> None:
        """Take the next value of the row under the cursor, or the one before."""
        field, option = self.row
        if option is not None:
            value = self.specs[field].settings[option.name]
            self.set(option.format(neighbour(option, value, by)))
        elif field == "seed":
            self.set(str(min(max(int(self.seed) + by, 0), SEED.high)))
        elif field == "recipe":
            self.set(next_of(list(recipes()), self.recipe.name if self.recipe else "", by))
        else:
            self.set(next_of(list(BUILT_IN), self.specs[field].rule.name, by))

    def choose(self, number: int) -> None:
        """Take one of the choices."""
        text = self.choices()[0][number].text
        if self.typed is not None:
            self.type(text)
        else:
            self.set(text)

    def set(self, text: str) -> None:
        """What the current row is from now on, in words: `q:alpha=.2`, `.3`, a recipe.

        A built-in player plays as it was when it was left.
        """
        row = field, option = self.row
        self.note = ""
        if option is not None:
            self.specs[field] = with_value(self.specs[field], option, option.parse(text))
        elif field == "recipe":
            self.recipe = find_recipe(text)
            self.specs["X"], self.specs["O"] = self.recipe.players
        elif field in self.specs and text in BUILT_IN:
            spec = self.specs[field]
            self._left[field, spec.rule.name] = spec
            self.specs[field] = self._left.get((field, text)) or PlayerSpec(rules()[text])
        else:
            self._take(text)
        self.go_to(row)

    def begin(self) -> Leave:
        """Begin a run with what is set up."""
        if self.typed is not None:
            self.take_typed()
        return Leave(checked_settings(self.specs["X"], self.specs["O"], int(self.seed)))

    def back(self) -> Leave | None:
        """Leave the line that is typed; without one, the setup."""
        if self.typed is None:
            return Leave()
        self.typed, self.note = None, ""
        return None

    # the line that is typed

    def start_typing(self, character: str) -> None:
        """Begin to type a line at the current row."""
        field, option = self.row
        if field == "recipe":
            self._jump_to_recipe(character)
        elif field == "seed":
            self.type(character)
        elif option is not None:
            spec = with_value(self.specs[field], option, option.default)
            self.type(f"{spec}{',' if spec.given else ':'}{option.name}={character}")
        elif character in ":,":
            spec = self.specs[field]
            self.type(f"{spec}{',' if spec.given else ':'}")
        else:
            self.type(character)

    def _jump_to_recipe(self, character: str) -> None:
        names = list(recipes())
        start = names.index(self.recipe.name) + 1 if self.recipe else 0
        found = (name for name in (*names[start:], *names[:start]) if name.startswith(character))
        if name := next(found, ""):
            self.set(name)

    def type(self, text: str) -> None:
        """Take what stands in the line; what it says is set up as soon as it is right.

        A file with code is not opened before it is named to the end: Tab or Enter says so.
        """
        if text != self.typed:
            self.offered.cursor = 0
        self.typed, self.note = text, ""
        if self.row.field in self.specs and runs_code(text):
            return
        try:
            self._take(text)
        except UsageError as error:
            if not self.completions:
                self.note = str(error).partition(" (players:")[0]

    def _take(self, text: str) -> None:
        """Set up what a text says."""
        row = self.row
        if row.field == "seed":
            self.seed = str(SEED.parse(text.strip()))
            return
        spec = parse_player(text)
        spec.rule.check_side(FIELDS.index(row.field))
        self.specs[row.field] = spec
        self.go_to(row)

    @property
    def completions(self) -> tuple[Completion, ...]:
        """What the typed line may go on with."""
        return completions(self.typed or "") if self.row.field in self.specs else ()

    def complete(self) -> None:
        """Go on with the typed line as far as it is sure, then by what is selected."""
        offered, text = self.completions, self.typed or ""
        if not offered:
            return self._take(text)
        common = shared_beginning([one.text for one in offered])
        chosen = offered[min(self.offered.cursor, len(offered) - 1)].text
        if len(common) > len(text):
            text = common
        elif chosen != text:
            text = chosen
        elif ":" not in text and told_options(self.specs[self.row.field].rule):
            text += ":"
        elif "=" in text:
            text += ","
        return self.type(text)

    def take_typed(self) -> None:
        """Be done with typing; a name that is not at its end stands for the selected one."""
        offered, text = self.completions, self.typed or ""
        try:
            self._take(text)
        except UsageError:
            if not offered:
                raise
            self._take(offered[self.offered.cursor].text)
        self.typed = None

    def choices(self) -> tuple[Sequence[Completion], int | None]:
        """Return what the current row may become, and the number of what it is."""
        field, option = self.row
        if self.typed is not None:
            return self.completions, self.offered.cursor
        if field == "seed":
            return (), None
        if option is not None:
            now = option.format(self.specs[field].settings[option.name])
            offered: Sequence[Completion] = [Completion(one, one, "") for one in values(option)]
        elif field == "recipe":
            now = self.recipe.name if self.recipe else ""
            offered = [Completion(one.name, one.name, one.title) for one in recipes().values()]
        else:
            now, offered = self.specs[field].rule.name, completions("")
        return offered, next((n for n, one in enumerate(offered) if one.text == now), None)

    # what is shown

    def page(self) -> Page:
        row = self.row
        parts = self.table(), self.about()
        return Page(
            "SETUP",
            Beside((
                Table(COLUMNS, self.rows, self.cells, self.list, title="setup", least_columns=33),
                Stack(parts[::-1] if row.field == "recipe" else parts),
            )),
            title=(("X", str(self.specs["X"])), ("O", str(self.specs["O"]))),
            note=sentence(self.note) if self.note else "",
            keys=self.keys(),
            typing=Typing(row.field, self.typed or "", self.typed is not None,
                          self.start_typing, self.type),
        )  # fmt: skip

    def keys(self) -> tuple[Key, ...]:
        begin = Key("enter", "begin", self.begin, "begin a new run")
        back = Key("escape", "back", self.back, "leave the typed line, then the setup")
        if self.typed is not None:
            return (
                Key("tab", "complete", self.complete, "as far as it is sure"),
                Key("up", "", lambda: self.offered.move(-1), "the choice above"),
                Key("down", "", lambda: self.offered.move(1), "the choice below"),
                begin, back,
            )  # fmt: skip
        return (
            Key("right", "change", lambda: self.change(1), "the next value, the next player"),
            Key("left", "", lambda: self.change(-1), "the value before"),
            Key("tab", "next", lambda: self.next_field(1), "to O, the seed, a recipe"),
            Key("shift+tab", "", lambda: self.next_field(-1), "back to the one before"),
            Key("", "set", self.set, "what the row is from now on", "a value", hidden=True),
            begin, back,
        )  # fmt: skip

    def cells(self, row: Row) -> tuple[Cell | Words, ...]:
        """Return a field or an option: what it is now, and what it may be."""
        field, option = row
        if option is not None:
            value = option.format(self.specs[field].settings[option.name])
            role = "text" if value == default_of(option) else "strong"
            name = Cell(((f"  {option.name}", "dim"),), f"{field}'s {spoken(option.name)}")
            return name, ((value, role),), short_range(option), option.help
        if field == "seed":
            return "seed", ((self.seed, "strong"),), "", ""
        if field == "recipe":
            recipe, title = (self.recipe.name, self.recipe.title) if self.recipe else (NONE, "")
            return "recipe", ((recipe, "strong"),), title, ""
        rule, role = self.specs[field].rule, f"{field.lower()}_strong"
        return ((field, role),), ((rule.name, role),), "", rule.summary

    def table(self) -> Table:
        """Return what the current row may become."""
        row, (choices, at) = self.row, self.choices()
        name = row.option.name if row.option else row.field
        self.offered.count = len(choices)
        wide = min(16, max((len(one.label) for one in choices), default=16))
        what = "" if row.option else "what it is"
        columns = Column("", wide), Column(what, 12, 1, grows=True, role="dim")
        return Table(
            columns, choices, lambda one: (one.label, one.says),
            None if at is None else Window(at), chosen=self.choose, least_columns=CHOICES,
            title=f"{name}: Tab completes" if self.typed is not None else name,
            footer=FILES if row.field in self.specs and row.option is None else "",
            message=SEED_SAYS if row.field == "seed" else "",
        )  # fmt: skip

    def about(self) -> Text:
        """Return what the current row means."""
        field, option = self.row
        if option is not None:
            said: list[Words] = [option.help, f"{option.range}; usually {default_of(option)}"]
            if option.source:
                book = "Sutton & Barto, section " if option.source[0].isdigit() else ""
                said.append(((f"{book}{option.source}", "dim"),))
            return Text(said, title=option.name, rank=-1, least=5)
        if field == "seed":
            return Text((SEED_SAYS,), title="seed", rank=-1)
        if field == "recipe":
            return Text(story(self.recipe), title="recipe", least=NO_END, rank=-1)
        rule = self.specs[field].rule
        said = [rule.summary]
        if str(rule.equation):
            said.append(((rule.equation.spelled or rule.equation.symbols, "strong"),))
        more = [rule.source] * bool(rule.source) + ["It does not learn."] * (not rule.learns)
        said += [((one, "dim"),) for one in more]
        return Text(said, title=rule.name, rank=-1, least=5)


def default_of(option: Option) -> str:
    return option.format(option.default)


def shared_beginning(texts: list[str]) -> str:
    common = texts[0]
    while not all(text.startswith(common) for text in texts):
        common = common[:-1]
    return common


def short_range(option: Option) -> str:
    """Return the range, without what the text beside it says at length."""
    return option.range.partition(" (")[0].removeprefix("a whole number from ")


def story(recipe: Recipe | None) -> tuple[Words, ...]:
    if recipe is None:
        return (RECIPE_SAYS,)
    return (
        ((recipe.title, "strong"), (f", {recipe.games:,} games: train that many", "dim")),
        recipe.did,
        (("wrong: ", "key"), (recipe.wrong, "text")),
        (("here: ", "key"), (recipe.corrected, "text")),
    )


def next_of(names: Sequence[str], name: str, by: int) -> str:
    """The name after another one, or before it, and so round; from none, the first or the last."""
    start = -1 if by > 0 else 0
    return names[((names.index(name) if name in names else start) + by) % len(names)]


def with_value(spec: PlayerSpec, option: Option, value: object) -> PlayerSpec:
    """Return the player with a value of an option; the usual one need not be told."""
    spec = spec.with_setting(option.name, value)
    if value != option.default:
        return spec
    return PlayerSpec(spec.rule, tuple(pair for pair in spec.given if pair[0] != option.name))


def checked_settings(x: PlayerSpec, o: PlayerSpec, seed: int) -> Settings:
    """Return the settings of a new run in which somebody learns."""
    if x.rule.human and o.rule.human:
        raise UsageError("two people need no learner; play --plain --x human --o human is for them")
    return Settings(x, o, seed)


def settings_in(text: str, now: Settings) -> Settings:
    """What a line of plain mode sets up: `x td:alpha=.2`, `td q`, `seed 7`, `recipe menace`."""
    x, o, seed = now.x, now.o, now.seed
    first, _, rest = text.partition(" ")
    if first in ("x", "X") and rest:
        x = parse_player(rest)
    elif first in ("o", "O") and rest:
        o = parse_player(rest)
    elif first == "seed":
        seed = SEED.parse(rest.strip())
    elif first == "recipe":
        x, o = find_recipe(rest).players
    elif rest and " " not in rest:
        x, o = parse_player(first), parse_player(rest)
    else:
        raise UsageError(f"{shown(text)} is not a choice of players: {USE}")
    return checked_settings(x, o, seed)


def rule_lines(name: str) -> list[str]:
    """What a player is, and its options, in sentences; nothing where there is no such player."""
    rule = rules().get(name)
    if rule is None:
        return []
    told = [f"{one.name}={default_of(one)}: {spoken(one.help)}" for one in rule.options]
    return [f"{name}: {sentence(spoken(rule.summary))}", *told]


def open_on(lab: LabController, data: Settings, text: str) -> Opened:
    return Setup(data).page, lab.set_up

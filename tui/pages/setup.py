"""Setup: the players, their options and the seed, chosen from lists or typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from os.path import commonprefix
from typing import NamedTuple

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.completion import (
    Completion,
    completions,
    is_own,
    neighbour,
    told_options,
    values,
)
from afterstate_lab.learners.players.recipes import find_recipe
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.options import IntegerOption, Option
from afterstate_lab.learners.rules.spec import BUILT_IN, PlayerSpec, rules, runs_code
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import short_name
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Work, sentence
from afterstate_lab.tui.lab.state import R, reading
from afterstate_lab.tui.pages.page import Key, Leave, Opened, Page, Typing

SEED = IntegerOption("seed", 0, "", 0, LARGEST_SEED)
FIRST = ("alpha", "epsilon")
"""The options shown at first."""
CHOICES = 46
"""Minimum columns of the choices."""
FILES = "or type a file or museum:NAME"
USE = "players x SPEC, players o SPEC, players SPEC SPEC or players seed N begins a new run"
SAYS = {
    "seed": "The same seed gives the same games, bit by bit.",
    "more": "→ shows every option. :recipe finds the players of published documents.",
}
"""Descriptions of the rows that are not players."""
COLUMNS = (
    Column("option", 13, role="dim"),
    Column("value", 15, say="is {}"),
)


class Row(NamedTuple):
    """A row of the form: a field, or an option of the player in it."""

    field: str
    option: Option | None = None


class Setup:
    """The settings, and the typed line, if any."""

    def __init__(self, settings: Settings) -> None:
        self.specs = {"X": settings.x, "O": settings.o}
        self.seed = str(settings.seed)
        self.typed: str | None = None
        self.is_full = False
        """Whether every option is shown."""
        self.list, self.offered = Window(), Window()
        self.note = ""
        self._left: dict[tuple[str, str], PlayerSpec] = {}
        """Earlier players with their options, by field and name."""

    @property
    def settings(self) -> Settings:
        """The settings of a new run in which somebody learns."""
        x, o = self.specs.values()
        if x.rule.human and o.rule.human:
            told = "two people need no learner; play --plain --x human --o human is for them"
            raise UsageError(told)
        return Settings(x, o, int(self.seed))

    @property
    def fields(self) -> tuple[str, ...]:
        return ("X", "O", "seed", *["more"] * (not self.is_full))

    @property
    def rows(self) -> list[Row]:
        """The fields, and after each player its options."""
        return [row for field in self.fields for row in (Row(field), *self.options(field))]

    def options(self, field: str) -> Sequence[Row]:
        """Return the rows of a player's options."""
        told = told_options(self.specs[field].rule) if field in self.specs else ()
        return [Row(field, one) for one in told if self.is_full or one.name in FIRST or is_own(one)]

    @property
    def row(self) -> Row:
        """The row under the cursor."""
        rows = self.rows
        return rows[min(self.list.cursor, len(rows) - 1)]

    def go_to(self, row: Row) -> None:
        rows = self.rows
        self.list.cursor = rows.index(row if row in rows else Row(row.field))

    def show_all(self) -> None:
        self.is_full = True
        self.go_to(Row("X"))

    # what can be asked for

    def next_field(self, by: int) -> None:
        at = self.fields.index(self.row.field) + by
        self.go_to(Row(self.fields[at % len(self.fields)]))

    def change(self, by: int) -> None:
        """Take the next or previous value of the row under the cursor."""
        (field, option), (offered, at) = self.row, self.choices()
        if field == "more":
            self.show_all()
        elif option is not None:
            value = self.specs[field].settings[option.name]
            self.set(option.format(neighbour(option, value, by)))
        elif field == "seed":
            self.set(str(min(max(int(self.seed) + by, 0), SEED.high)))
        else:
            start = -1 if by > 0 else 0
            self.set(offered[((start if at is None else at) + by) % len(offered)].text)

    def choose(self, text: str) -> None:
        take = self.set if self.typed is None else self.type
        take(text)

    def set(self, text: str) -> None:
        """Set the current row from text: `q:alpha=.2`, `.3`.

        A built-in player gets the options that it had before.
        """
        row = field, option = self.row
        self.note = ""
        if option is not None:
            self.specs[field] = with_value(self.specs[field], option, option.parse(text))
        elif field in self.specs and text in BUILT_IN:
            spec = self.specs[field]
            self._left[field, spec.rule.name] = spec
            self.specs[field] = self._left.get((field, text)) or PlayerSpec(rules()[text])
        else:
            self.fill(field, text)
        self.go_to(row)

    def fill(self, field: str, text: str) -> None:
        """Set a field from a text."""
        row = self.row
        if field == "seed":
            self.seed = str(SEED.parse(text.strip()))
        elif field in self.specs:
            spec = parse_player(text)
            spec.rule.check_side("XO".index(field))
            self.specs[field] = spec
        else:
            raise UsageError("choose a player, an option or the seed")
        self.go_to(row)

    def begin(self) -> Leave | Work:
        """Start a run with these settings; an incomplete typed name becomes the selected one."""
        return self.known(self.leave)

    def known(self, then: Callable[[], R]) -> R | Work:
        """Do this once the file of the typed line has run in the background."""
        return reading([self.typed or ""] * (self.row.field in self.specs), then)

    def leave(self) -> Leave:
        if self.typed is not None:
            offered = self.completions
            try:
                self.fill(self.row.field, self.typed)
            except UsageError:
                if not offered:
                    raise
                self.fill(self.row.field, offered[self.offered.cursor].text)
            self.typed = None
        return Leave(self.settings)

    def back(self) -> Leave | None:
        """Leave the typed line, or the page."""
        if self.typed is None:
            return Leave()
        self.typed, self.note = None, ""
        return None

    # the line that is typed

    def start_typing(self, character: str) -> None:
        """Begin to type a line at the current row."""
        if self.row.field == "more":
            self.show_all()
        field, option = self.row
        spec = self.specs.get(field)
        if spec is not None and (option is not None or character in ":,"):
            spec = spec if option is None else with_value(spec, option, option.default)
            own = "" if option is None else f"{option.name}={character}"
            character = f"{spec}{',' if spec.given else ':'}{own}"
        self.type(character)

    def type(self, text: str) -> None:
        """Take the typed text; it applies as soon as it is valid.

        A file with code is opened only after Tab or Enter.
        """
        if text != self.typed:
            self.offered.cursor = 0
        self.typed, self.note = text, ""
        if self.row.field in self.specs and runs_code(text):
            return
        try:
            self.fill(self.row.field, text)
        except UsageError as error:
            if not self.completions:
                self.note = str(error).partition(" (players:")[0]

    @property
    def completions(self) -> Sequence[Completion]:
        """What the line may become; without one, what the row may."""
        return completions(self.typed or "") if self.row.field in self.specs else ()

    def complete(self) -> None:
        """Complete the typed line as far as it is unique, then by the selection."""
        offered, text, field = self.completions, self.typed or "", self.row.field
        if not offered:
            return self.fill(self.row.field, text)
        common = commonprefix([one.text for one in offered])  # noqa: RUF071
        chosen = offered[min(self.offered.cursor, len(offered) - 1)].text
        if len(common) > len(text):
            text = common
        elif chosen != text:
            text = chosen
        elif field in self.specs and ":" not in text and told_options(self.specs[field].rule):
            text += ":"
        elif "=" in text:
            text += ","
        return self.type(text)

    def choices(self) -> tuple[Sequence[Completion], int | None]:
        """Return the choices of the current row, and the index of its value."""
        (field, option), offered = self.row, self.completions
        if self.typed is not None:
            return offered, self.offered.cursor
        now = ""
        if option is not None:
            now = option.format(self.specs[field].settings[option.name])
            offered = [Completion(one, one, "") for one in values(option)]
        elif field in self.specs:
            now = self.specs[field].rule.name
        return offered, next((n for n, one in enumerate(offered) if one.text == now), None)

    # what is shown

    def page(self) -> Page:
        row = self.row
        form = Table(COLUMNS, self.rows, self.cells, self.list, title="setup", least_columns=33)
        parts = (self.table(), self.about())[row.field in ("seed", "more") :]
        return Page(
            "SETUP",
            Beside((form, Stack(parts))),
            title=tuple((field, str(spec)) for field, spec in self.specs.items()),
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
                Key("tab", "complete", partial(self.known, self.complete), "as far as it is sure"),
                Key("up", "", lambda: self.offered.move(-1), "the previous choice"),
                Key("down", "", lambda: self.offered.move(1), "the next choice"),
                begin, back,
            )  # fmt: skip
        return (
            Key("right", "change", lambda: self.change(1), "the next value, the next player"),
            Key("left", "", lambda: self.change(-1), "the previous value"),
            Key("tab", "next", lambda: self.next_field(1), "to O, the seed, X"),
            Key("shift+tab", "", lambda: self.next_field(-1), "back to the previous field"),
            Key("", "set", self.set, "set the row's value", "a value", hidden=True),
            begin, back,
        )  # fmt: skip

    def told(self, row: Row) -> tuple[Cell | Words, Words, list[Words]]:
        """Return the name of a row, its value, and what that means, the shortest first."""
        field, option = row
        if option is not None:
            value, usual = self.specs[field].settings[option.name], option.default
            now, usual = option.format(value), option.format(usual)
            name = Cell(((f"  {option.name}", "dim"),), f"{field}'s {spoken(option.name)}")
            book = "Sutton & Barto, section " * option.source[:1].isdigit()
            source = ((f"{book}{option.source}", "dim"),)
            said: list[Words] = [option.help, f"{option.range}; usually {usual}", source]
            return name, ((now, "text" if now == usual else "strong"),), said
        if field in self.specs:
            rule, role = self.specs[field].rule, f"{field.lower()}_strong"
            equation = ((rule.equation.spelled or rule.equation.symbols, "strong"),)
            said = [rule.summary, equation if str(rule.equation) else "", ((rule.source, "dim"),)]
            said += [(("It does not learn.", "dim"),)] * (not rule.learns)
            return ((field, role),), ((short_name(rule.name), role),), said
        is_seed = field == "seed"
        value, role = (self.seed, "strong") if is_seed else ("every option", "dim")
        return field, ((value, role),), [SAYS[field]]

    def cells(self, row: Row) -> tuple[Cell | Words, ...]:
        return self.told(row)[:2]

    def table(self) -> Table:
        row, (choices, at) = self.row, self.choices()
        name = row.option.name if row.option else row.field
        self.offered.count = len(choices)
        wide = min(18, max((len(one.label) for one in choices), default=18))
        return Table(
            (Column("", wide),
             Column("" if row.option else "what it is", 12, 1, grows=True, role="dim",
                    ends_early=True)),
            choices, lambda one: (one.label, one.says),
            None if at is None else Window(at), least_columns=CHOICES,
            clicked=lambda row: self.choose(choices[row].text),
            title=f"{name}: Tab completes" if self.typed is not None else name,
            footer=FILES if row.field in self.specs and row.option is None else "",
        )  # fmt: skip

    def about(self) -> Text:
        (field, option), (_, now, said) = self.row, self.told(self.row)
        title = option.name if option else joined(now) if field in self.specs else field
        return Text([words for words in said if joined(words)], title=title, rank=-1,
                    least=5, least_columns=CHOICES)  # fmt: skip


def with_value(spec: PlayerSpec, option: Option, value: object) -> PlayerSpec:
    """Return the player with a value of an option; defaults are omitted."""
    spec = spec.with_setting(option.name, value)
    if value != option.default:
        return spec
    return PlayerSpec(spec.rule, tuple(pair for pair in spec.given if pair[0] != option.name))


def settings_in(text: str, now: Settings) -> Settings:
    """Return the settings of a line: `x td:alpha=.2`, `td q`, `seed 7`, `recipe menace`."""
    made = Setup(now)
    first, _, rest = text.partition(" ")
    field = first.upper() if first in "xo" else first
    if field == "recipe":
        recipe = find_recipe(rest)
        return Settings(*recipe.players, recipe.seed)
    if field == "seed" or (rest and field in made.specs):
        made.fill(field, rest)
    elif rest and " " not in rest:
        made.fill("X", first)
        made.fill("O", rest)
    else:
        raise UsageError(f"{shown(text)} is not a choice of players: {USE}")
    return made.settings


def rule_lines(name: str) -> list[str]:
    """Return a player and its options in sentences; empty for an unknown player."""
    rule = rules().get(name)
    if rule is None:
        return []
    told = [f"{one.name}={one.format(one.default)}: {spoken(one.help)}" for one in rule.options]
    return [f"{name}: {sentence(spoken(rule.summary))}", *told]


def open_on(lab: LabController, data: Settings, text: str) -> Opened:
    return Setup(data).page, lambda settings: Leave(lab.set_up(settings))

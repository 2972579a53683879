"""Setup: the players, their options and the seed, chosen from lists or typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.completion import is_own, neighbour, told_options, values
from afterstate_lab.learners.players.recipes import find_recipe
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.options import IntegerOption, Option
from afterstate_lab.learners.rules.spec import BUILT_IN, PlayerSpec, rules
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.lists import Cell, Column, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.speech import joined, spoken
from afterstate_lab.tui.blocks.text import Text
from afterstate_lab.tui.lab.controller import LabController, reading
from afterstate_lab.tui.lab.labels import short_name
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.lab.outcomes import Work, sentence
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page

SEED = IntegerOption("seed", 0, "", 0, LARGEST_SEED)
FIRST = ("alpha", "epsilon")
"""The options shown at first."""
CHOICES = 46
"""Minimum columns of the choices."""
FILES = "or / for a file or museum:NAME"
ANY = "td:alpha=.2, agent.py:move, policy.npz or museum:NAME"
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
    """The settings that are chosen."""

    def __init__(self, settings: Settings) -> None:
        self.specs = {"X": settings.x, "O": settings.o}
        self.seed = str(settings.seed)
        self.is_full = False
        """Whether every option is shown."""
        self.list = Window()
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
            self.set(offered[((start if at is None else at) + by) % len(offered)][0])

    def typed(self, text: str) -> Work | None:
        """Set the current row, once the file of a player has run in the background."""
        return reading([text], lambda: self.set(text))

    def set(self, text: str) -> None:
        """Set the current row from text: `q:alpha=.2`, `.3`.

        A built-in player gets the options that it had before.
        """
        row = field, option = self.row
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
        if field == "seed":
            self.seed = str(SEED.parse(text.strip()))
        elif field in self.specs:
            spec = parse_player(text)
            spec.rule.check_side("XO".index(field))
            self.specs[field] = spec
        else:
            raise UsageError("choose a player, an option or the seed")

    def begin(self) -> Leave:
        """Start a run with these settings."""
        return Leave(self.settings)

    def choices(self) -> tuple[Sequence[tuple[str, str]], int | None]:
        """Return the choices of the current row with what they are, and the index of its value."""
        field, option = self.row
        offered, now = list[tuple[str, str]](), ""
        if option is not None:
            now = option.format(self.specs[field].settings[option.name])
            offered = [(one, "") for one in values(option)]
        elif field in self.specs:
            now = self.specs[field].rule.name
            offered = [(name, rules()[name].summary) for name in BUILT_IN]
        return offered, next((n for n, (name, _) in enumerate(offered) if name == now), None)

    # what is shown

    def page(self) -> Page:
        row = self.row
        form = Table(COLUMNS, self.rows, self.cells, self.list, title="setup", least_columns=33)
        parts = (self.table(), self.about())[row.field in ("seed", "more") :]
        return Page(
            "SETUP",
            Beside((form, Stack(parts))),
            title=tuple((field, str(spec)) for field, spec in self.specs.items()),
            keys=self.keys(),
        )

    def keys(self) -> tuple[Key, ...]:
        (field, option), asks, now = self.row, SEED.range, self.seed
        if option is not None:
            asks, now = option.range, option.format(self.specs[field].settings[option.name])
        elif field in self.specs:
            asks, now = ANY, str(self.specs[field])
        help = "type the row's value"
        type = Key("slash", "set", self.typed, help, asks, now, is_proposal=True)
        return (
            Key("right", "change", lambda: self.change(1), "the next value, the next player"),
            Key("left", "", lambda: self.change(-1), "the previous value"),
            *[type] * (field != "more"),
            Key("tab", "next", lambda: self.next_field(1), "to O, the seed, X"),
            Key("shift+tab", "", lambda: self.next_field(-1), "back to the previous field"),
            Key("enter", "begin", self.begin, "begin a new run"),
            BACK,
        )

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
            equation = ((rule.equation.symbols, "strong"),)
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
        wide = min(18, max((len(name) for name, _ in choices), default=18))
        return Table(
            (Column("", wide),
             Column("" if row.option else "what it is", 12, 1, grows=True, role="dim",
                    ends_early=True)),
            choices, tuple,
            None if at is None else Window(at), least_columns=CHOICES,
            clicked=lambda row: self.set(choices[row][0]),
            title=name,
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

"""Setup: the players, their options and the seed, chosen from lists or typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from afterstate_lab.learners.engine.dice import LARGEST_SEED
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.players.resolve import find_recipe, parse_player
from afterstate_lab.learners.rules.options import BeadsOption, ChoiceOption, IntegerOption, Option
from afterstate_lab.learners.rules.spec import BUILT_IN, PlayerSpec, rules
from afterstate_lab.tui.blocks import (
    Beside,
    Cell,
    Column,
    Stack,
    Table,
    Text,
    Window,
    Words,
    joined,
    spoken,
)
from afterstate_lab.tui.blocks.cells import UNITS
from afterstate_lab.tui.lab.controller import reading
from afterstate_lab.tui.lab.labels import short_name
from afterstate_lab.tui.lab.modes import Settings
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page, to_lab

SEED = IntegerOption("seed", 0, "The same seed gives the same games, bit by bit.", 0, LARGEST_SEED)
FIRST = ("alpha", "epsilon")
"""The options shown at first."""
CHOICES = 46
"""Minimum columns of the choices."""
FILES = "or / for a file or museum:NAME"
ANY = "td:alpha=.2, agent.py:move, policy.npz or museum:NAME"
USE = "players x SPEC, players o SPEC, players SPEC SPEC or players seed N begins a new run"
SHARES = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1)
"""Usual values from 0 to 1: step sizes, rates and discounts."""
WORTHS = (-1, -0.5, 0, 0.25, 0.5, 0.75, 1)
"""Usual rewards and initial values."""
COUNTS = (-10, -5, -3, -2, -1, 0, *UNITS[:19])
"""Usual whole numbers, to a million."""
COLUMNS = (Column("option", 13, role="dim"), Column("value", 15, say="is {}"))


class Row(NamedTuple):
    """A row of the form: the player X or O, one of its options, or the seed."""

    field: str
    option: Option | None = None


class Setup:
    """The settings that are chosen."""

    def __init__(self, lab: LabController, settings: Settings) -> None:
        self.lab, self.settings = lab, settings
        self.is_full = False
        """Whether every option is shown."""
        self.list = Window()

    @property
    def specs(self) -> dict[str, PlayerSpec]:
        """The players, by side."""
        return {"X": self.settings.x, "O": self.settings.o}

    @property
    def rows(self) -> list[Row]:
        """Each player with the options to show, and the seed."""
        rows = []
        for field, spec in self.specs.items():
            told = (one for one in spec.rule.options if one.is_told)
            options = sorted(told, key=lambda one: not is_own(one))  # its own first
            shown = (one for one in options if self.is_full or one.name in FIRST or is_own(one))
            rows += [Row(field), *(Row(field, one) for one in shown)]
        return [*rows, Row("seed", SEED)]

    @property
    def row(self) -> Row:
        """The row under the cursor."""
        return self.rows[self.list.cursor]

    def text(self, row: Row) -> str:
        """Return the value of an option or the seed, or the name of a player."""
        field, option = row
        if option is SEED:
            return str(self.settings.seed)
        spec = self.specs[field]
        return spec.rule.name if option is None else option.format(spec.settings[option.name])

    # what can be asked for

    def begin(self) -> Leave:
        return to_lab(self.lab.set_up(learning(self.settings)))

    def show_all(self) -> None:
        self.is_full, self.list.cursor = True, 0

    def change(self, by: int) -> None:
        """Take the next or previous value of the row under the cursor."""
        offered, at = self.choices()
        self.set(offered[((at or 0) + by) % len(offered)][0])

    def set(self, text: str) -> None:
        """Set the current row from text: `q:alpha=.2`, `.3`; defaults are omitted."""
        field, option = self.row
        if option is None or option is SEED:
            self.settings = chosen(self.settings, field, text)
        else:
            spec = self.specs[field].with_setting(option.name, option.parse(text))
            default = option.name, option.default
            given = dict(pair for pair in spec.given.items() if pair != default)
            changed: dict[str, Any] = {field.lower(): PlayerSpec(spec.rule, given)}
            self.settings = replace(self.settings, **changed)

    def choices(self) -> tuple[Sequence[tuple[str, str]], int | None]:
        """Return the choices of the current row with what they are, and the index of its value."""
        row, now = self.row, self.text(self.row)
        if row.option is None:
            offered = [(name, rules()[name].summary) for name in BUILT_IN]
        else:
            offered = [(one, "") for one in values(row.option, now)]
        return offered, next((n for n, (name, _) in enumerate(offered) if name == now), None)

    # what is shown

    def page(self) -> Page:
        field, option = self.row
        form = Table(COLUMNS, self.rows, self.cells, self.list, title="setup", least_columns=33)
        return Page(
            "SETUP",
            Beside((form, Stack((self.table(), self.about())))),
            title=tuple((field, str(spec)) for field, spec in self.specs.items()),
            keys=(
                Key("right", "change", lambda: self.change(1), "the next value, the next player"),
                Key("left", "", lambda: self.change(-1), "the previous value"),
                Key(
                    "slash",
                    "set",
                    lambda text: reading([text], lambda: self.set(text)),
                    "type the row's value",
                    ANY if option is None else option.range,
                    str(self.specs[field]) if option is None else self.text(self.row),
                    is_proposal=True,
                ),
                *[Key("a", "options", self.show_all, "show every option")] * (not self.is_full),
                Key("enter", "begin", self.begin, "begin a new run"),
                BACK,
            ),
        )

    def cells(self, row: Row) -> tuple[Cell | Words, ...]:
        """Return the name of a row, and its value."""
        (field, option), now = row, self.text(row)
        if option is None:
            role = f"{field.lower()}_strong"
            return ((field, role),), ((short_name(now), role),)
        said = f"{field}'s {spoken(option.name)}"
        name = option.name if option is SEED else Cell(((f"  {option.name}", "dim"),), said)
        return name, ((now, "text" if now == option.format(option.default) else "strong"),)

    def table(self) -> Table:
        row, (choices, at) = self.row, self.choices()
        name = row.option.name if row.option else row.field
        wide = min(18, max(len(name) for name, _ in choices))
        return Table(
            (Column("", wide),
             Column("" if row.option else "what it is", 12, 1, grows=True, role="dim",
                    ends_early=True)),
            choices, tuple,
            None if at is None else Window(at), least_columns=CHOICES,
            clicked=lambda row: self.set(choices[row][0]),
            title=name,
            footer="" if row.option else FILES,
        )  # fmt: skip

    def about(self) -> Text:
        """Return what the current row means."""
        (field, option), now = self.row, self.text(self.row)
        if option is None:
            rule = self.specs[field].rule
            idle = "" if rule.learns else "It does not learn."
            equation = rule.equation.symbols if str(rule.equation) else ""
            details = (((equation, "strong"),), ((rule.source, "dim"),), ((idle, "dim"),))
            said: tuple[Words, ...] = (rule.summary, *details)
        else:
            usual, book = option.format(option.default), "Sutton & Barto, section "
            source = f"{book * option.source[:1].isdigit()}{option.source}"
            said = (option.help, f"{option.range}; usually {usual}", ((source, "dim"),))
        title = option.name if option else short_name(now)
        return Text([words for words in said if joined(words)], title=title, rank=-1,
                    least=5, least_columns=CHOICES)  # fmt: skip


def is_own(option: Option) -> bool:
    """Return whether no built-in player has an option of this name."""
    return all(option.name != one.name for rule in rules().values() for one in rule.options)


def values(option: Option, now: str) -> Sequence[str]:
    """Return values to choose from: all words; or usual numbers, the default and that of now."""
    if isinstance(option, ChoiceOption):
        return option.choices
    numbers: Sequence[float] = WORTHS if option.low < 0 else SHARES
    if isinstance(option, IntegerOption | BeadsOption):
        numbers = COUNTS
    texts = (f"{n:.10g}" for n in numbers if option.low <= n <= option.high)
    usual = {option.format(option.parse(text)) for text in texts}
    return sorted({*usual, option.format(option.default), now}, key=place_of)


def place_of(text: str) -> tuple[bool, float]:
    """Return where a value is sorted: numbers, then falling rates and beads of several stages."""
    try:
        return False, float(text)
    except ValueError:
        return True, 0.0


def chosen(now: Settings, field: str, text: str) -> Settings:
    """Return settings with another player, X or O, or another seed."""
    value: Any = SEED.parse(text) if field == "seed" else parse_player(text)
    return replace(now, **{field.lower(): value})


def learning(settings: Settings) -> Settings:
    """Return settings in which somebody learns."""
    if settings.x.rule.human and settings.o.rule.human:
        raise UsageError("two people need no learner")
    return settings


def settings_in(text: str, now: Settings) -> Settings:
    """Return the settings of a line: `x td:alpha=.2`, `td q`, `seed 7`, `recipe menace`."""
    first, _, rest = text.partition(" ")
    if first == "recipe":
        recipe = find_recipe(rest)
        return Settings(*recipe.players, recipe.seed)
    if rest and first in ("x", "o", "X", "O", "seed"):
        return learning(chosen(now, first, rest))
    if rest and " " not in rest:
        return learning(chosen(chosen(now, "x", first), "o", rest))
    raise UsageError(f"{shown(text)} is not a choice of players: {USE}")


def open_on(lab: LabController, data: Settings, text: str) -> Opened:
    return Setup(lab, data).page

"""The setup as it is shown: the form, what the current row may become, and what that means."""

from __future__ import annotations

from typing import Final

from learners.rules.options import Option
from tui.lab.outcomes import sentence
from tui.lab.setup import SetupController, SetupRow
from tui.views.table import ColumnView, TableView
from tui.views.words import TextView, Words

FORM_COLUMNS: Final = (
    ColumnView("option", 13, 0, left=True),
    ColumnView("value", 15, 0, left=True),
    ColumnView("range", 27, 1, left=True),
)
FEWEST: Final = 24
"""A column of meanings is no narrower."""
AROUND: Final = 3
"""Columns of the frame and of the pointer."""
FORM: Final = AROUND + 13 + 1 + 15 + 1
"""Columns of the form where it has room for names and values only."""
FORM_WITH_RANGE: Final = FORM + 28
NAMES: Final = 16
FILES: Final = "or type a file or museum:NAME"
SEED: Final = "The seed of all dice: the same seed gives the same games, bit by bit."
RECIPE: Final = "← → fill in the players of one of the documents, its mistakes corrected."


def form_view(setup: SetupController, columns: int) -> TableView:
    """The window of rows that is seen, in a pane of so many columns."""
    rest = columns - FORM_WITH_RANGE - 1
    meaning = (ColumnView("meaning", rest, 2, left=True),) if rest >= FEWEST else ()
    window, rows = setup.window, setup.rows
    more = f"{window.cursor + 1} of {len(rows)}" if len(rows) > window.height else ""
    return TableView(
        (*FORM_COLUMNS, *meaning),
        tuple(form_row(setup, row) for row in rows[window.seen]),
        cursor=window.cursor - window.top,
        title="setup",
        right=more,
        focused=setup.typed is None,
    )


def form_row(setup: SetupController, row: SetupRow) -> tuple[Words, ...]:
    """A row: its name and value; for an option also its range and its meaning."""
    if row.option is not None:
        option = row.option
        spec = setup.specs[row.field]
        value = option.format(spec.settings[option.name])
        role = "text" if value == option.format(option.default) else "strong"
        return (
            ((f"  {option.name}", "dim"),),
            ((value, role),),
            ((short_range(option), "dim"),),
            ((option.help, "dim"),),
        )
    if row.field == "seed":
        return ((("seed", "strong"),), ((setup.seed, "text"),), "", "")
    if row.field == "recipe":
        title = setup.recipe.title if setup.recipe else ""
        name = setup.recipe.name if setup.recipe else "—"
        return ((("recipe", "strong"),), ((name, "text"),), ((title, "dim"),), "")
    rule = setup.specs[row.field].rule
    role = row.field.lower()
    return (
        ((row.field, f"{role}_strong"),),
        ((rule.name, f"{role}_strong"),),
        "",
        ((rule.summary, "text"),),
    )


def short_range(option: Option) -> str:
    """The range, without what the text beside it says at length."""
    return option.range.partition(" (")[0].removeprefix("a whole number from ")


def choices_view(setup: SetupController, columns: int, rows: int) -> TableView:
    """What the current row may become, around what it is.

    Args:
        setup: the setup.
        columns: of the pane.
        rows: for the choices.
    """
    choices, at = setup.choices
    seen = setup.choices_seen(rows)
    width = min(NAMES, max((len(choice.label) for choice in choices), default=NAMES))
    room = max(0, columns - AROUND - width - 2)
    row = setup.row
    title = row.option.name if row.option else row.field
    says = "" if row.option and setup.typed is None else "what it is"
    meaning = (ColumnView(says, room, 1, left=True),) if room >= width else ()
    return TableView(
        (ColumnView("", width, 0, left=True), *meaning),
        tuple((((choice.label, "text"),), ((choice.says, "dim"),)) for choice in choices[seen]),
        cursor=None if at is None else at - seen.start,
        message=SEED if row.field == "seed" else "",
        title=f"{title}: Tab completes" if setup.typed is not None else title,
        footer=FILES if row.field in setup.specs and row.option is None else "",
        focused=setup.typed is not None,
    )


def about_view(setup: SetupController) -> TextView:
    """What the current row means; or what is wrong with what was typed."""
    row = setup.row
    if setup.note:
        return TextView((((sentence(setup.note), "remark"),),), title="not yet")
    if row.option is not None:
        return option_view(row.option)
    if row.field == "seed":
        return TextView((SEED,), title="seed")
    if row.field == "recipe":
        return story_view(setup)
    rule = setup.specs[row.field].rule
    said: list[Words] = [rule.summary]
    if str(rule.equation):
        said.append(((rule.equation.spelled or rule.equation.symbols, "strong"),))
    if rule.source:
        said.append(((rule.source, "dim"),))
    if not rule.learns:
        said.append((("It does not learn.", "dim"),))
    return TextView(tuple(said), title=rule.name)


def option_view(option: Option) -> TextView:
    """What an option means, its range and its usual value."""
    usual = option.format(option.default)
    said: list[Words] = [option.help, f"{option.range}; usually {usual}"]
    if option.source:
        book = "Sutton & Barto, " if option.source[0].isdigit() else ""
        section = "section " if option.source[0].isdigit() else ""
        said.append(((f"{book}{section}{option.source}", "dim"),))
    return TextView(tuple(said), title=option.name)


def story_view(setup: SetupController) -> TextView:
    recipe = setup.recipe
    if recipe is None:
        return TextView((RECIPE,), title="recipe")
    said: tuple[Words, ...] = (
        ((recipe.title, "strong"), (f", {recipe.games:,} games: train that many", "dim")),
        recipe.did,
        (("wrong: ", "key"), (recipe.wrong, "text")),
        (("here: ", "key"), (recipe.corrected, "text")),
    )
    return TextView(said[setup.page :], title=recipe.name, footer="PgDn scrolls")

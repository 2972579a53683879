"""The list of runs and the selected run as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from tui.lab.list_commands import RUNS_COMMANDS
from tui.lab.resume_hint import ago, games_text, players_of
from tui.theme.numerals import count
from tui.views.lab import LogView
from tui.views.table import ColumnView, TableView
from tui.views.words import Words

if TYPE_CHECKING:
    from learners.store import RunInfo
    from tui.lab.runs.controller import RunsController

COLUMNS: Final = (
    ColumnView("", 1, 0, left=True),
    ColumnView("name", 20, 1, left=True),
    ColumnView("players", 14, 3, left=True),
    ColumnView("games", 11, 2),
    ColumnView("X  =  O %", 11, 5),
    ColumnView("saved", 14, 4, left=True),
)
NOTE: Final = "note"
NOTE_KEY: Final = next(one.shown for one in RUNS_COMMANDS if one.name == NOTE)
AROUND: Final = 3
"""Columns of the frame and of the pointer."""
AROUND_BORDER: Final = 8
"""Columns of a border that hold no words."""
FEWEST: Final = 12
"""A column of notes is no narrower."""
EMPTY: Final = "No run is saved yet: what is played in the lab is saved by itself."


def runs_view(controller: RunsController, columns: int, now: datetime | None = None) -> TableView:
    """The window of runs that is seen, in a pane of so many columns."""
    window = controller.window
    shown = controller.shown[window.seen]
    told = columns_for(shown, columns)
    room = columns - AROUND - sum(column.width + 1 for column in told) - 1
    extra = (ColumnView(NOTE, room, len(told), left=True),) if room >= FEWEST else ()
    message = ""
    if controller.is_reading:
        message = "Reading…"
    elif not shown:
        message = EMPTY
        if controller.runs:
            message = (
                f"No run has {controller.search_text} in it: / takes another text, a shows all."
            )
    place = f"{window.cursor + 1:,} of {len(controller.shown):,}" if shown else ""
    searching = f"search {controller.search_text}" if controller.search_text else ""
    note = "" if is_long(controller, columns) else controller.note
    return TableView(
        columns=(*told, *extra),
        rows=tuple(cells(controller, run, bool(extra), now) for run in shown),
        cursor=window.cursor - window.top if shown else None,
        message=message,
        footer=((note, "remark"),) if note else searching,
        title="runs",
        right=place,
    )


def columns_for(shown: Sequence[RunInfo], columns: int) -> tuple[ColumnView, ...]:
    """The columns of these runs: players in whole, where names and notes leave room for it."""
    mark, name, players, *others = COLUMNS
    free = max(0, columns - AROUND - sum(column.width + 1 for column in COLUMNS))
    names = max((len(run.name) for run in shown), default=0)
    wanted = max((len(players_of(run)) for run in shown), default=0) - players.width
    wider = max(0, min(wanted, free + max(0, name.width - max(names, FEWEST))))
    return (
        mark,
        replace(name, width=name.width - max(0, wider - free)),
        replace(players, width=players.width + wider),
        *others,
    )


def cells(
    controller: RunsController, run: RunInfo, with_note: bool, now: datetime | None
) -> tuple[Words, ...]:
    """A run in a line."""
    mark = "A" if run.id == controller.marked else "★" if run.id == controller.open_id else " "
    games = f"{run.games:,}{'+' if run.in_game else ''}"
    words: tuple[Words, ...] = (
        ((mark, "key"),),
        ((run.name, "text"),),
        ((players_of(run), "dim"),),
        ((games, "text"),),
        shares(run),
        ((ago(run.updated, now), "dim"),),
    )
    return (*words, ((run.note, "dim"),)) if with_note else words


def shares(run: RunInfo) -> Words:
    """The results of all games in percent."""
    total = sum(run.results)
    if not total:
        return (("—  ", "dim"),)
    x, drawn, o = (f"{100 * n / total:.0f}" for n in run.results)
    return ((f"{x:>3}", "x"), (f"{drawn:>3}", "dim"), (f"{o:>3}  ", "o"))


def is_long(controller: RunsController, columns: int) -> bool:
    """Whether what is to be said does not fit into a border."""
    return len(controller.note) > columns - AROUND_BORDER


def run_view(controller: RunsController, columns: int, now: datetime | None = None) -> LogView:
    """The selected run from every side; or what is to be said at length."""
    run = controller.selected
    if is_long(controller, columns):
        lines = wrap(controller.note, columns - AROUND - 1)
        return LogView(tuple(((line, "remark"),) for line in lines), title="runs")
    if run is None:
        return LogView((), title="run")
    x, drawn, o = run.results
    state = []
    if run.id == controller.open_id:
        state.append("open in the lab")
    if run.in_game:
        state.append("in a game")
    begun = run.created.astimezone().strftime("%Y-%m-%d %H:%M")
    facts: tuple[Words, ...] = (
        (("X ", "x_strong"), (run.x, "text"), ("   O ", "o_strong"), (run.o, "text")),
        (
            (f"{games_text(run.games)}: ", "text"),
            (f"X {count(x)}", "x"),
            (f"  = {count(drawn)}  ", "dim"),
            (f"O {count(o)}", "o"),
            (f"   seed {run.seed}", "dim"),
        ),
        ((f"begun {begun}, saved {ago(run.updated, now)}", "dim"), state_words(state)),
        ((run.note or f"no note; {NOTE_KEY} writes one", "text" if run.note else "dim"),),
    )
    return LogView(facts, title=run.name, right=f"sha256 {run.sha256[:12]}")


def state_words(state: list[str]) -> tuple[str, str]:
    """What goes on with a run."""
    return (f"; {', '.join(state)}", "remark") if state else ("", "dim")

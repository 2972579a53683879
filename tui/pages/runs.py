"""The saved runs: open, rename, delete and restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from afterstate_lab.learners.errors import StoreError, UsageError
from afterstate_lab.learners.runs.listing import RunInfo, checked_name, checked_note
from afterstate_lab.tui.blocks import Block, Cell, Column, Stack, Table, Text, Window, Words
from afterstate_lab.tui.lab.autosave import store
from afterstate_lab.tui.lab.controller import with_run
from afterstate_lab.tui.lab.labels import ago, players_of
from afterstate_lab.tui.pages.page import (
    BACK,
    Key,
    LabController,
    Leave,
    Opened,
    Page,
    Work,
    to_lab,
)
from afterstate_lab.tui.theme.numerals import games_text, percents

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.store import Store

EMPTY = "No run is saved yet. The lab saves every game automatically."
COLUMNS = (
    Column("", 1, 0, role="key"),
    Column("name", 20, 1),
    Column("players", 14, 3, role="dim"),
    Column("games", 11, 2, left=False),
    Column("X  =  O %", 11, 5, left=False, say=""),
    Column("saved", 14, 4, role="dim"),
    Column("note", 12, 6, grows=True, role="dim"),
)


class Runs:
    """The list of runs."""

    def __init__(self, lab: LabController) -> None:
        self.lab, stored = lab, lab.stored
        self.open_id = None if stored is None else stored.id
        self.runs: tuple[RunInfo, ...] | None = None
        """None until the store is read."""
        self.at = Window()

    @property
    def selected(self) -> RunInfo:
        assert self.runs
        return self.runs[self.at.cursor]

    def read(
        self,
        change: Callable[[Store], RunInfo | None] = lambda store: None,
        message: str = "",
        otherwise: str = "",
    ) -> Work:
        """Change the store, then read its list; select the changed run, or keep the selection.

        `message` names the changed run; without one, `otherwise` is the message.
        """

        def look(_: object) -> tuple[Sequence[RunInfo], RunInfo | None, str]:
            try:
                opened = store()
                changed = change(opened)
                said = message.format(name=changed.name) if changed else otherwise
                return opened.list(), changed, said
            except StoreError as error:
                return self.runs or (), None, str(error)

        def take(found: tuple[Sequence[RunInfo], RunInfo | None, str]) -> str:
            runs, changed, said = found
            chosen = changed or (self.selected if self.runs else None)
            self.runs = tuple(runs)
            self.at.hold(len(self.runs))
            for n, run in enumerate(self.runs):
                if chosen is not None and run.id == chosen.id:
                    self.at.cursor = n
            return said

        return Work(look, then=take)

    def open(self) -> Leave | Work:
        run = self.selected
        if run.id == self.open_id:
            return Leave()
        return with_run(run.id, self.lab.own_rules, lambda run: to_lab(self.lab.resume(run)))

    def rename(self, text: str) -> Work:
        """Give a run another name; a refused one stays typed."""
        run, name = self.selected, checked_name(text)
        if any(other.name == name and other.id != run.id for other in self.runs or ()):
            raise UsageError("another run has this name")
        return self.read(lambda store: store.rename(run.id, name))

    def write_note(self, text: str) -> Work:
        run, note = self.selected, "" if text == "off" else checked_note(text)
        return self.read(lambda store: store.set_note(run.id, note))

    def delete(self) -> Work:
        """Delete a run; the cursor moves to the next."""
        run = self.selected
        is_open = run.id == self.open_id
        comes_back = "; it is open, and the next game saves it again" * is_open
        message = f"{{name}} is deleted{comes_back}; undo brings it back."
        return self.read(lambda store: store.delete(run.id), message)

    def undo(self) -> Work:
        return self.read(lambda store: store.undelete(), "{name} is back.", "Nothing is deleted.")

    # what is shown

    def page(self) -> Page:
        runs, run, parts = self.runs or (), None, list[Block]()
        table = Table(
            COLUMNS,
            runs,
            self.cells,
            self.at,
            message="" if runs else "Reading…" if self.runs is None else EMPTY,
            title="runs",
            right=f"{self.at.cursor + 1:,} of {len(runs):,}" if runs else "",
        )
        if runs:
            run = self.selected
            begun = run.created.astimezone().strftime("%Y-%m-%d %H:%M")
            lines: list[Words] = [
                (("X ", "x_strong"), (run.x, "text"), ("   O ", "o_strong"), (run.o, "text")),
                ((f"seed {run.seed}, begun {begun}, saved {ago(run.updated)}", "dim"),),
                ((run.note or "no note yet", "text" if run.note else "dim"),),
            ]
            parts = [Text(lines, title=run.name, right=f"sha256 {run.sha256[:12]}", rank=-1)]
        return Page(
            "RUNS",
            Stack((table, *parts)),
            title=() if self.runs is None else (("saved", f"{len(runs):,}"),),
            work=self.read() if self.runs is None else None,
            keys=self.keys(run),
        )

    def keys(self, run: RunInfo | None) -> tuple[Key, ...]:
        ends = (Key("u", "undo", self.undo, "bring back the run that you deleted last"), BACK)
        if run is None:
            return ends
        return (
            Key("enter", "open", self.open, "continue this run"),
            Key(
                "e",
                "rename",
                self.rename,
                "give this run another name",
                "a name that no other run has",
                run.name,
            ),
            Key(
                "N",
                "note",
                self.write_note,
                "write a note to this run",
                "what this run is for; an empty line deletes the note",
                run.note,
            ),
            Key("D delete", "delete", self.delete, "delete this run (or Del)"),
            *ends,
        )

    def cells(self, run: RunInfo) -> tuple[Cell | Words, ...]:
        is_open = Cell("★", "open in the lab") if run.id == self.open_id else ""
        games = f"{run.games:,}{'+' if run.in_game else ''}"
        shares: Words = (("—  ", "dim"),)
        if total := sum(run.results):
            x, drawn, o = percents([n / total for n in run.results])
            shares = (f"{x:>3.0f}", "x"), (f"{drawn:>3.0f}", "dim"), (f"{o:>3.0f}  ", "o")
        return (
            is_open,
            run.name,
            players_of(run),
            Cell(games, f"{games_text(run.games)}{', one unfinished' * run.in_game}"),
            shares,
            ago(run.updated),
            run.note,
        )


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Runs(lab).page

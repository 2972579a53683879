"""The card of a value: the value now, its last backup, and the commands that start there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Final

from afterstate_lab.game import Side, space
from afterstate_lab.learners.ask import why
from afterstate_lab.learners.ask.conditions import find, parse
from afterstate_lab.learners.ask.table import TableRows
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.tui.blocks.block import Beside, Quantity, Role, Room, Stack, Window
from afterstate_lab.tui.blocks.cells import marked
from afterstate_lab.tui.blocks.curve import Curve
from afterstate_lab.tui.blocks.lists import Column, Table
from afterstate_lab.tui.blocks.speech import places_for
from afterstate_lab.tui.blocks.text import Bar, Bars, Card, Text
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import board_label, owner_of, side_role
from afterstate_lab.tui.lab.microscope.microscope import (
    life_curve,
    name_of,
    table_of_entry,
    wrote_condition,
)
from afterstate_lab.tui.lab.microscope.reading import board_of, update_at
from afterstate_lab.tui.lab.outcomes import Key, Open, Outcome, Work, command_key, search
from afterstate_lab.tui.lab.panes import fields
from afterstate_lab.tui.pages.page import BACK, Leave, Opened, Page
from afterstate_lab.tui.pages.provenance import SHOWN, told, whose
from afterstate_lab.tui.pages.table import bars
from afterstate_lab.tui.theme.numerals import count_in, decimals
from afterstate_lab.tui.verbs.step import prediction

LEFT: Final = Room(29, 52, 0.37)
MENU: Final = (Column("", 24), Column("", 20, 1, grows=True, role="dim"))
ANYWHERE: Final = (
    ("table", "its row in the table", "next to all others"),
    ("what_if", "what if another rule", "played this game"),
    ("fork", "play another move here", "in a branch"),
    ("breaks", "stop when it changes", "a breakpoint"),
    ("predict", "predict its next backup", "before you see it"),
    ("address", "copy a link", "to this moment"),
)
"""The commands that start at any value: each name, with its description."""


class ValueCard:
    """A value at the lab's moment; `entry` is its index into memory."""

    def __init__(self, lab: LabController, entry: int) -> None:
        self.lab, self.session, self.entry, self.at = lab, lab.session, entry, Window()
        update = update_at(self.session.timeline, asks=self.session.predictions.wanted)
        assert update is not None
        self.update, self.table = update, table_of_entry(update, entry)
        place = board_of(self.table, entry)
        assert place is not None
        self.board, self.cell = place
        self.owner = owner_of(self.table, self.board)
        self.name = name_of(self.table, entry)
        self.condition = wrote_condition(update, entry)
        self.now = float(update.after[entry])
        self.visits = int(update.after[len(update.after) // 2 + entry])
        self.is_here = update.is_written and getattr(update.event, "entry", -1) == entry
        """Whether the current backup is this one."""
        self.last: why.BackupLink | None = None
        """Its last backup, once found."""
        self.is_sought = not self.visits
        self.shares: why.Shares | None = None
        """The shares of what made it, once found, if it has any."""
        rule = self.table.spec.rule
        self.seconds = 0.0 if rule.by_state and not self.board else why.SOON
        """How long to look for the shares next; 0 for not at all."""

    def look(self, stop: Callable[[], bool]) -> why.BackupLink | None:
        game, row = self.session.timeline.place
        until = TapePosition(game, row + self.is_here)
        place = why.last_write(self.session.run, self.entry, until, stop=stop)
        return None if place is None else why.chain(self.session.run, place, limit=1, stop=stop)[0]

    def take(self, last: why.BackupLink | None) -> None:
        self.last, self.is_sought = last, True

    def look_whose(self, stop: Callable[[], bool]) -> why.Shares | None:
        game, row = self.session.timeline.place
        place = TapePosition(game, row - (not self.update.is_written))
        try:
            return why.shares_of(
                self.session.run,
                self.entry,
                place,
                self.now,
                stop=stop,
                enough=why.within(self.seconds),
            )
        except why.NotLinearError:
            return None

    def take_whose(self, shares: why.Shares | None) -> None:
        is_rough = shares is not None and shares.is_rough
        self.seconds = inf if is_rough and self.seconds == why.SOON else 0.0
        self.shares = shares or self.shares

    @property
    def work(self) -> Work | None:
        if not self.is_sought:
            return Work(self.look, then=self.take)
        is_wanted = self.visits and self.seconds
        return Work(self.look_whose, then=self.take_whose) if is_wanted else None

    @property
    def items(self) -> list[tuple[str, str, str]]:
        """The commands that start here."""
        found = list(ANYWHERE)
        if self.visits:
            found.insert(0, ("provenance", "why this value", "the games that made it"))
        if self.visits > self.is_here:
            at = "" if self.last is None else f"game {self.last.place.game + 1:,}"
            at = "the one before this" if self.is_here else at
            found.insert(0, ("last_writer", "last backup of it", at))
        return found

    def begin(self, name: str) -> Outcome:
        waiting = self.session.backup_to_predict
        if name == "predict" and (waiting is None or waiting.entry != self.entry):
            place = self.session.timeline.place
            look = partial(find, self.session.run, parse(self.condition), place, forwards=True)
            return search(self.session.run, "its next backup", look, self.predict)
        self.lab.lessons.note(name)
        if name == "predict":
            return prediction(self.lab)
        outcome = self.lab.perform(name)
        if isinstance(outcome, Key) and name == "breaks":
            outcome = outcome.do(self.condition)
        elif name == "table":
            outcome = Open("table", board_label(self.board, self.cell))
        return outcome

    def predict(self, place: TapePosition | None) -> Outcome:
        """Ask what a backup will write."""
        if place is None:
            raise UsageError(f"No later game updates it; {command_key('train')} trains more.")
        self.session.timeline.go_to_place(place)
        self.session.timeline.step_phase_back()
        return prediction(self.lab)

    # what is shown

    @property
    def said(self) -> str:
        """The owner's expectation, and the last change."""
        last, now, rows = self.last, self.now, self.rows
        old = now if last is None else last.backup.old
        places = places_for(old, now, 3)
        expects = (
            f"expects {decimals(now, places)} of" if rows.estimates else f"holds {many(now)} for"
        )
        where = "this board" if self.cell < 0 else f"playing {self.cell + 1} here"
        said = f"{self.owner} {expects} {where}."
        if last is None:
            return said if self.visits else f"{said} No game has changed it yet."
        by = told(self.session.run.layout, last, last.source)
        by = by.replace("the ", "a ", 1) if by.startswith("the ") else "a later value"
        way = (now > old) - (now < old)
        if rows.estimates:
            did = ("left it there", "pulled it up", "pulled it down")[way]
            return f"{said} It was {decimals(old, places)}; {by} {did}."
        did = ("changed nothing", "added", "took")[way] + f" {abs(now - old):,.0f}" * bool(way)
        return f"{said} It held {old:,.0f}; {by} {did}."

    @property
    def lent(self) -> str:
        """The games that it learns from, and how many of them Monte Carlo would not."""
        shares = self.shares
        if shares is None or shares.borrowed <= SHOWN:
            return ""
        own, more = (
            count_in(many, 7)
            for many in (self.visits, len(shares.games.keys() - shares.came_through))
        )
        return f"{own} games came here: Monte Carlo uses only them, {self.name} borrows {more} more"

    @cached_property
    def rows(self) -> TableRows:
        layout, game = self.update.recording.layout, self.update.event.game
        return TableRows(layout, self.update.after, Side.parse(self.owner), game)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The value and its exact value; for beads, those of each colour in the box."""
        rows = self.rows
        if rows.estimates:
            own = (self.entry - self.table.base) % len(self.table.entries.boards)
            return bars(rows, int(rows.index()[own]))
        box = rows.boards == self.board
        whole, cells = float(rows.values[box].sum()) or 1.0, zip(rows.cells[box], rows.values[box])  # noqa: B905
        return tuple(
            Bar(f"for {cell + 1}", f"{n:,.0f}", n / whole, f"bead {cell}")
            for cell, n in sorted(cells, key=lambda one: one[0] != self.cell)
        )

    @property
    def life(self) -> Curve:
        """The value over the run, with its exact value."""
        life = life_curve(self.session.sweep, self.update, Quantity(Role.ENTRY, self.entry))
        levels = [replace(one, label=f"{one.label} {decimals(one.value)}") for one in life.levels]
        return replace(life, title="its history", levels=levels)

    def page(self) -> Page:
        replayed = self.session.sweep_work()
        head = ((f"{self.name} of ", "title"), (self.owner, side_role(self.owner, strong=True)))
        board = marked(space().text(self.board), self.cell)

        split = () if self.shares is None else (whose(self.shares, self.owner),)

        def open_row(row: int) -> Leave:
            return Leave(self.items[row][0])

        return Page(
            "VALUE",
            Stack(
                (
                    Card(
                        (Text((((self.said, "strong"),),), least=1), *split),
                        title=head,
                        right=decimals(self.now, 6 * self.rows.estimates),
                        footer=self.lent,
                    ),
                    Beside(
                        (
                            Stack(
                                (
                                    replace(
                                        board,
                                        title="this board",
                                        width=LEFT,
                                        least_columns=LEFT.least,
                                    ),
                                    Bars(
                                        self.bars,
                                        title="its numbers",
                                        right=f"visits {self.visits:,}",
                                    ),
                                )
                            ),
                            Stack(
                                (
                                    self.life,
                                    Table(
                                        MENU,
                                        self.items,
                                        lambda item: item[1:],
                                        self.at,
                                        heads=False,
                                        title="from here",
                                        rank=-1,
                                        clicked=open_row,
                                    ),
                                )
                            ),
                        )
                    ),
                )
            ),
            title=fields(self.session),
            of_run=True,
            work=self.work or replayed,
            keys=(
                Key("enter", "open", lambda: open_row(self.at.cursor), "do what is chosen"),
                BACK,
            ),
        )


def many(number: float) -> str:
    return f"{number:,.0f} bead{'s' * (round(number) != 1)}"


def open_on(lab: LabController, data: int, text: str) -> Opened:
    shown = ValueCard(lab, data)
    return shown.page, shown.begin

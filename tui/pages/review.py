"""The review of a game: each move judged, and what the opponent learned.

The value of a move is exact (minimax). What the learner prefers comes from its memory before and
after the game, its backups from the game's events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from afterstate_lab.game import Board, Side
from afterstate_lab.learners.tape.recording import (
    Backup,
    GameOver,
    Move,
    TapePosition,
    best_cells,
    mover_values,
)
from afterstate_lab.learners.tape.run import Run, Seat
from afterstate_lab.tui.blocks.block import Beside, Stack, Window
from afterstate_lab.tui.blocks.cells import Cells, marked
from afterstate_lab.tui.blocks.lists import Cell, Column, Log, Table
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import board_row, entry_row, player_label, side_role
from afterstate_lab.tui.lab.log import Judged
from afterstate_lab.tui.pages.page import BACK, Key, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import decimals

STANDING: Final = {1: ("win", "better"), 0: ("draw", "text"), -1: ("loss", "worse")}
"""Word and colour of a position's value for the person."""
JUDGED: Final = 31
"""Columns of the verdict on a move."""


class ReviewedMove(NamedTuple):
    move: Move
    place: TapePosition
    is_own: bool
    """Whether the person made it."""
    judged: Judged


class Review:
    """A person's game, move by move, what the other player learned, and the selected move."""

    def __init__(self, run: Run, game: int) -> None:
        seats = run.seating_of(game)
        self.game = game
        self.person = person = Side.X if seats.x is Seat.HUMAN else Side.O
        table = run.layout.table(person.other)
        self.name = player_label(table.spec)
        self.has_beads = not table.spec.rule.estimates
        """Whether its numbers are chances, from beads."""
        memories = before, after = run.memory_at(game), run.memory_at(game + 1)
        *events, end = run.record(game, game + 1).events()
        assert isinstance(end, GameOver)
        won = "you won" if end.result == person.mark else "you lost"
        self.outcome = "you drew" if end.result == "draw" else won
        self.moves = [
            ReviewedMove(
                event,
                TapePosition(game, row),
                event.player == person.mark,
                Judged.of(Board.from_id(event.board), event.cell),
            )
            for row, event in enumerate(events)
            if isinstance(event, Move)
        ]
        last = {event.entry: event for event in events if isinstance(event, Backup)}
        written = [(last[entry], float(before[entry]), float(after[entry])) for entry in last]
        self.changes = sorted(
            (change for change in written if change[1] != change[2]),
            key=lambda change: -abs(change[2] - change[1]),
        )
        """The changed entries: the last backup, the values before and after the game."""
        answers = []
        for board in (one.move.board for one in self.moves if not one.is_own):
            was, now = (cells_text(best_cells(mover_values(table, v, board))) for v in memories)
            if was != now:
                answers.append(f"Next time, {board_row(board)}: it prefers {now} (was {was}).")
        self.lessons = answers or [
            "Next time on these boards it prefers the same moves, by other values."
        ]
        """What it will change next time, or why nothing."""
        if not self.changes:
            self.lessons = ["It learned nothing new: no value changed."]
        if not table.spec.learns or Seat.FROZEN in (seats.x, seats.o):
            why = "it does not learn, or is frozen"
            self.lessons = [f"{self.name} learned nothing from this game: {why}."]
        wrong = (n for n, one in enumerate(self.moves) if one.is_own and one.judged.errs)
        self.at = Window(next(wrong, 0))

    @property
    def selected(self) -> ReviewedMove:
        return self.moves[self.at.cursor]

    def page(self) -> Page:
        names = ("you", self.name)
        x, o = reversed(names) if self.person else names
        return Page(
            "REVIEW",
            Stack((Beside((self.table(), self.board())), self.learned())),
            title=(("X", x), ("O", o)),
            of_run=True,
            keys=(
                Key("enter g", "step", lambda: Leave(self.selected.place), "step from this move"),
                Key("n", "new", lambda: Leave("new_game"), "a new game"),
                BACK,
            ),
        )

    def table(self) -> Table:
        many = len(self.moves)
        judged = max(JUDGED, *(len(move.judged.short) for move in self.moves))
        columns = (
            Column("move", 10, say=""),
            Column("against perfect play", judged, 1),
            Column("", 5, 4, say=""),
            Column("", 8, 5, role="remark"),
        )
        return Table(
            columns,
            self.moves,
            self.cells,
            self.at,
            least_columns=50,
            title=f"game {self.game + 1:,}: {self.outcome} in {many} move{'s' * (many != 1)}",
        )

    def cells(self, reviewed: ReviewedMove) -> tuple[Cell | Words, ...]:
        """Return a move, its verdict, and the exact value after it."""
        move = reviewed.move
        who, said = "you" if reviewed.is_own else "it", reviewed.judged.short
        judged = "dim" if said.startswith("keeps") else "text"
        return (
            (
                (f"{move.ply} ", "dim"),
                (f"{who:<4}", side_role(move.player)),
                (f"{move.player}→{move.cell + 1}", side_role(move.player, strong=True)),
            ),
            Cell(
                ((said, "worse" if reviewed.judged.errs else judged),),
                f"{who} {move.cell + 1}, {said.removeprefix('? ')}",
            ),
            (STANDING[reviewed.judged.now if reviewed.is_own else -reviewed.judged.now],),
            "explored" if move.exploratory and not reviewed.is_own else "",
        )

    def board(self) -> Cells:
        board, title = str(self.selected.judged.after), f"after ply {self.selected.move.ply}"
        return replace(marked(board, title=title), least_columns=28)

    def learned(self) -> Log:
        """Return what the learner learned from the game."""
        places = 0 if self.has_beads else 5
        lines: list[Words] = [((said, "strong"),) for said in self.lessons]
        for backup, old, new in self.changes:
            lines.append(
                (
                    *entry_row(backup),
                    (f"  {decimals(old, places)}→", "dim"),
                    (decimals(new, places), "strong"),
                )
            )
        return Log(
            lines=tuple(lines),
            jump=1,
            title="what it learned from you",
            right="before→after",
            rank=1,
        )


def cells_text(cells: Iterable[int]) -> str:
    return " ".join(str(cell + 1) for cell in cells)


def open_on(lab: LabController, data: tuple[Run, int], text: str) -> Opened:
    def answered(answer: TapePosition | str) -> None:
        if isinstance(answer, str):
            lab.session.new_game()
        else:
            lab.step_to(answer)

    return Review(*data).page, answered

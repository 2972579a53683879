"""The review of a game: each move judged, and what the opponent learned.

The value of a move is exact (minimax). What the learner prefers comes from its memory before and
after the game, its backups from the game's events.
"""

from __future__ import annotations

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
from afterstate_lab.tui.blocks import Beside, Cell, Column, Log, Stack, Table, Window, Words, marked
from afterstate_lab.tui.lab.labels import board_row, entry_row, player_label, side_role
from afterstate_lab.tui.lab.log import Judged
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page
from afterstate_lab.tui.theme.numerals import decimals

STANDING: Final = {1: ("win", "better"), 0: ("draw", "text"), -1: ("loss", "worse")}
"""Word and colour of a position's value for the person."""
COLUMNS: Final = (
    Column("move", 10, say=""),
    Column("against perfect play", 31, 1),
    Column("", 5, 4, say=""),
    Column("", 8, 5, role="remark"),
)


class ReviewedMove(NamedTuple):
    move: Move
    place: TapePosition
    is_own: bool
    """Whether the person made it."""
    judged: Judged


class Review:
    """A person's game, move by move, what the other player learned, and the selected move."""

    def __init__(self, lab: LabController, run: Run, game: int) -> None:
        self.lab = lab
        person = Side.X if run.seating_of(game).x is Seat.HUMAN else Side.O
        table = run.layout.table(person.other)
        names = {person.mark: "you", person.other.mark: player_label(table.spec)}
        self.names = sorted(names.items(), reverse=True)
        """The players of X and of O."""
        self.places = 5 * table.rule.estimates
        """Decimals of its numbers; beads have none."""
        *events, end = run.record(game, game + 1).events()
        assert isinstance(end, GameOver)
        ends = {"draw": "you drew", person.mark: "you won"}
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
        moves = f"{len(self.moves)} move{'s' * (len(self.moves) != 1)}"
        self.title = f"game {game + 1:,}: {ends.get(end.result, 'you lost')} in {moves}"
        memories = before, after = run.memory_at(game), run.memory_at(game + 1)
        last = {event.entry: event for event in events if isinstance(event, Backup)}
        written = [(last[entry], float(before[entry]), float(after[entry])) for entry in last]
        self.changes = sorted(
            (change for change in written if change[1] != change[2]),
            key=lambda change: -abs(change[2] - change[1]),
        )
        """The changed entries: the last backup, the values before and after the game."""
        self.lessons = []
        """What it now does differently, or that nothing changes."""
        for board in (one.move.board for one in self.moves if not one.is_own):
            was, now = (
                " ".join(str(cell + 1) for cell in best_cells(mover_values(table, v, board)))
                for v in memories
            )
            if was != now:
                said = f"Next time, {board_row(board)}: it prefers {now} (was {was})."
                self.lessons.append(said)
        if not self.lessons:
            by = ", by other values" if self.changes else ": it learned nothing new"
            self.lessons = [f"Next time on these boards it prefers the same moves{by}."]
        wrong = (n for n, one in enumerate(self.moves) if one.is_own and one.judged.errs)
        self.at = Window(next(wrong, 0))

    @property
    def selected(self) -> ReviewedMove:
        return self.moves[self.at.cursor]

    def step(self) -> Leave:
        self.lab.step_to(self.selected.place)
        return Leave()

    def new_game(self) -> Leave:
        self.lab.session.new_game()
        return Leave()

    def page(self) -> Page:
        after, title = str(self.selected.judged.after), f"after ply {self.selected.move.ply}"
        board = marked(after, title=title, least_columns=28)
        move, judged, *rest = COLUMNS
        wide = max(judged.width, *(len(one.judged.short) for one in self.moves))
        columns = (move, judged._replace(width=wide), *rest)
        table = Table(columns, self.moves, self.cells, self.at, least_columns=50, title=self.title)
        lines: list[Words] = [((said, "strong"),) for said in self.lessons]
        for backup, old, new in self.changes:
            numbers = f"  {decimals(old, self.places)}→", decimals(new, self.places)
            lines.append((*entry_row(backup), (numbers[0], "dim"), (numbers[1], "strong")))
        learned = Log(
            lines=lines, jump=1, title="what it learned from you", right="before→after", rank=1
        )
        return Page(
            "REVIEW",
            Stack((Beside((table, board)), learned)),
            title=self.names,
            of_run=True,
            keys=(
                Key("enter g", "step", self.step, "step from this move"),
                Key("n", "new", self.new_game, "a new game"),
                BACK,
            ),
        )

    def cells(self, reviewed: ReviewedMove) -> tuple[Cell | Words, ...]:
        """Return a move, its verdict, and the exact value after it."""
        move, is_own, judged = reviewed.move, reviewed.is_own, reviewed.judged
        who, said = "you" if is_own else "it", judged.short
        role = "worse" if judged.errs else "dim" if said.startswith("keeps") else "text"
        return (
            (
                (f"{move.ply} ", "dim"),
                (f"{who:<4}", side_role(move.player)),
                (f"{move.player}→{move.cell + 1}", side_role(move.player, strong=True)),
            ),
            Cell(((said, role),), f"{who} {move.cell + 1}, {said.removeprefix('? ')}"),
            (STANDING[judged.now if is_own else -judged.now],),
            "explored" if move.exploratory and not is_own else "",
        )


def open_on(lab: LabController, data: tuple[Run, int], text: str) -> Opened:
    return Review(lab, *data).page

"""The table of what a player knows: order, filter, cursor, and what can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from game import Board, Side
from learners.ask.why import last_writes
from learners.engine.backups import BACKUP
from learners.tape.events import Backup, NoBackup
from learners.tape.recording import TapePosition, row_at
from tui.lab.commands import Screen
from tui.lab.labels import board_label
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Background, Close, Message, Open, Outcome, Question, refusing
from tui.lab.table.filter import Filter, FilterError, parse_filter
from tui.lab.table.rows import BY_SIZE, TableRows, sorted_rows, table_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from learners.tape.timeline import Timeline
    from tui.lab.session import Session


class TableController(ListController):
    """The table at the place that a session looks at, and one method for each command.

    Args:
        session: the lab; while it trains, what was known at its latest snapshot is shown.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(
            {
                "sort": self.sort_by_next,
                "reverse": lambda: self.sort_by(self.column),
                "filter": self.ask_filter,
                "class": self.filter_class,
                "all": lambda: self.filter_by(""),
                "other": lambda: self.show_player(self.side.other),
                "jump": self.jump,
                "matchbox": self.matchbox,
            }
        )
        self.session = session
        self.side = Side.X
        self.rows: TableRows | None = None
        """None where the player is no learner."""
        self.order: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        """The rows that are shown, from the first to the last."""
        self.column = "board"
        self.reverse = False
        self.filter_text = ""
        self._filter = Filter()
        self.written: dict[int, TapePosition | None] = {}
        """Of the rows that were looked up, where they were written last."""
        self._looking_up: int | None = None
        """The row whose last write is looked for."""
        self._leaves_for: int | None = None
        """The row whose last write is gone to as soon as it is found."""
        self._start()

    def perform(self, name: str, key: str = "") -> Outcome:
        """Do what a command asks for; of sorting, the key says by which column."""
        self._leaves_for = None
        if name == "sort_by":
            self.note = ""
            self.sort_by_number(int(key))
            return None
        return super().perform(name, key)

    def _start(self) -> None:
        """Begin where the session stands: at the entry of its event, if that is about one."""
        event = self.session.timeline.event
        layout = self.session.run.layout
        if isinstance(event, Backup | NoBackup) and not self.session.is_training:
            self.show_player(Side.parse(event.player))
            table = layout.table(self.side)
            entry = (event.entry - table.base) % len(table.entries.boards)
            if self.rows is not None:
                self.select(int(self.rows.index()[entry]))
        else:
            only_o = layout.o.spec.rule.learns and not layout.x.spec.rule.learns
            self.show_player(Side.O if only_o else Side.X)

    @property
    def memory(self) -> NDArray[np.float64]:
        """float64[2N], what is known at the place that is looked at."""
        session = self.session
        if session.is_training and session.snapshot is not None:
            return session.snapshot.memory
        return session.timeline.v

    @property
    def game(self) -> int:
        """The number of the game that is looked at."""
        session = self.session
        if session.is_training and session.snapshot is not None:
            return session.snapshot.games
        return session.timeline.game

    @property
    def selected(self) -> int | None:
        """The row of the table on which the cursor is."""
        return int(self.order[self.window.cursor]) if len(self.order) else None

    def refresh(self) -> None:
        """Show the current numbers; the order stays as it is, so that no row moves."""
        self.written = {}
        self._looking_up = None
        self.rows = table_rows(self.session.run.layout, self.memory, self.side, self.game)

    def show_player(self, side: Side) -> None:
        """Show a player's table from its start; a filter that means nothing there is dropped."""
        self.side = side
        self.refresh()
        if self.rows is not None and self.column not in self.rows.columns:
            self.column, self.reverse = "board", False
        try:
            self._arrange()
        except FilterError as error:
            self.filter_text, self._filter = "", Filter()
            self.note = f"No filter here: {error}."
            self._arrange()
        self.window.top = self.window.cursor = 0

    def _arrange(self) -> None:
        """Put the rows that are shown in order; the cursor stays on its entry where it is shown."""
        selected = self.selected
        if self.rows is None:
            self.order = np.zeros(0, dtype=np.int64)
            self.window.hold(0)
            return
        shown = self._filter.matches(self.rows)
        self.order = sorted_rows(self.rows, shown, self.column, self.reverse)
        self.window.count = len(self.order)
        self.select(selected)

    def select(self, row: int | None) -> None:
        """Go to a row of the table, to the first one shown if it is not."""
        found = [] if row is None else np.flatnonzero(self.order == row).tolist()
        self.window.go_to(found[0] if found else 0)

    def sort_by(self, column: str) -> None:
        """Sort by a column; by the one that it is sorted by already, the other way round."""
        self.reverse = not self.reverse if column == self.column else False
        self.column = column
        self._arrange()
        self.window.go_to(0)

    def sort_by_number(self, number: int) -> None:
        """Sort by the column with this number, from 1."""
        if self.rows is not None and number <= len(self.rows.columns):
            self.sort_by(self.rows.columns[number - 1])

    def sort_by_next(self) -> None:
        """Sort by the next column, round and round."""
        if self.rows is not None:
            columns = self.rows.columns
            self.sort_by(columns[(columns.index(self.column) + 1) % len(columns)])

    @property
    def is_falling(self) -> bool:
        """Whether the largest comes first."""
        return (self.column in BY_SIZE) != self.reverse

    def ask_filter(self) -> Question:
        prompt = "visits>10 error>.1 ply=3 X.O...... ?.X@5 class never"
        return Question("filter", prompt, refusing(self.filter_by), self.filter_text)

    def filter_by(self, text: str) -> None:
        """Show what a filter lets through.

        Raises:
            FilterError: it cannot be used; everything stays as it is.
        """
        chosen = parse_filter(text)
        if self.rows is not None:
            chosen.matches(self.rows)
        self._filter, self.filter_text = chosen, " ".join(text.split())
        self._arrange()

    def show_board(self, board: str) -> None:
        """Show the entries of a board (`?` for any mark), of the player who has some."""
        for side in (self.side, self.side.other):
            self.show_player(side)
            self.filter_by(board)
            if len(self.order):
                return

    def filter_class(self) -> None:
        """Show what is the same as the selected entry but for a symmetry of the board."""
        row = self.selected
        if row is None or self.rows is None:
            return
        entry = board_label(int(self.rows.boards[row]), int(self.rows.cells[row]))
        self.filter_by(f"{entry} class")

    def jump(self) -> Outcome:
        """Leave for the last write of the selected entry, once it is found."""
        rows, row = self.rows, self.selected
        if self.session.is_training:
            return Message("Its history can be seen when the training is over.")
        if rows is None or row is None or not rows.visits[row]:
            return Message("Nothing has written this entry yet.")
        if row in self.written:
            return self._leave_for(row)
        self._leaves_for = row
        message = "Looking for its last write; any key goes on."
        return Message(message) if row == self._looking_up else self.look_up(row, message)

    def matchbox(self) -> Outcome:
        """Show the matchbox of the selected entry."""
        from tui.lab.matchbox import BoxController, box_of, no_boxes

        rows, row = self.rows, self.selected
        if rows is None or row is None:
            return no_boxes()
        box = box_of(self.session, Board.from_id(int(rows.boards[row])), self.memory)
        return no_boxes() if box is None else Open(Screen.MATCHBOX, BoxController((box,)))

    @property
    def row_to_look_up(self) -> int | None:
        """The selected row, where its last write is neither known nor looked for."""
        row = self.selected
        if self.rows is None or row is None or self.session.is_training:
            return None
        is_wanted = self.rows.visits[row] and row not in self.written and row != self._looking_up
        return row if is_wanted else None

    def fail(self, sentence: str) -> None:
        """Work in the background failed."""
        self._looking_up = None
        super().fail(sentence)

    def look_up(self, row: int, message: str = "") -> Background:
        """Find where a row was written last: games are played again for it."""
        rows = self.rows
        self._looking_up = row

        def work(stop: Callable[[], bool]) -> TapePosition | None:
            entries = () if rows is None else rows.memory_indices(row)
            return last_written(self.session.timeline, entries, stop)

        def done(place: TapePosition | None) -> Outcome:
            if rows is not self.rows:
                return None
            self.written[row] = place
            self._looking_up = None if self._looking_up == row else self._looking_up
            return self._leave_for(row) if self._leaves_for == row else None

        return Background(work, done, message, exclusive=True)

    def _leave_for(self, row: int) -> Outcome:
        self._leaves_for = None
        place = self.written[row]
        return Message("It was written before this run began.") if place is None else Close(place)


def last_written(
    timeline: Timeline, entries: tuple[int, ...], stop: Callable[[], bool] | None = None
) -> TapePosition | None:
    """The last write of one of some entries that is not after the current place; None without one.

    Args:
        timeline: the place.
        entries: indices into memory.
        stop: asked now and then whether to give up.
    """
    rows = timeline.rows
    part = slice(rows.start, min(rows.stop, timeline.at))
    recording = timeline.recording
    written = np.asarray(recording.columns.entry[part])
    found = np.flatnonzero((recording.kinds[part] == BACKUP) & np.isin(written, entries))
    if len(found):
        return TapePosition(timeline.game, int(found[-1]))
    earlier = last_writes(timeline.run, list(entries), TapePosition(timeline.game, -1), stop=stop)
    return max(earlier.values(), default=None)


def go_to(timeline: Timeline, place: TapePosition) -> None:
    if place.game != timeline.game:
        timeline.go_to(place.game)
    timeline.seek(row_at(timeline.recording, place) + 1)

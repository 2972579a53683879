"""The map of 765 positions: a whole mind at once, while it learns or at rest."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence, Sized
from itertools import accumulate
from time import monotonic
from typing import Final

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.ask.conditions import position
from afterstate_lab.learners.ask.table import ROWS, SHADES, UNKNOWN, images, mind, places, shades
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, optimum, true_values
from afterstate_lab.learners.judge.figures import RMS_MINIMAX, RMS_OPTIMAL
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.tui.blocks import Block, Card, Room, Text, Words, marked, spoken
from afterstate_lab.tui.blocks.span import Canvas, Line, Pen, Piece, crop
from afterstate_lab.tui.lab.labels import SHORT
from afterstate_lab.tui.lab.outcomes import Outcome
from afterstate_lab.tui.lab.panes import named_players
from afterstate_lab.tui.pages.page import BACK, Key, LabController, Leave, Opened, Page, Work
from afterstate_lab.tui.theme.numerals import decimals, games_text

PICTURE_SECONDS: Final = 0.5
"""Seconds from one picture to the next while it learns."""
CHANGES: Final = 45
"""Maximum number of cells that change in such a picture: 90 a second."""
PLIES: Final = [ply for ply, many in enumerate(ROWS) for _ in range(many)]
"""The ply of each row."""
WIDTH: Final = 58
"""Cells of the widest row."""
TOP: Final = 2
"""Rows of the heading and the legend."""
LABEL: Final = 3
"""Columns of the ply."""
BESIDE: Final = 17
"""Columns of the board next to the map."""
BELOW: Final = 12
"""Rows of the board below the map."""
BOARD: Final = 40
"""Its columns there."""
VALUES: Final = "near a win", "near a draw", "near a loss"
VIEWS: Final = {
    "estimate": ("Its estimates", VALUES, "exact"), "exact": ("Exact values", VALUES, "error"),
    "error": ("Its errors", ("far too high", "about right", "far too low"), "estimate"),
}  # fmt: skip
"""What a cell can show: its name, the words for a high, a middle and a low number, what follows."""
ERRORS: Final = RMS_MINIMAX, RMS_OPTIMAL


class MapPage:
    """What a side expects of every position, at a moment of the session's run."""

    def __init__(self, lab: LabController, board: str = "") -> None:
        self.lab, self.session, self.shows, self.cursor = lab, lab.session, "estimate", 0
        run, layout = self.session.run, self.session.run.layout
        self.sides = [side for side in layout.learners if layout.table(side).rule.estimates]
        if not self.sides:
            raise UsageError("neither player has values of boards: td, q and most learners do")
        self.show_side(self.sides[-1 if run.seating.x is Seat.HUMAN else 0])
        if board:
            wanted = position(board.strip().upper()).id
            number = int(np.flatnonzero((images() == wanted).any(axis=0))[0])
            self.cursor = int(np.flatnonzero(self.order == number)[0])

    @property
    def is_live(self) -> bool:
        return self.session.is_training or self.session.played_film is not None

    def show_side(self, side: Side) -> None:
        self.side = side
        self.rows = places(self.session.run.layout, side)
        self.order = np.concatenate(self.rows)
        """[765] The class of each cell, row by row."""
        self.drawn = np.full(len(self.order), UNKNOWN)
        """[765] The shade of each class on screen."""
        self.look()

    def look(self, most: int | None = None) -> None:
        """Take in memory; redraw so many cells, those that change most, or all."""
        session, layout = self.session, self.session.run.layout
        v, self.game = session.known
        if not session.is_training and session.timeline.recording.is_over:
            self.game = min(self.game + 1, session.run.games)
        self.mind = mind(layout, v, self.side)
        self.truth = true_values(layout, self.side, self.game)[self.mind.boards]
        state = EvaluatedState(layout, v, self.game)
        metric = next(one for one in ERRORS if one.against == optimum(layout, self.side))
        label = f"rms V−{SHORT.get(metric.against, metric.against)}"
        self.error = f"{label} {decimals(metric.measure(state, self.side))}"
        numbers, scale = self.mind.values, layout.table(self.side).spec.rewards
        if self.shows == "exact":
            numbers = self.truth
        elif self.shows == "error":
            half = (scale[0] - scale[2]) / 2
            numbers, scale = numbers - self.truth, (half, 0.0, -half)
        wanted = shades(numbers, scale)
        if self.shows != "exact":
            wanted[~self.mind.is_known] = UNKNOWN
        changed = np.argsort(-np.abs(wanted - self.drawn), kind="stable")[:most]
        self.drawn[changed] = wanted[changed]

    # what can be asked for

    def swap(self) -> None:
        """Show the exact values, the errors, or the estimates again."""
        _, _, self.shows = VIEWS[self.shows]
        self.look()

    def other(self) -> str | None:
        if len(self.sides) < 2:
            return "The other player has no values of boards."
        self.show_side(self.side.other)
        return None

    def move(self, down: int, right: int) -> None:
        """Move the cursor along its row, or to the nearest cell of another row."""
        if right:
            self.cursor = (self.cursor + right) % len(self.order)
            return
        starts = starts_of(self.rows)
        here = bisect(starts, self.cursor) - 1
        there = min(max(here + down, 0), len(self.rows) - 1)
        wide = len(self.rows[there])
        column = self.cursor - starts[here] + (wide - len(self.rows[here])) // 2
        self.cursor = starts[there] + min(max(column, 0), wide - 1)

    def choose(self, cell: int) -> Leave | str | None:
        """Select a clicked cell; a second click opens its card."""
        if cell == self.cursor:
            return self.card()
        self.cursor = cell
        return None

    def card(self) -> Leave | str:
        """Open the card of the value under the cursor."""
        entry = int(self.mind.entries[self.order[self.cursor]])
        if self.is_live:
            return "The card opens after the film or training."
        if entry < 0:
            return "A finished game has this value: it has no card."
        return Leave(self.lab.open_card(entry))

    def play(self) -> Outcome:
        """Play the film of the run, or end it."""
        outcome = self.lab.perform("film")
        self.take()
        return outcome

    def take(self, _: None = None) -> None:
        """Show the latest snapshot or the next picture of the film."""
        self.session.look_at_training()
        self.session.tick_film(monotonic())
        self.look(CHANGES if self.is_live else None)

    # what is shown

    def page(self) -> Page:
        word = "film" if self.session.played_film is None else "stop"
        film = Key("space", word, self.play, "play the run in 20 seconds")
        _, _, following = VIEWS[self.shows]
        next_picture = Work(lambda _: None, PICTURE_SECONDS, then=self.take)
        return Page(
            "MAP",
            self.block(),
            title=tuple(named_players(self.session)),
            of_run=True,
            work=next_picture if self.is_live else None,
            keys=(
                Key("up", "", lambda: self.move(-1, 0), "the row above"),
                Key("down", "", lambda: self.move(1, 0), "the row below"),
                Key("left", "", lambda: self.move(0, -1), "the better position"),
                Key("right", "", lambda: self.move(0, 1), "the next position"),
                Key("enter", "card", self.card, "the card of this value"),
                Key("e", following, self.swap, "what is true, or the error, or what it expects"),
                Key("tab", "other", self.other, "the other player"),
                *[film] * (not self.session.is_training),
                BACK,
            ),
        )

    def block(self) -> Map:
        modes = [(f"{name}  ", "key" if name == self.shows else "dim") for name in VIEWS]
        shown, words, _ = VIEWS[self.shows]
        known, games = int(self.mind.is_known.sum()), games_text(self.game)
        numbers = f"after {games}, {known} known, {self.error}"
        here = int(self.order[self.cursor])
        place = int(self.mind.boards[here])
        visits, number = int(self.mind.visits[here]), float(self.mind.values[here])
        exact = optimum(self.session.run.layout, self.side)
        count = (("visits  ", "dim"), (f"{visits:,}", "text"))
        facts = (
            (("expects ", "dim"), ("nothing" if np.isnan(number) else decimals(number), "strong")),
            ((f"{exact:<8}", "dim"), (decimals(float(self.truth[here])), "truth")),
            count if self.mind.is_known[here] else (("never visited", "remark"),),
            ((f"ply {int(space().ply[place])}", "dim"),),
        )
        board = Card((marked(space().text(place), is_named=False), Text(facts, least=4)))
        return Map(
            rows=[self.drawn[row].tolist() for row in self.rows],
            legend=(*modes, (numbers, "text")),
            board=None if self.is_live else board,
            said=f"{shown} {numbers}.",
            words=words,
            heading=f"{self.side.mark}'s whole mind: what it expects of all 765 positions",
            cursor=None if self.is_live else self.cursor,
            clicked=self.choose,
        )


def starts_of(rows: Sequence[Sized]) -> list[int]:
    """Return the number of the first cell of each row, and the number of all cells."""
    return list(accumulate(map(len, rows), initial=0))


@lean_dataclass(kw_only=True)
class Map(Block):
    """A cell for each class of positions, a few rows for each ply, and one board next to it."""

    rows: Sequence[Sequence[int]]
    """The shade of each cell: 0 for a draw, the largest for a win; below the smallest, unknown."""
    heading: str
    legend: Words
    """What it shows, and its numbers."""
    said: str
    """The same in a sentence."""
    words: tuple[str, str, str]
    """What a high, a middle and a low shade are called."""
    board: Card | None
    """The position under the cursor."""
    cursor: int | None
    """The number of the cell under the cursor, in the order of the rows."""
    framed = False
    needs = Room(10)

    def _layout(self, columns: int, rows: int) -> tuple[int, int, int, bool]:
        """Return the width and height of a cell, the left, and whether the board is below."""
        wide = max(1, min(4, (columns - LABEL) // WIDTH))
        below = columns < LABEL + wide * WIDTH + BESIDE
        tall = max(1, min(wide, (rows - 4 - BELOW * below) // len(self.rows)))
        return wide, tall, LABEL + 2 * (not below), below

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        canvas = Canvas(columns, rows)
        wide, tall, left, below = self._layout(columns, rows)
        canvas.line(left - LABEL + 1, 0, (pen.piece(self.heading, "strong"),))
        signs = list[Piece]()
        kinds = zip((*self.words, "never visited"), (SHADES, 0, -SHADES, UNKNOWN), strict=True)
        for word, shade in kinds:
            cell = self._cell(shade, is_here=False, pen=pen)
            signs += cell, pen.piece(f" {word}  ", "dim")
        signs.append(pen.piece("rows: plies", "dim"))
        canvas.line(left - LABEL + 1, 1, crop(tuple(signs), columns - left))
        starts = starts_of(self.rows)
        for number, cells in enumerate(self.rows):
            y, x = TOP + number * tall, left + (WIDTH - len(cells)) // 2 * wide
            if PLIES[number] not in PLIES[:number]:
                canvas.put(left - LABEL, y, f"{PLIES[number]:>2}", "dim")
            for column, shade in enumerate(cells):
                is_here = starts[number] + column == self.cursor
                text, role = self._cell(shade, is_here, pen)
                for row in range(tall):
                    shown = " " if row else text
                    canvas.put(x + column * wide, y + row, shown.ljust(wide), role)
        y = TOP + len(self.rows) * tall + 1
        legend = crop(pen.line(self.legend), columns - left)
        canvas.line(left - LABEL + 1, y if below else rows - 1, legend)
        x = left + wide * WIDTH + 2
        place, room = (x, 2), (columns - x - 1, min((columns - x) // 2 + 4, rows - 4))
        if below:
            place, room = (left - LABEL + 1, y + 2), (BOARD, rows - y - 2)
        for row, line in enumerate(self.board.draw(*room, pen) if self.board else ()):
            canvas.line(place[0], place[1] + row, line)
        return canvas.lines()

    def _cell(self, shade: int, is_here: bool, pen: Pen) -> Piece:
        """Return a cell: a shade; without backgrounds a digit, 9 for a win."""
        if shade < -SHADES:
            return ("◆", "key") if is_here else ("·", "faint")
        heat = f"{shade / SHADES:.1f}"
        if pen.paints:
            return ("◆", f"heat {heat}") if is_here else (" ", f"shade {heat}")
        text = str(round(9 * (shade + SHADES) / (2 * SHADES)))
        return text, "selection" if is_here else f"heat {heat}" if pen.colours else "text"

    def row_at(self, x: int, y: int, columns: int, rows: int) -> int | None:
        wide, tall, left, _ = self._layout(columns + 2, rows + 2)
        number = (y + 1 - TOP) // tall
        if not 0 <= number < len(self.rows):
            return None
        many = len(self.rows[number])
        column = (x + 1 - left) // wide - (WIDTH - many) // 2
        return starts_of(self.rows)[number] + column if 0 <= column < many else None

    def say(self) -> Iterator[str]:
        yield spoken(f"{self.heading}.")
        yield spoken(self.said)
        kinds = (*zip(self.words, (1, 0, -1), strict=True), ("never visited", None))
        for ply in range(len(ROWS)):
            own = [row for at, row in zip(PLIES, self.rows, strict=True) if at == ply]
            many = Counter(round(n / SHADES) if n >= -SHADES else None for row in own for n in row)
            told = [
                f"{many[kind]} {word}" for word, kind in kinds if many[kind] or kind is not None
            ]
            yield f"Ply {ply}: {', '.join(told)}."
        if self.board is not None:
            yield from self.board.say()


def open_on(lab: LabController, data: object, text: str) -> Opened:
    return MapPage(lab, text).page

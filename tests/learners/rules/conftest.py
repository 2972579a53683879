"""A lab for worked examples: give the moves of a game, see what each player learned from it."""

import numpy as np
import pytest

from afterstate_lab.game import Board, space
from afterstate_lab.learners.engine.dice import seed_words
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, Kernel, empty_columns, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import Backup, Event, Move, read_events


class Lab:
    """Two players on one memory, and games with moves given from outside.

    A place is a board, or a board and a cell: `X...O....`, `X...O....@3`. A player is named by its
    spec, as text or as a `PlayerSpec`.
    """

    LOSS = "14253"
    """X takes the top row: X.. ... ..., X..O....., XX.O....., XX.OO...., XXXOO...."""

    def __init__(self, x, o, seed=0):
        x, o = (parse_player(spec) if isinstance(spec, str) else spec for spec in (x, o))
        self.layout = Layout.of(x, o)
        self.kernel = Kernel(self.layout, seed)
        self.seed = seed_words(seed)
        self.v = self.layout.fresh()
        self.tally = new_tally()
        self.events: list[Event] = []
        """Those of the games played last."""

    def table(self, player):
        return self.layout.x if player == "X" else self.layout.o

    def entry(self, player, place):
        """The number of a place in its player's table."""
        board, _, cell = place.partition("@")
        state, entries = Board.parse(board).id, self.table(player).entries
        return int(entries.of_edge[space().edge_of[state, int(cell) - 1]] if cell
                   else entries.of_state[state])  # fmt: skip

    def teach(self, player, values, table=0):
        for place, value in values.items():
            self.table(player).values(self.v)[table][self.entry(player, place)] = value
        return self

    def value(self, player, place, table=0):
        return float(self.table(player).values(self.v)[table][self.entry(player, place)])

    def visits(self, player, place):
        return float(self.table(player).visits(self.v)[0][self.entry(player, place)])

    def box(self, player, board):
        """The values of all legal moves of a board, in cell order."""
        cells = Board.parse(board).legal_cells
        return [self.value(player, f"{board}@{cell + 1}") for cell in cells]

    def play(self, cells=""):
        """Play the next game, move k on the k-th of the given cells 1-9, the others freely."""
        script = np.full(10, -1, dtype=np.int8)
        script[1 : len(cells) + 1] = [int(cell) - 1 for cell in cells]
        game = int(self.tally[:4].sum())
        return self.record(game, game + 1, script)

    def record(self, first, last, script=None):
        """Play games first .. last - 1 by the interpreter and keep their events."""
        columns = empty_columns(EVENTS_A_GAME * (last - first))
        done = self.kernel.play_interpreted(
            self.v, first, last, self.tally, script=script, tape=columns
        )
        assert done == last
        self.events = list(read_events(columns, 0, int(columns.at[0]), self.layout, self.seed))
        return self

    def backups(self, player):
        return [e for e in self.events if isinstance(e, Backup) and e.player == player]

    def moves(self, player):
        return [e for e in self.events if isinstance(e, Move) and e.player == player]

    def path(self, player):
        """The position ids of S_0 .. S_T in the one game played last, the terminal board last."""
        own = [0, *(move.afterstate for move in self.moves(player))]
        final = next(e.afterstate for e in reversed(self.events) if isinstance(e, Move))
        return own if own[-1] == final else [*own, final]


@pytest.fixture(scope="session")
def lab():
    return Lab

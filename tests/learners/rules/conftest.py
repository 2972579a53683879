"""A lab for worked examples: give the moves of a game, see what each player learned from it."""

import numpy as np
import pytest

from afterstate_lab.game import Board, space
from afterstate_lab.learners.engine.dice import seed_words
from afterstate_lab.learners.kernel.kernel import EVENTS_A_GAME, Kernel, empty_columns, new_tally
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Backup, Event, Move, NoBackup, read_events


class Lab:
    """Two players on one memory, and games with moves given from outside.

    Args:
        x: spec of X, as text or as a `PlayerSpec`.
        o: spec of O.
        seed: the seed of all dice.
    """

    LOSS = "14253"
    """X takes the top row: X.. ... ..., X..O....., XX.O....., XX.OO...., XXXOO...."""
    DRAWN = "159287364"
    """Nobody gets a line; X makes the last move."""
    X_DRAWN = (".........", "X........", "X...O...X", "XO..O..XX", "XOX.O.OXX")
    """S_0 .. S_4 of X in that game."""
    O_DRAWN = (".........", "X...O....", "XO..O...X", "XO..O.OXX", "XOX.OOOXX")
    """S_0 .. S_4 of O in that game."""
    TEMPTED = {"X..O.....": 0.75, "XX.OO....": 0.25}
    """Values with which O's moves in LOSS are: first greedy, then exploratory (siblings 0.5)."""

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

    def teach(self, player, values):
        for board, value in values.items():
            self.table(player).values(self.v)[0][Board.parse(board).id] = value

    def value(self, player, board):
        return float(self.table(player).values(self.v)[0][Board.parse(board).id])

    def visits(self, player, board):
        return float(self.table(player).visits(self.v)[0][Board.parse(board).id])

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

    def learned(self, player):
        """What a player wrote: the board and its new value, or the reason for no backup."""
        found = []
        for event in self.events:
            if isinstance(event, (Backup, NoBackup)) and event.player == player:
                told = event.new if isinstance(event, Backup) else event.reason
                found.append((str(Board.from_id(event.board)), told))
        return found

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


class MoveLab(Lab):
    """The same for players whose entries are moves: a pair is a board and a cell 1-9."""

    def entry(self, player, board, cell):
        """The number of a move's entry in its player's table."""
        edge = space().edge_of[Board.parse(board).id, cell - 1]
        return int(self.table(player).entries.of_edge[edge])

    def know(self, player, pairs, table=0):
        for (board, cell), value in pairs.items():
            self.table(player).values(self.v)[table][self.entry(player, board, cell)] = value
        return self

    def known(self, player, board, cell, table=0):
        return float(self.table(player).values(self.v)[table][self.entry(player, board, cell)])

    def box(self, player, board):
        """The values of all legal moves of a board, in cell order."""
        return [self.known(player, board, cell + 1) for cell in Board.parse(board).legal_cells]

    def learned(self, player):
        """What a player wrote: the board and cell of the entry, and its new value."""
        texts = space().texts
        return [(texts[e.board], (e.cell or 0) + 1, e.new) for e in self.backups(player)]


@pytest.fixture(scope="session")
def move_lab():
    return MoveLab

"""Players after some games, and what is true of them by the referee and by the tape."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from made import run_of
from referee import (
    EMPTY,
    Moves,
    Referee,
    Worth,
    after,
    at_random,
    cells,
    minimax,
    perfectly,
    result,
    rms,
)

from afterstate_lab.game import Board, Side, space
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run, trace_games
from afterstate_lab.tui.lab.session import Session, Settings

SEED = 5
Player = Callable[[str], Moves]
"""How a side moves."""


PLAYS: dict[str, Player] = {"random": at_random, "perfect": perfectly}
"""Who learns nothing."""


@dataclass
class Case:
    x: str
    o: str
    games: int
    seed: int = SEED

    def __str__(self) -> str:
        return f"{self.x} against {self.o}"

    def spec(self, side: str) -> str:
        return self.x if side == "X" else self.o

    @property
    def knows(self) -> list[str]:
        """The sides that learn."""
        return [side for side in "XO" if self.spec(side) not in PLAYS]

    @cached_property
    def run(self) -> Run:
        return run_of(self.x, self.o, self.games, self.seed)

    @cached_property
    def session(self) -> Session:
        session = Session(Settings(parse_player(self.x), parse_player(self.o), self.seed))
        session.run.train(self.games)
        session.timeline.go_to(self.games - 1, at_end=True)
        return session

    def keeps_states(self, side: str) -> bool:
        return self.run.layout.table(Side.parse(side)).entries.of_state is not None

    def number(self, side: str, board: str, cell: int | None = None) -> float:
        """What a learner has written for a board, or for a move at it."""
        table = self.run.layout.table(Side.parse(side))
        values, entries = table.values(self.run.memory)[0], table.entries
        number = Board.parse(board).id
        if cell is None:
            return float(values[entries.of_state[number]])
        return float(values[entries.of_edge[space().edge_of[number, cell]]])

    @cached_property
    def referees(self) -> dict[str, Referee]:
        def made(side: str) -> Referee:
            def prefers(board: str, cell: int) -> float:
                if not self.keeps_states(side):
                    return self.number(side, board, cell)
                new = after(board, cell)
                ended = result(new)
                return self.number(side, new) if ended is None else referee.reward(ended)

            options = dict(re.findall(r"(epsilon|draw)=([\d.]+)", self.spec(side)))
            told = {name: float(number) for name, number in options.items()}
            referee = Referee(side, prefers, **{"epsilon": 0.1} | told)
            return referee

        return {side: made(side) for side in self.knows}

    def moves(self, side: str) -> Player:
        return PLAYS.get(self.spec(side)) or self.referees[side].behaves

    def drawn(self, side: str, board: str) -> Moves:
        """How a matchbox moves: each colour by its beads; cells that are alike share one."""
        referee, entries = self.referees[side], self.run.layout.table(Side.parse(side)).entries
        number = Board.parse(board).id
        of_cell = {c: int(entries.of_edge[space().edge_of[number, c]]) for c in cells(board)}
        alike = Counter(of_cell.values())
        beads = {c: referee.prefers(board, c) / alike[of_cell[c]] for c in of_cell}
        in_all = sum(beads.values())
        return {c: n / in_all for c, n in beads.items()} if in_all else referee.greedy(board)

    def other(self, side: str) -> Player:
        return self.moves("O" if side == "X" else "X")

    def exact(self, side: str) -> Worth:
        """v*: of optimal play against this opponent; minimax where that one learns."""
        referee = self.referees[side]
        if len(self.knows) == 2:
            return lambda board: referee.reward(minimax(board))
        return referee.best_against(self.other(side))

    def places(self, side: str) -> list[tuple[str, int | None]]:
        """What its entries are for, but the empty board: afterstates, or moves at a board."""
        if self.keeps_states(side):
            return [(board, None) for board in self.referees[side].afterstates()]
        return [(board, cell) for board in self.referees[side].own() for cell in cells(board)]

    def error(self, side: str, truth: Worth) -> float:
        return rms(
            (self.number(side, b, c), truth(b if c is None else after(b, c)))
            for b, c in self.places(side)
        )

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """The whole tape, as `afterstate trace` writes it."""
        return list(trace_games(self.run, 0, self.games))

    @cached_property
    def writes(self) -> dict[str, Counter[tuple[str, int | None]]]:
        """How often each entry was written, by side: counted in the tape."""
        counts: dict[str, Counter[tuple[str, int | None]]] = {"X": Counter(), "O": Counter()}
        for event in self.events:
            if event["kind"] == "backup":
                cell = event["cell"]
                counts[event["player"]][event["board"], cell and cell - 1] += 1
        return counts

    def written(self, side: str) -> tuple[int, int]:
        """Entries with a backup, of so many."""
        places = self.places(side)
        return len(self.writes[side].keys() & places), len(places)

    @cached_property
    def expected(self) -> dict[str, dict[str, object]]:
        """The figures of each learner by the keys of `evaluate --json`."""
        found = {}
        for side, referee in self.referees.items():
            worst = referee.worst_loss()
            names = ("win", "draw", "loss")
            found[side] = {
                "beatable": worst > 1e-12,
                "worst_loss": worst,
                "vs_random": dict(zip(names, referee.against(at_random), strict=True)),
                "vs_perfect": dict(zip(names, referee.against(perfectly), strict=True)),
                "optimal": list(referee.optimal()),
                "missed_wins": referee.missed_wins(),
                "rms_minimax": self.error(side, lambda b, r=referee: r.reward(minimax(b))),
                "coverage": list(self.written(side)),
            }
        return found


CASES = (
    Case("td", "random", 600),
    Case("q:epsilon=0.2", "td:draw=0.25", 500),
    Case("perfect", "mc", 400),
    Case("sarsa", "tdlambda:epsilon=0", 400),
)


def shown(number: float, text: str) -> bool:
    """Whether a text is a number, rounded to as many places as it has."""
    places = len(text.partition(".")[2])
    return abs(number - float(text)) <= 0.5 * 10**-places + 1e-9


def board_of(row: str) -> tuple[str, int | None]:
    """The board of a sentence, and the move where it has one."""
    text, cell = list(EMPTY), re.findall(r"[;,] move (\d)", row)
    for side, numbers in re.findall(r"([XO]) has ((?:\d(?:, | and )?)+)", row):
        for number in re.findall(r"\d", numbers):
            text[int(number) - 1] = side
    return "".join(text), int(cell[0]) - 1 if cell else None

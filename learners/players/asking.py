"""Ask an agent for its moves on every board, and find out whether it decides by chance.

The boards that its own games reach come first, level by level; the others once, last. A function
answers for every outcome of its random calls (see `scripted`), and again in a second process, where
order, counters and hashes differ: what comes out alike is exact. Everything else is counted: in
rounds, each in a fresh process and a shuffled order, every reached board is asked until a rare
answer would have been seen, and longer as soon as two answers differ.
"""

from __future__ import annotations

import json
import math
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, lru_cache
from itertools import chain
from operator import mul
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import (
    START,
    Floats,
    evaluate,
    greedy_policy,
    perfect_policy,
    reached_positions,
    uniform_policy,
    worst_losses,
)
from afterstate_lab.learners import errors
from afterstate_lab.learners.engine.entries import Entries, movers
from afterstate_lab.learners.errors import AgentError, shown, shown_path
from afterstate_lab.learners.players.answers import (
    AgentTable,
    Answer,
    Complaint,
    failed,
    read_answer,
)
from afterstate_lab.learners.players.process import Child, LateAnswer, NoAnswer
from afterstate_lab.learners.rules.opponents import Agent

Progress = Callable[[int, int, str], None]
"""Called with the number of asks so far, the number planned, and what is certain already.

It can raise a `UsageError` to cancel."""
AHEAD: Final = 2048
"""Number of boards to send at once."""
ROUND: Final = 36
"""How often a round asks a board."""
OPENINGS: Final = 5
"""How much more often it asks the boards of the first two plies, where most ties are."""
QUIET: Final = 3
LOUD: Final = 28
"""Rounds for an agent that seems to decide without chance, and for one that does not."""
HASTY: Final = 9
"""Rounds that fit the time if an agent that decides by chance is slow: an error needs some."""
FRESH: Final = 144
"""Rounds, of one ask, for a function that rolls dice when it is loaded."""
AGAIN: Final = 4
"""How often a function whose dice were followed is asked on a board with real dice."""
PATIENCE: Final = 30.0
"""Seconds for all rounds, or as long as the first answers took."""
RARE: Final = 0.1
"""The probability of an answer that could have gone unseen."""
PROBED: Final = 40
"""Number of boards by which to find out whether an agent counts cells from 0."""
SINGLY: Final = 3
"""Number of asks after which a program is sent many boards at once."""
STARTING: Final = 3.0
"""Seconds that a program has more for its first answer."""
LONGEST_ODDS: Final = 1 << 24
"""Maximum number of bytes of all ways through a function's dice."""
PROGRAM: Final = "cmd:"
FAULTS: Final = ("resigns", "illegal", "fails")

Told = list[tuple[Any, Any]]
"""Answers to a board as they came, and how often each came or its probability."""
Counts = Counter[Answer]
"""The same of answers that were read."""


class Fault(NamedTuple):
    """Boards on which an agent has no move, for one reason."""

    boards: int
    reached: int
    """The number of them that its games reach."""
    board: str
    """The first, one that its games reach if there is any."""
    game: list[int] | None
    """The cells 1-9 of a game that leads to it, or None."""
    said: str
    """What it did there, after its name."""


class Answers(NamedTuple):
    """An agent's answers on all boards of one side."""

    policy: Floats
    """float64[16167]: its moves; a board's sum to less than 1 where it resigns or has none. Random
    where it was not asked, and for the other side."""
    answered: tuple[int, int]
    """The number of its side's boards with a legal move, and of all."""
    faults: Mapping[str, Fault]
    """By kind: `resigns`, `illegal`, `fails`."""
    unasked: int
    """The number of boards not asked, after too many exits or time-outs."""
    chance: str | None
    """`exact` where its choices are enumerated, `estimated` where they are counted, or None."""
    asked: int
    """How often the least asked board was asked, of those that its games reach."""
    counted: bool
    """Whether chance could only be found by asking often."""
    differs: tuple[str, ...]
    """The boards with more than one answer."""
    worst_loss: tuple[float, float] | None
    """An estimate of the largest chance to lose, and half its 95% interval."""
    read_as: tuple[str, ...]
    """How its answers were taken."""

    @property
    def unseen(self) -> float:
        """The probability that an answer of 1 in 10 on a board was never seen."""
        return float((1.0 - RARE) ** self.asked)


class Reading:
    """Asks an agent on every board of some sides.

    Args:
        sides: the sides to ask about.
        seconds: time limit for a move.
        progress: called with the progress.
    """

    _child: Child | None = None
    _starts = _done = 0
    """Number of processes started, and of asks."""
    _suspect: int | None = None
    """A board with an illegal answer, of those asked last."""
    _first = 1
    """The number of its first cell."""
    _is_probed = _is_fresh = False
    """Whether its first cell was looked for, and whether it rolls dice when it is loaded."""
    _grace = 0.0
    _ticks = 0.0, 0.0
    """When its process gave its first and its last answer."""
    _certain = ""

    def __init__(
        self, agent: type[ReadAgent], sides: Sequence[Side], seconds: float, progress: Progress
    ) -> None:
        self._agent, self._sides, self._seconds, self._progress = agent, sides, seconds, progress
        self._is_program = agent.name.startswith(PROGRAM)
        self._is_table = isinstance(agent.table, AgentTable)
        """Whether it answers a board always alike, as a function need not."""
        self._is_scripted = bool(agent.command) and not self._is_program
        """Whether a function's random calls can be followed, as far as is known."""
        self._begin()
        self._rounds: list[dict[int, Counts]] = []
        """The counts of rounds of the same size."""
        self._lives = dict.fromkeys(sides, 100)
        """Number of restarts left; a time-out costs ten."""
        self._children = ExitStack()
        self._singly: float = SINGLY if self._is_program else 0
        """Number of boards to send one by one before many at once."""
        self._looked = time.monotonic()
        s = space()
        self._texts, self._plies = s.texts, s.ply.tolist()
        self._mover = [Side(ply % 2) for ply in self._plies]
        self._own: dict[Side, list[int]] = {
            side: np.flatnonzero((s.outcome == 0) & (s.ply % 2 == side)).tolist() for side in sides
        }
        self._planned = sum(map(len, self._own.values()))

    def _begin(self) -> None:
        """Know nothing about its answers."""
        self._policy = uniform_policy().copy()
        """The answers so far: both sides' boards are different."""
        self._changed: set[int] = set()
        """Boards whose answers are not in it yet."""
        self._reaches: dict[Side, list[int]] = {}
        """The boards that the games of a side reach by it, as far as they were looked for."""
        self._heard: defaultdict[int, Counts] = defaultdict(Counter)
        self._exact: set[int] = set()
        """Boards of which every answer and its probability is known."""
        self._asks: defaultdict[int, int] = defaultdict(int)
        self._dead: set[int] = set()
        """Boards on which the process ended."""
        self._moved: set[Side] = set()
        """The sides that have moved or resigned."""

    def read(self) -> dict[Side, Answers | AgentError]:
        """Return the answers of every side; the first complaint of one on which it never moves.

        Raises:
            AgentError: it cannot be asked.
        """
        began = time.monotonic()
        with self._children:
            self._explore()
            for side in set(self._sides) - self._moved:
                own = [board for board in self._own[side] if board not in self._heard]
                self._ask(own[:: len(own) // PROBED])
            self._verify()
            self._count(max(PATIENCE, time.monotonic() - began))
            for side in self._moved:
                self._ask([b for b in self._own[side] if b not in self._heard])
        return {side: self._answers(side) for side in self._sides}

    def _explore(self) -> None:
        """Ask on every board that its games reach, level by level."""
        while True:
            wanted = []
            for side in self._sides:
                fresh = [board for board in self._reached(side) if board not in self._heard]
                wanted += [board for board in fresh if self._plies[board] == self._plies[fresh[0]]]
            if not wanted or not self._ask(wanted):
                return

    def _ask(self, boards: list[int]) -> bool:
        """Ask once, or for all ways of a function's dice; return whether anything was heard."""
        before, again = len(self._heard), []
        self._suspect = None
        if self._is_scripted and self._child is None:
            self._start()  # which finds out whether it is
        is_scripted = self._is_scripted
        for board, told in self._replies([(b, int(not is_scripted)) for b in boards]):
            if told:
                if is_scripted or self._is_table:
                    self._exact.add(board)
                self._hear(board, told)
            else:
                again.append(board)
                self._is_scripted &= told is not None
        for board, told in self._replies([(b, 1) for b in again]):
            self._hear(board, told)
        if self._suspect is not None and not (self._is_table or self._is_probed):
            self._is_probed = True  # by its answers to some boards, does it count cells from 0?
            own, legal = self._own[self._mover[self._suspect]], [0, 0]
            boards = own[:: len(own) // PROBED]
            for board, told in self._replies([(b, 1) for b in boards]):
                for answer, _ in told or ():
                    for first in (0, 1):
                        legal[first] += not read_answer(answer, self._texts[board], first).fault
            if legal[0] > max(legal[1], 0.9 * len(boards)):
                self._first = 0
                self._begin()
        return len(self._heard) != before

    def _verify(self) -> None:
        """Ask a function whose dice were followed once more, in another process and order."""
        boards = [board for board in self._open_boards() if board in self._exact]
        if self._is_table or not boards:
            return
        random.Random(0).shuffle(boards)
        self._restart()
        for times in (0, AGAIN):
            for board, told in self._replies([(board, times) for board in boards]):
                known, counts = self._heard[board], self._counts(board, told)
                is_same = bool(counts) and counts.keys() <= known.keys()
                if not times:
                    is_same &= all(abs(known[a] - counts.get(a, 0.0)) < 1e-9 for a in known)
                self._asks[board] += max(1, times)
                if not is_same:
                    self._exact.clear()
                    self._hear(board, told)

    def _count(self, seconds: float) -> None:
        """Ask often on the boards whose answers are not exact.

        Args:
            seconds: time for it; every board is asked twice in any case.
        """
        began, size, done, rounds = time.monotonic(), 1, 0, 2
        while done < rounds:
            boards = [board for board in self._open_boards() if board not in self._exact]
            if not boards or self._is_table or (done and time.monotonic() - began > seconds):
                return
            is_loud = any(len(self._heard[board]) > 1 for board in boards)
            if done == 1 and not self._is_fresh:
                taken = max(1e-6, self._ticks[1] - self._ticks[0])
                fit = seconds / (HASTY if is_loud else QUIET) / taken
                size = min(ROUND, max(1, int(fit)))
            rounds = 1 + (FRESH if self._is_fresh else LOUD if is_loud else QUIET)
            often = size * OPENINGS if size > 1 else 1
            asks = [(board, often if self._plies[board] <= 2 else size) for board in boards]
            random.Random(done).shuffle(asks)
            self._planned = self._done + sum(times for _, times in asks) * (rounds - done)
            self._planned += sum(map(len, self._own.values())) - len(self._heard)
            self._restart()
            heard: defaultdict[int, Counts] = defaultdict(Counter)
            for board, told in self._replies(asks):
                heard[board].update(self._hear(board, told))
            if done:
                self._rounds.append(heard)
            done += 1
            self._explore()

    def _hear(self, board: int, told: Told | None) -> Counts:
        """Add answers to what is known of a board, and return them."""
        new = self._counts(board, told)
        for answer in new:
            if answer.fault in ("", "resigns"):
                self._moved.add(self._mover[board])
            elif answer.fault == "illegal":
                self._suspect = board
        self._heard[board].update(new)
        self._asks[board] += round(sum(new.values())) or 1
        self._changed.add(board)
        return new

    def _settled(self) -> Floats:
        """Return the policy of all answers so far."""
        if self._changed:
            set_rows(self._policy, {board: self._heard[board] for board in self._changed})
            self._changed.clear()
            self._reaches.clear()
        return self._policy

    def _counts(self, board: int, told: Told | None) -> Counts:
        counts: Counts = Counter()
        for answer, count in told or ():
            counts[read_answer(answer, self._texts[board], self._first)] += count
        return counts

    def _reached(self, side: Side) -> list[int]:
        policy = self._settled()
        if side not in self._reaches:
            reached = reached_positions(policy, side).tolist()
            self._reaches[side] = [board for board in self._own[side] if reached[board]]
        return self._reaches[side]

    def _open_boards(self) -> list[int]:
        """Return the boards that its games reach, with a choice."""
        asked = self._heard.keys() - self._dead
        boards = [board for side in self._sides for board in self._reached(side)]
        return [board for board in boards if board in asked and self._plies[board] < 8]

    def _replies(self, asks: list[tuple[int, int]]) -> Iterator[tuple[int, Told | None]]:
        """Ask on boards, each so often, and yield each with its answers and their counts.

        0 times are all ways of a function's dice, with probabilities; then the answers are empty
        if there are too many ways, and None if its random calls cannot be followed. Boards are
        skipped if the process ended too often.
        """
        if self._is_program:  # which gives one answer to each line
            asks = [(board, 1) for board, times in asks for _ in range(times or 1)]
        at = 0
        while at < len(asks):
            side, ahead = self._mover[asks[at][0]], 1 if self._singly > 0 else AHEAD
            # It is given up if it ended too often, sooner if it has no move yet.
            if self._lives[side] <= (0 if side in self._moved else 80):
                at += 1
                continue
            try:
                if self._agent.table is not None:
                    board, times = asks[at]
                    yield board, [self._of_table(self._agent.table, board) for _ in range(times)]
                    at += 1
                elif self._is_program:
                    boards = [board for board, _ in asks[at : at + ahead]]
                    found = Counter(zip(boards, self._of_program(boards), strict=True))
                    for (board, line), count in found.items():
                        is_cell = re.fullmatch("[0-9]{1,2}", line)
                        yield board, [(int(line) if is_cell else line, float(count))]
                    at += len(boards)
                else:
                    for board, told in self._of_function(asks[at : at + ahead]):
                        yield board, told
                        at += 1
            except (NoAnswer, OSError) as error:
                self._restart()
                if self._is_program and ahead > 1:  # whose fault it was is not known
                    self._singly = math.inf
                    continue
                board = asks[at][0]
                self._dead.add(board)
                more, cost = "", 1
                if isinstance(error, LateAnswer):
                    more, cost = f" (:seconds={10 * self._seconds:g} allows more)", 10
                self._lives[self._mover[board]] -= cost
                yield board, [(Answer(fault="fails", said=f"{error}{more}"), 1.0)]
                while at < len(asks) and asks[at][0] == board:  # it would end it again
                    at += 1

    def _of_table(self, table: AgentTable, board: int) -> tuple[Any, float]:
        try:
            told: Any = table.answer(self._texts[board])
        except Complaint as error:
            told = Answer(fault="illegal", said=str(error))
        self._tick(1)
        return told, 1.0

    def _of_function(self, asks: list[tuple[int, int]]) -> Iterator[tuple[int, Told | None]]:
        """Yield a function's answers to boards, as they come."""
        child, lines = self._child or self._start(), list[str]()
        child.write(f"{self._texts[board]} {times}" for board, times in asks)
        for board, times in asks:
            while not lines:
                lines = child.lines(self._seconds, self._beat, LONGEST_ODDS, AHEAD)
                lines = [line for line in reversed(lines) if line]
                self._tick(0)
            self._done += times or 1
            yield board, outcomes(lines.pop())

    def _of_program(self, boards: list[int]) -> list[str]:
        """Return a program's lines for some boards, sent at once."""
        child, lines = self._child or self._start(), list[str]()
        child.read()
        if child.out:
            text = shown(child.out[:40].decode(errors="replace"), 20)
            raise NoAnswer(f"prints more than one line for one board ({text})")
        child.write(self._texts[board] for board in boards)
        while len(lines) < len(boards):
            due, seconds = len(boards) - len(lines), self._seconds + self._grace
            more = child.lines(seconds, self._beat, most=due)
            lines += [line.strip() for line in more]
            self._grace = 0.0
            self._tick(len(more))
        child.read()
        if child.out and len(boards) > 1:
            raise NoAnswer("prints more lines than there are boards")
        self._singly -= 1
        return lines

    def _start(self) -> Child:
        """Start its process, each with other hashes of texts."""
        env = {"PYTHONHASHSEED": str(self._starts)}
        if self._is_program:  # the host of a function sees to it
            env["PYTHONDONTWRITEBYTECODE"] = "1"
        self._starts += 1
        try:
            child = self._children.enter_context(Child(*self._agent.command, **env))
        except OSError as error:
            raise self._agent.error(f"does not start: {errors.reason(error)}") from None
        self._child, self._ticks = child, (0.0, 0.0)
        self._grace = STARTING if self._is_program else 0.0
        if not self._is_program:
            try:
                told = json.loads(child.lines(max(30.0, self._seconds), self._beat)[0])
                if isinstance(told, dict):
                    raise NoAnswer(failed(told))
                is_fresh, is_foreign = map(bool, told)
                self._is_fresh |= is_fresh
                self._is_scripted &= not (self._is_fresh or is_foreign)
            except (ValueError, TypeError, KeyError):
                raise self._agent.error("writes into the pipe of its answers") from None
            except NoAnswer as error:
                raise self._agent.error(error) from None
        return child

    def _restart(self) -> None:
        """End its process; the next ask starts another."""
        self._child = None
        self._children.close()

    def _tick(self, asks: int) -> None:
        now = time.monotonic()
        self._ticks = self._ticks[0] or now, now
        self._done += asks
        self._beat()

    def _beat(self) -> None:
        """Report the progress; each second, look for sides that can be beaten, whatever comes."""
        if time.monotonic() - self._looked > 1.0:
            policy, heard = self._settled(), self._heard
            sure = [side.mark for side in self._sides if is_beaten(policy, heard, side)]
            self._certain = f"{' and '.join(sure)} can be beaten" if sure else ""
            self._looked = time.monotonic()
        self._progress(self._done, max(self._planned, self._done), self._certain)

    def _answers(self, side: Side) -> Answers | AgentError:
        heard = {board: self._heard[board] for board in self._own[side] if board in self._heard}
        if side not in self._moved:
            board, counts = next(iter(heard.items()))
            return self._agent.error(next(iter(counts)).said, self._texts[board])
        policy, reached = self._settled(), set(self._reached(side))
        kinds = defaultdict[str, list[tuple[bool, int, str]]](list)
        for board, counts in heard.items():
            for answer in counts:
                kinds[answer.fault].append((board not in reached, board, answer.said))
        legal, faults = {board for _, board, _ in kinds.pop("", ())}, {}
        for kind, found in kinds.items():
            is_elsewhere, board, said = min(found)
            boards = {board for _, board, _ in found}
            game = None if is_elsewhere else game_to(policy, side, board)
            faults[kind] = Fault(len(boards), len(boards & reached), self._texts[board], game, said)
        open_boards = [board for board in self._open_boards() if board in reached]
        counted = [board for board in open_boards if board not in self._exact]
        asked = min((self._asks[board] for board in counted or open_boards), default=1)
        differs = [board for board, counts in heard.items() if len(counts) > 1]
        chance, estimate = "exact" if set(differs) & set(open_boards) else None, None
        if set(differs) & set(counted):
            chance, estimate = "estimated", estimated_loss(policy, self._rounds, side, asked)
        return Answers(
            policy,
            (len(legal), len(self._own[side])),
            faults,
            len(self._own[side]) - len(heard),
            chance,
            asked,
            bool(counted),
            tuple(self._texts[board] for board in differs),
            estimate,
            ("counts cells from 0",) * (not self._first)
            + (tuple(self._agent.table.notes) if isinstance(self._agent.table, AgentTable) else ()),
        )


class ReadAgent(Agent):
    """An agent that is asked when its first run starts; a subclass names one agent."""

    command: ClassVar[tuple[str, ...]]
    """The interpreter's options and the host's arguments; empty for a table."""
    table: ClassVar[AgentTable | None] = None
    sha256: ClassVar[str]
    known: ClassVar[dict[tuple[Side, float], Answers | AgentError]]
    """Its answers, or that it does not play, by side and time limit."""

    def __init_subclass__(cls) -> None:
        cls.known = {}

    @classmethod
    def error(cls, message: object, board: str = "") -> AgentError:
        """Return the error for an agent's answer on a board."""
        where = f"on the board {board} " if board else ""
        return AgentError(f"{where}{shown_path(cls.name)} {message}")

    @classmethod
    def check_side(cls, side: int) -> None:
        if cls.table is not None and side not in cls.table.sides:
            raise cls.error(f"has no row for {'XO'[side]}")

    @classmethod
    def initial_values(cls, entries: Entries, settings: Mapping[str, Any]) -> Floats:
        return cls.moves(Side(entries.side), settings).policy[entries.edges]

    @classmethod
    def answers(
        cls,
        sides: Sequence[Side],
        settings: Mapping[str, Any],
        progress: Progress = lambda *_: None,
    ) -> dict[Side, Answers]:
        """Return its answers for the sides that it plays, asked once; see `Reading`.

        Raises:
            AgentError: it plays none of them, or cannot be asked.
        """
        seconds = float(settings["seconds"])
        wanted = [side for side in sides if (side, seconds) not in cls.known]
        for side in wanted:
            cls.check_side(side)
        if wanted:
            read = Reading(cls, wanted, seconds, progress).read()
            cls.known |= {(side, seconds): answers for side, answers in read.items()}
        found = {side: cls.known[side, seconds] for side in sides}
        played = {side: one for side, one in found.items() if isinstance(one, Answers)}
        if found and not played:
            raise next(one for one in found.values() if isinstance(one, AgentError))
        return played

    @classmethod
    def moves(
        cls, side: Side, settings: Mapping[str, Any], progress: Progress = lambda *_: None
    ) -> Answers:
        """Return its answers for a side, if it has a legal move wherever its games lead."""
        answers = cls.answers([side], settings, progress)[side]
        faults = map(answers.faults.get, ("illegal", "fails"))  # of one board the first is told
        if reached := [fault for fault in faults if fault is not None and fault.reached]:
            first = min(reached, key=lambda fault: space().texts.index(fault.board))
            raise cls.error(first.said, first.board)
        return answers


@lru_cache(maxsize=4096)
def outcomes(line: str) -> Told | None:
    """Read a line of the host: answers with counts or probabilities.

    Raises:
        NoAnswer: the line is none of the host's.
    """
    try:
        told = json.loads(line)
        return None if told is None else [(answer, float(count)) for answer, count in told]
    except (ValueError, TypeError, RecursionError):
        raise NoAnswer("writes into the pipe of its answers") from None


def set_rows(policy: Floats, heard: Mapping[int, Counts]) -> None:
    """Write the probabilities of the moves on some boards, from counted answers."""
    rows = [next(iter(c)).row if len(c) == 1 else mixed(c) for c in heard.values()]
    edges = space().edge_of[list(heard)]
    chances = np.fromiter(chain.from_iterable(rows), np.float64, edges.size).reshape(edges.shape)
    policy[edges[edges >= 0]] = chances[edges >= 0]


def mixed(counts: Counts) -> tuple[float, ...]:
    total, cells = sum(counts.values()), zip(*(answer.row for answer in counts), strict=True)
    return tuple(sum(map(mul, cell, counts.values())) / total for cell in cells)


def is_beaten(policy: Floats, heard: Collection[int], side: Side) -> bool:
    """Return whether an opponent wins by the answers that were heard, however perfect the rest."""
    known = np.isin(space().edge_state, list(heard))
    return bool(worst_losses(np.where(known, policy, perfect_policy()), side)[START])


def game_to(policy: Floats, side: Side, board: int) -> list[int]:
    """Return the cells 1-9 of a game in which a side that plays a policy comes to a board."""
    s, reached, cells = space(), reached_positions(policy, side), list[int]()
    goes = reached[s.edge_state] & ((policy > 0.0) | ~movers(side))
    while board:
        edge = int(np.flatnonzero(goes & (s.edge_successor == board))[0])
        board = int(s.edge_state[edge])
        cells.insert(0, int(s.edge_cell[edge]) + 1)
    return cells


@cache
def student_t(degrees: int) -> float:
    """Return the 97.5% quantile of Student's t, from its closed form for whole degrees."""

    def inside(angle: float) -> float:
        """P(|t| <= √degrees tan angle); Abramowitz and Stegun 26.7.3 and 26.7.4."""
        is_odd = degrees % 2
        total, term = 0.0, math.cos(angle) if is_odd else 1.0
        for k in range(2 + is_odd, degrees + 1, 2):
            total += term
            term *= math.cos(angle) ** 2 * (k - 1) / k
        total *= math.sin(angle)
        return (angle + total) * 2 / math.pi if is_odd else total

    angle = bisected(math.pi / 2, lambda angle: inside(angle) <= 0.95)
    return math.sqrt(degrees) * math.tan(angle)


def bisected(high: float, holds: Callable[[float], bool]) -> float:
    """Return the largest number from 0 up to which a condition is true."""
    low = 0.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def estimated_loss(
    policy: Floats, rounds: Sequence[Mapping[int, Counts]], side: Side, asked: int
) -> tuple[float, float]:
    """Estimate the largest probability with which an opponent beats an agent.

    The best response to counts is best for their noise, too, so their own value is too large. A
    response to one half of the rounds is valued in the rounds of the other half: no better than the
    best, and without bias. The interval reaches from the mean of these, less its error, to the
    value for all counts, and its error more. A round is one process, so an agent that decides when
    it starts is covered, too.

    Returns:
        The middle, and half the 95% interval.
    """
    if len(rounds) < 2:
        return 0.5, 0.5
    policies = []
    for heard in rounds:
        policies.append(policy.copy())
        set_rows(policies[-1], heard)
    halves, losses = (policies[::2], policies[1::2]), []
    for known, other in (halves, halves[::-1]):
        worst = worst_losses(np.mean(known, axis=0), side)
        response = greedy_policy(worst[space().edge_successor])
        for own in other:
            ends = evaluate(response, own) if side else evaluate(own, response)
            losses.append(float(ends[0, 0 if side else 2]))
    width = student_t(min(len(losses), LOUD) - 1)  # more rounds make it no narrower
    error = width * float(np.std(losses, ddof=1)) / len(losses) ** 0.5
    error += 1.5 / asked  # what is so rare that it was never seen
    low, high = (
        max(0.0, sum(losses) / len(losses) - error),
        min(1.0, float(worst_losses(policy, side)[START]) + error),
    )
    middle = (low + high) / 2
    return middle, max(high - middle, middle - low)

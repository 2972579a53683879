"""Be the learner: the turns of one player in a game as questions, event by event.

Which moves are greedy? Which values change? Towards what? To which number? The answers are the
events of the tape, so any rule can be asked about. Wrong choices are other values of the table.
A question is asked only if what it shows decides the answer: no greedy move among equals, and a
finished board hides its value until you said towards what to move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from afterstate_lab.game import Side, space
from afterstate_lab.game.constants import DRAWN, O_WON, X_WON
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.judge.evaluated_state import rate_of
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import (
    Cursor,
    Move,
    NoBackup,
    Recording,
    TapePosition,
    best_cells,
    mover_values,
)
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.update import codes_of

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec

Fact = tuple[str, float | str]
"""A fact that a question gives: a label, and a number or words."""
NEAR: Final = 0.0005
"""Tolerance of a predicted number: half of the third decimal."""
ROUNDING: Final = 1 + 1e-9
WAYS: Final[Mapping[str, int]] = {"+": 1, "-": -1, "−": -1, "=": 0}
"""The sign of the change for each sign of a prediction."""
ENDS: Final = {X_WON: "a win", O_WON: "a win", DRAWN: "a draw"}
"""What a move that ends the game leads to."""
DIGITS: Final = "₀₁₂₃₄₅₆₇₈₉"
WRONG: Final = 4
"""Wrong choices."""
CANDIDATES: Final = 20
"""The most instructive of so many games is asked about."""
DECIDING: Final = "exploration", "n", "gamma"
"""Options that a question states: they decide which value changes, or towards what."""


QuizKind = Literal["value", "entry", "greedy", "target"]
"""The questions: the number written, the values that change, the greedy moves, the target."""


class ShownBoard(NamedTuple):
    """A time step of the player, as a question shows it."""

    name: str
    """Its symbol: S₁, or for a move S₁,A₁."""
    cells: str
    """The board as nine characters."""
    values: tuple[tuple[str, float], ...] = ()
    """Its values by symbol; none while they would reveal the answer."""
    moved: int | None = None
    """0-8: the cell marked last."""
    placed: int | None = None
    """0-8: the cell of the valued move."""


@dataclass(frozen=True)
class QuizQuestion:
    kind: QuizKind
    place: TapePosition
    """The event that it is about."""
    ply: int
    player: str
    board: str
    """The board as nine characters."""
    prompt: str
    facts: tuple[Fact, ...]
    why: str
    """The explanation, shown after the answer."""
    choices: tuple[str, ...]
    """The possible answers; empty if the answer is a number."""
    right: float
    """The index of the right choice, or the right number."""
    boards: tuple[ShownBoard, ...] = ()

    @property
    def is_number(self) -> bool:
        return not self.choices

    def text(self, given: float) -> str | float:
        """Return an answer as a choice, or as the number."""
        return given if self.is_number else self.choices[int(given)]

    def read(self, text: str) -> float | None:
        """Read an answer: a number, a choice, or its position from 1; None for anything else."""
        word, number = text.strip(), read_number(text)
        if self.is_number:
            return number
        if word in map(str, range(1, len(self.choices) + 1)):
            return float(word) - 1
        for place, name in enumerate(self.choices):
            if name.lower() == word.lower() or number == read_number(name) is not None:
                return float(place)
        return None

    def is_right(self, given: float) -> bool:
        return abs(given - self.right) <= 2 * NEAR * ROUNDING


def read_number(text: str) -> float | None:
    """Read a finite number of at most 30 characters; None for anything else."""
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        return None
    return number if math.isfinite(number) and len(text) <= 30 else None


class Predictions:
    """Your predictions of backups, each a number or a direction."""

    def __init__(self) -> None:
        self.wanted = False
        """Whether to ask before each backup."""
        self.given: list[bool] = []
        """Whether each was right, or at least its direction."""

    def judge(self, text: str, old: float, new: float) -> str | None:
        """Score `.55`, `+`, `-` or `=` for a backup from old to new; None for anything else."""
        number, way = read_number(text), WAYS.get(text.strip())
        if number is not None:
            way = (number > old) - (number < old)
        if way is None:
            return None
        said = "the right way" if way == (new > old) - (new < old) else "the other way"
        if number is not None and abs(number - new) <= NEAR * ROUNDING:
            said = "right"
        self.given.append(said != "the other way")
        many = f"{sum(self.given)} of {len(self.given)}"
        return f"{said}: {old:.3f} becomes {new:.3f}. So far {many}."


def written(number: float) -> str:
    """Return a number with at most four decimals: `.5987`, `−1`."""
    text = f"{round(number, 4) + 0.0:g}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(number) < 1 else text


def words(told: float | str) -> str:
    return told if isinstance(told, str) else written(told)


def term(number: float) -> str:
    """Return a number within a sum: one below 0 in parentheses."""
    return f"({written(number)})" if number < 0 else written(number)


class Turn(NamedTuple):
    """A move, and what the player writes until the next move."""

    row: int
    move: Move
    is_last: bool
    event: int
    """The row of its first backup, or of the reason for none; without both the move's."""
    writes: tuple[int, ...]
    """The rows of its backups."""
    is_own: bool
    own: tuple[Move, ...]
    """The player's moves up to it."""
    steps: Mapping[int, ShownBoard]
    """The player's time steps up to it by their entries in its table, without values."""


class Hand:
    """A player of a recorded game, whose turns are asked about.

    Args:
        run: the run.
        game: the number of the game.
        player: X or O.
        recording: it holds the game.
    """

    def __init__(self, run: Run, game: int, player: str, recording: Recording) -> None:
        self.run, self.game, self.player, self.recording = run, game, player, recording
        rows = recording.rows_of(game)
        self.first = rows.start
        self.events: Sequence[Any] = recording.events(rows.start, rows.stop)
        self.cursor = Cursor(recording, rows.start)
        self.table = recording.layout.table(Side.parse(player))
        self.entries, self.rule = self.table.entries, self.table.rule
        self.settings = self.table.spec.settings

    def memory(self, row: int) -> Any:
        """Return memory before an event."""
        self.cursor.seek(self.first + row)
        return self.cursor.v

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The player's own turns; if the opponent ends the game, its last move too."""
        turns, own, many = list[Turn](), tuple[Move, ...](), len(self.events)
        steps = dict[int, ShownBoard]()
        if self.entries.of_state is not None:
            steps[0] = ShownBoard("S₀", space().text(0))
        # What fills an empty box anew is not asked about.
        refill = None if self.rule.estimates else self.table.rewards
        moves = [row for row, event in enumerate(self.events) if isinstance(event, Move)]
        for row, end in pairwise([*moves, many]):
            move, is_own = self.events[row], self.events[row].player == self.player
            own += (move,) * is_own
            steps = steps | self.step(move, len(steps), is_shown=is_own or end == many)
            if not is_own and end < many:
                continue
            after = range(row + 1, end)
            learned = [at for at in after if getattr(self.events[at], "player", "") == self.player]
            writes = [at for at in learned if getattr(self.events[at], "read", refill) != refill]
            for at in writes:
                text = space().text(self.events[at].board)
                steps.setdefault(self.place_of(at)[1], ShownBoard(text, text))
            first = (*writes, *learned, row)[0]
            turns.append(Turn(row, move, end == many, first, tuple(writes), is_own, own, steps))
        return tuple(turns)

    def step(self, move: Move, many: int, *, is_shown: bool) -> dict[int, ShownBoard]:
        """Return the time step that a move leads to by its entry, if the player has one there.

        Args:
            move: a move of either player.
            many: the number of time steps before.
            is_shown: whether to return the afterstate even if the player has no value of it.
        """
        text, entries = space().text, self.entries
        if entries.of_state is None:
            number = DIGITS[many + 1]
            name = f"S{number},A{number}" if self.rule.estimates else f"box {many + 1}"
            step = ShownBoard(name, text(move.board), placed=move.cell)
            return {int(entries.of_edge[move.edge]): step} if move.player == self.player else {}
        entry = int(entries.of_state[move.afterstate])
        step = ShownBoard(f"S{DIGITS[many]}", text(move.afterstate), moved=move.cell)
        return {entry: step} if is_shown or entries.live[entry] else {}

    # what is shown

    def symbol(self, name: str, table: int | None = None) -> str:
        """Return the symbol of the value of a time step, in one of two tables."""
        if not self.rule.estimates:
            return name
        which = "" if table is None or self.rule.tables == 1 else DIGITS[table + 1]
        return f"{'V' if self.rule.by_state else 'Q'}{which}({name})"

    def shown(self, turn: Turn, row: int, *, hides: bool) -> tuple[ShownBoard, ...]:
        """Return the time steps of a turn with their values before an event.

        Args:
            turn: the turn.
            row: the event.
            hides: whether finished boards hide their values.
        """
        tables, live = self.table.values(self.memory(row)), self.entries.live
        hides &= self.rule.by_state
        return tuple(
            step._replace(
                values=tuple(
                    (self.symbol(step.name, number), float(values[entry]))
                    for number, values in enumerate(tables)
                    if live[entry] or not hides
                )
            )
            for entry, step in turn.steps.items()
        )

    def place_of(self, row: int) -> tuple[int, int]:
        """Return the table that a backup writes to, and the entry there."""
        return divmod(int(self.events[row].entry) - self.table.base, len(self.entries.boards))

    def named(self, row: int, turn: Turn) -> str:
        """Return the symbol of what a backup writes."""
        table, entry = self.place_of(row)
        return self.symbol(turn.steps[entry].name, table)

    def worths(self, row: int, board: int, table: int = 0) -> dict[int, float | str]:
        """Return what each cell of a board leads to: a value, or how the game ends there."""
        s, of_state = space(), self.entries.of_state
        edges = s.edges_of(board)
        after = s.edge_successor[edges]
        entries = self.entries.of_edge[edges] if of_state is None else of_state[after]
        values = self.table.values(self.memory(row))[table, entries].tolist()
        ends = s.outcome[after].tolist() if of_state is not None else [0] * len(values)
        cells = s.edge_cell[edges].tolist()
        return {
            cell: ENDS.get(end, value) for cell, value, end in zip(cells, values, ends, strict=True)
        }

    def facts(self, kind: QuizKind, turn: Turn, row: int) -> Iterator[Fact]:
        """Yield what a question tells besides boards and values."""
        yield "", self.rule.equation.symbols
        if kind == "entry" and "exploration" in self.settings:
            steps = [f"A{DIGITS[n]}" for n, one in enumerate(turn.own, 1) if one.exploratory]
            yield "exploratory moves so far", ", ".join(steps) or "none"
        if kind != "value":
            for option in self.rule.options:
                if option.name in DECIDING:
                    yield option.help, self.settings[option.name]
        if turn.is_last:
            end = self.events[-1]
            ends = "a draw" if end.result == "draw" else f"{end.result} wins"
            loser = "O" if end.result == "X" else "X"
            yield "the game ends:", f"{loser} resigns" if end.resigned else ends
        board = self.choice_of(turn) if kind == "target" else None
        if board is None:
            return
        for table in range(self.rule.tables):
            worths = self.worths(row, board, table)
            told = (f"{cell + 1}: {words(worth)}" for cell, worth in worths.items())
            which = f"{self.symbol('', table)[:-2]} of its moves now"
            yield "the replies lead to" if self.rule.by_state else which, ", ".join(told)
            if self.rule.tables > 1 and table == self.place_of(row)[0]:
                read = (self.events[row].read - self.table.base) % len(self.entries.boards)
                numbers = [*worths.values()]
                if numbers.count(max(numbers, key=float)) > 1:
                    yield "of equal moves it takes", f"cell {int(self.entries.cells[read]) + 1}"
        if self.rule.equation.kind is TargetKind.EXPECTED_PAIR:
            yield "ε", rate_of(self.recording.layout, self.table.side, self.game)

    def choice_of(self, turn: Turn) -> int | None:
        """Return the board whose moves the target of a turn is read from, if there is one."""
        if self.rule.equation.kind is TargetKind.BEST_REPLY and not turn.is_last:
            return turn.move.afterstate
        is_pair = self.rule.estimates and not self.rule.by_state
        return turn.move.board if is_pair and turn.is_own and len(turn.own) > 1 else None

    # questions

    def questions(self) -> list[QuizQuestion]:
        """Return the questions of the game in order; the last number is typed."""
        last = max((row for turn in self.turns for row in turn.writes), default=None)
        asked = list[QuizQuestion]()
        for turn in self.turns:
            if turn.is_own:
                asked += self.greedy(turn)
            asked.append(self.which(turn))
            before = None
            for row in turn.writes:
                target = self.events[row].target
                if self.rule.shares_error:
                    target = float(self.recording.errors[self.first + row])
                elif not self.rule.estimates:
                    target = self.of_terms(row).get("R")
                if target is not None and target != before:
                    asked.append(self.towards(turn, row, target))
                    before = target
                asked.append(self.becomes(turn, row, is_typed=row == last))
        return [question for question in asked if len(question.choices) != 1]

    def question(
        self,
        kind: QuizKind,
        turn: Turn,
        row: int,
        right: Any,
        others: Iterable[Any],
        prompt: str,
        why: str = "",
        *,
        facts: Iterable[Fact] = (),
        text: Callable[[Any], str] = written,
        is_typed: bool = False,
    ) -> QuizQuestion:
        """Return a question about an event: its answer, then others."""
        options = {text(right): right}
        for one in others:
            if len(options) <= WRONG:
                options.setdefault(text(one), one)
        kept = sorted(options, key=options.__getitem__)
        is_greedy, move = kind == "greedy", turn.move
        return QuizQuestion(
            kind,
            TapePosition(self.game, row),
            move.ply,
            self.player,
            space().text(move.board if is_greedy else move.afterstate),
            prompt,
            tuple(facts) if is_greedy else (*self.facts(kind, turn, row), *facts),
            why or f"{text(right)}.",
            () if is_typed else tuple(kept),
            right if is_typed else float(kept.index(text(right))),
            () if is_greedy else self.shown(turn, row, hides=kind != "value"),
        )

    def greedy(self, turn: Turn) -> Iterator[QuizQuestion]:
        """Ask for all greedy moves, unless all moves are alike."""
        ranks = mover_values(self.table, self.memory(turn.row), turn.move.board)
        best = tuple(best_cells(ranks))
        levels = sorted(set(ranks.values()), reverse=True)[1:]
        if not levels:
            return
        alike = [tuple(cell for cell in ranks if ranks[cell] == level) for level in levels]
        others = [best[:1], best[-1:], *alike, *((cell,) for cell in ranks)]
        worths: Mapping[int, float | str] = ranks
        if self.rule.tables == 1:
            worths = self.worths(turn.row, turn.move.board)
        draws = self.rule.draws
        which = "Which bead are you most likely to draw?" if draws else "Which moves are greedy?"
        yield self.question(
            "greedy",
            turn,
            turn.row,
            best,
            others,
            f"{self.player} is to move. {which}",
            facts=[
                (f"cell {cell + 1}", worth if self.rule.estimates else words(worth))
                for cell, worth in worths.items()
            ],
            text=lambda cells: (
                f"cell{'s' * (len(cells) > 1)} {' '.join(str(cell + 1) for cell in cells)}"
            ),
        )

    def which(self, turn: Turn) -> QuizQuestion:
        """Ask for all values that change."""
        names = [self.symbol(step.name) for step in turn.steps.values()]

        def text(chosen: Sequence[int]) -> str:
            return ", ".join(names[number] for number in chosen) or "none"

        changed = {self.place_of(row)[1] for row in turn.writes}
        right = tuple(n for n, entry in enumerate(turn.steps) if entry in changed)
        every = range(len(names))
        others = [(), right[1:], right[:-1], *((n,) for n in reversed(every)), tuple(every)]
        why = text(right)
        if not right:
            waits = "this result teaches nothing" if turn.is_last else "it waits"
            is_refused = isinstance(self.events[turn.event], NoBackup)
            why += f": {'exploratory' if is_refused else waits}"
        what = "values" if self.rule.estimates else "boxes"
        return self.question(
            "entry",
            turn,
            turn.event,
            right,
            others,
            f"{turn.move.player} marked {turn.move.cell + 1}. "
            f"Which {what} of {self.player} change?",
            f"{why}.",
            text=text,
        )

    def of_terms(self, row: int) -> dict[str, float]:
        """Return by symbol the terms of the equation that a variable of the rule's code holds."""
        known = codes_of(self.run, self.recording, self.game)[row].variables
        terms = self.rule.equation.terms
        return {one.symbol: known[one.variable] for one in terms if one.variable in known}

    def towards(self, turn: Turn, row: int, target: float) -> QuizQuestion:
        """Ask for the target of a backup; with traces for the error, for beads for the reward."""
        rewards = self.table.spec.rewards
        prompt = f"Towards what does {self.named(row, turn)} move?"
        held = [value for step in self.shown(turn, row, hides=True) for _, value in step.values]
        others: list[float | str] = [*held[-2:], *rewards, *held]
        if (board := self.choice_of(turn)) == turn.move.board:  # by Q-learning and by Sarsa
            now = self.worths(row, board)
            others[:0] = [now[turn.move.cell], max(now.values(), key=float)]
        if self.rule.shares_error:
            prompt = "What is the error δ of this turn?"
        elif not self.rule.estimates:
            prompt = "How many beads does the result add to each box?"
            others = [*rewards, 0.0, 2.0]
        return self.question("target", turn, row, target, others, prompt)

    def becomes(self, turn: Turn, row: int, *, is_typed: bool) -> QuizQuestion:
        """Ask for the new value of a backup."""
        event, name = self.events[row], self.named(row, turn)
        old, new, target, step = event.old, event.new, event.target, written(event.step)
        near = new + 0.05, new - 0.05, new + 0.1, new - 0.1
        facts: list[Fact] = [("step size", event.step), ("target", target)]
        total = f"{written(old)} + {step} × ({written(target)} − {term(old)})"
        if self.rule.shares_error:
            error = float(self.recording.errors[self.first + row])
            facts[1:] = [("error δ", error), ("trace z", event.trace)]
            total = f"{written(old)} + {step} × {written(event.trace)} × {term(error)}"
        elif not self.rule.estimates:
            facts, total = [*self.of_terms(row).items()], self.rule.equation.symbols
            near = old + 1, new + 1, new + 2, new + 3
        change = "stays" if new == old else f"becomes {written(new)}"
        return self.question(
            "value",
            turn,
            row,
            new,
            (target, old, *near),
            f"What does {name} become?",
            f"{name}: {written(old)} {change}: {total}.",
            facts=facts,
            is_typed=is_typed,
        )


class ByHand:
    """A game of a learner played by hand: its questions, and your answers so far.

    Args:
        spec: the learner.
        seed: the same seed asks the same.
    """

    def __init__(self, spec: PlayerSpec, seed: int) -> None:
        if not spec.learns:
            raise UsageError(f"{shown(str(spec))} does not learn. Try td")
        rule, player = spec.rule, "XO"[seed % 2]
        # So many games that there is much to see, but no box is empty.
        before = 3_000 if rule.is_off_policy or not rule.by_state else 300
        before = before if rule.estimates else 30
        most = 30 if rule.shares_error or rule.one_table else 19
        run = Run(spec, spec, seed)
        run.train(before + CANDIDATES)
        record = run.record(before, before + CANDIDATES)
        self.spec, self.questions = spec, list[QuizQuestion]()
        best = False, -math.inf
        for n in range(CANDIDATES):
            hand = Hand(run, before + n, player, record)
            asked = hand.questions()
            backups = [hand.events[row] for turn in hand.turns for row in turn.writes]
            changed = sum(abs(one.new - one.old) > NEAR for one in backups)
            taught = {bool(turn.writes) for turn in hand.turns}
            choices = sum(one.kind == "greedy" for one in asked)
            seen = len(asked) <= most, 2 * changed - len(backups) + 3 * len(taught) + choices
            if backups and seen > best:
                best, self.questions = seen, asked
        if not self.questions:
            raise UsageError(f"{shown(str(spec))} changes no value in {CANDIDATES} games. Try td")
        self.given: list[float] = []
        """Your answers: the index of the choice, or the number."""

    @property
    def is_over(self) -> bool:
        return len(self.given) >= len(self.questions)

    def take(self, given: float) -> bool:
        """Answer the current question; return whether that is right."""
        is_right = self.questions[len(self.given)].is_right(given)
        self.given.append(given)
        return is_right

    def result(self) -> dict[str, Any]:
        """Return the score by events of the game, and the first wrong answer."""
        answered = [*zip(self.questions, self.given, strict=False)]
        wrong = [n for n, (asked, given) in enumerate(answered) if not asked.is_right(given)]
        missed = {one.place for one in self.questions[len(answered) :]}
        missed |= {self.questions[n].place for n in wrong}
        places, first = {one.place for one in self.questions}, None
        for n in wrong[:1]:
            asked, given = answered[n]
            first = {
                "n": n + 1,
                "event": asked.place.row + 1,
                "ply": asked.ply,
                "kind": asked.kind,
                "yours": asked.text(given),
                "right": asked.text(asked.right),
            }
        return {"score": len(places - missed), "of": len(places), "first_wrong": first}

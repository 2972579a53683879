"""Be the learner: the turns of one player in a game as questions, event by event.

Which moves are greedy? Does a value change? Which? Towards what? To which number? The answers are
the events of the tape, so any rule can be asked about. Wrong choices are other values of the table.
A question is asked only if what it shows decides the answer: no greedy move among equals, and a
finished board hides its value until you said towards what to move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from afterstate_lab.game import space
from afterstate_lab.game.constants import DRAWN
from afterstate_lab.learners.engine.choices import EXPLORATION_RATES
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.kernel.hooks import parameters
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.recording import (
    Backup,
    Cursor,
    Learning,
    Move,
    Recording,
    TapePosition,
    best_cells,
    mover_values,
)
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.update import Code, codes_of

if TYPE_CHECKING:
    from afterstate_lab.learners.rules.spec import PlayerSpec

WordsAndNumbers = tuple[str | float, ...]
"""A sentence in parts, whose numbers each screen formats."""
Fact = tuple[str, float | str | WordsAndNumbers]
"""A fact that a question gives: a label, and a number or words."""
NEAR: Final = 0.0005
"""Tolerance of a typed number: half of the third decimal."""
WAYS: Final = ("up", "down", "the same")
SIGNS: Final[Mapping[str, str]] = {
    "+": "up",
    "-": "down",
    "−": "down",
    "=": "the same",
    "same": "the same",
}
"""Other words for a direction."""
AS_FAR: Final[Mapping[str, float]] = {"up": math.inf, "down": -math.inf, "the same": 0.0}
"""A predicted direction as a change."""


class QuizKind(Enum):
    WAY = "way"
    VALUE = "value"
    LEARNS = "learns"
    ENTRY = "entry"
    GREEDY = "greedy"
    TARGET = "target"


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
    ply: int = 0
    player: str = ""
    board: str = ""
    """The board as nine characters."""
    prompt: str = ""
    facts: tuple[Fact, ...] = ()
    why: WordsAndNumbers = ()
    """The explanation, shown after the answer."""
    choices: tuple[str, ...] = ()
    """The possible answers; empty if the answer is a number."""
    right: float = 0.0
    """The index of the right choice, or the right number."""
    number: float = 0.0
    """The number behind the right choice, if there is one."""
    start: float = 0.0
    """A guess that earns nothing: the old value."""
    step: float = 2 * NEAR
    """Half of it off is still right."""
    boards: tuple[ShownBoard, ...] = ()

    @property
    def is_number(self) -> bool:
        return not self.choices

    def typed(self, step: float) -> QuizQuestion:
        """Return the question without choices."""
        return replace(self, choices=(), right=self.number, step=step)

    def text(self, given: float) -> str | float:
        """Return an answer as a choice, or as the number."""
        return given if self.is_number else self.choices[int(given)]

    def read(self, text: str) -> float | None:
        """Read an answer: a number, a choice, or its position from 1; None for anything else."""
        word = text.strip()
        if self.is_number:
            way = SIGNS.get(word) if self.kind is QuizKind.WAY else None
            return read_number(word) if way is None else self.start + AS_FAR[way]
        if word in map(str, range(1, len(self.choices) + 1)):
            return float(int(word) - 1)
        word = SIGNS.get(word.lower(), word.lower())
        names = [name.lower() for name in self.choices]
        number = read_number(word)
        same = [name for name in names if name == word or number == read_number(name) is not None]
        found = same or [name for name in names if word and name.startswith(word)]
        return float(names.index(found[0])) if len(found) == 1 else None

    def is_right(self, given: float) -> bool:
        if not self.is_number:
            return given == self.right
        return abs(given - self.right) <= self.step / 2 * (1 + 1e-9)


def read_number(text: str) -> float | None:
    """Read a finite number of at most 30 characters; None for anything else."""
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        return None
    return number if math.isfinite(number) and len(text) <= 30 else None


def way_of(old: float, new: float) -> str:
    return WAYS[0 if new > old else 1 if new < old else 2]


class GivenAnswer(NamedTuple):
    question: QuizQuestion
    given: float
    """The index of the choice, or the number."""

    @property
    def is_right(self) -> bool:
        return self.question.is_right(self.given)

    @property
    def is_the_way(self) -> bool:
        """Whether a number is right, or at least its direction."""
        asked = self.question
        ways = (way_of(asked.start, one) for one in (self.given, asked.right))
        return self.is_right or len(set(ways)) == 1


class QuizAnswers:
    """Questions, and the answers so far.

    Args:
        questions: what is asked.
    """

    def __init__(self, questions: Sequence[QuizQuestion] = ()) -> None:
        self.questions = list(questions)
        self.given: list[GivenAnswer] = []

    @property
    def is_over(self) -> bool:
        return len(self.given) >= len(self.questions)

    @property
    def question(self) -> QuizQuestion:
        """The current question."""
        return self.questions[len(self.given)]

    def take(self, given: float) -> GivenAnswer:
        """Answer the current question."""
        answer = GivenAnswer(self.question, given)
        self.given.append(answer)
        return answer


class Predictions(QuizAnswers):
    """Your predictions of backups, each a number or a direction."""

    wanted = False
    """Whether to ask before each backup."""

    def judge(self, text: str, asked: QuizQuestion) -> str | None:
        """Score `.55`, `+`, `-` or `=`; return None for anything else."""
        given = asked.read(text)
        if given is None:
            return None
        self.questions.append(asked)
        answer = self.take(given)
        said = "right" if answer.is_right else "the right way"
        said = said if answer.is_the_way else "the other way"
        many = sum(one.is_the_way for one in self.given)
        changed = f"{asked.start:.3f} becomes {asked.right:.3f}"
        return f"{said}: {changed}. So far {many} of {len(self.given)}."


DIGITS: Final = "₀₁₂₃₄₅₆₇₈₉"
WRONG: Final = 4
"""Wrong choices."""
TYPED: Final = 0.002
"""A typed number is right within half of it."""
CANDIDATES: Final = 20
"""The most instructive of so many games is asked about."""
EXPLORING: Final = {
    "skip": "skips the backup",
    "learn": "learns as ever",
    "forget": "forgets what was before",
}
"""Phrases for the option `exploration`."""


def decimals(number: float) -> str:
    """Return a number with three decimals, as all screens write it."""
    text = f"{round(number, 3) + 0.0:.3f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(round(number, 3)) < 1 else text


def signed(number: float) -> str:
    return f"{number:+g}".replace("-", "−")


def beads(number: float) -> str:
    return f"{number:g} bead{'s' * (number != 1)}"


def cells_text(cells: Sequence[int]) -> str:
    return f"cell{'s' * (len(cells) > 1)} {' '.join(str(cell + 1) for cell in cells)}"


def listed(worths: Mapping[int, float | str]) -> WordsAndNumbers:
    """Return what each cell leads to, as a sentence."""
    parts: list[str | float] = []
    for cell, worth in worths.items():
        parts += [f"{', ' * bool(parts)}{cell + 1}: ", worth]
    return tuple(parts)


class Turn(NamedTuple):
    """A move, and what the player writes until the next move."""

    row: int
    move: Move
    is_own: bool
    is_last: bool
    event: int
    """The row of its first backup, or of the reason for none; without both the move's."""
    writes: tuple[int, ...]
    """The rows of its backups."""
    own: tuple[Move, ...]
    """The player's moves up to it."""
    steps: Mapping[int, ShownBoard]
    """The player's time steps up to it by their entries, without values."""


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
        rows = self.recording.rows_of(game)
        self.first = rows.start
        self.events: Sequence[Any] = self.recording.events(rows.start, rows.stop)
        self.cursor = Cursor(self.recording, rows.start)
        self.table = self.recording.layout.table("XO".index(player))
        self.entries, self.base = self.table.entries, self.table.base
        self.rule, self.settings = self.table.spec.rule, self.table.spec.settings
        size = len(self.entries.boards)
        self.offsets = range(0, self.rule.tables * size, size)
        """By table, what is added to the first one's entries."""
        self.moves = {at: one for at, one in enumerate(self.events) if isinstance(one, Move)}

    @cached_property
    def codes(self) -> Sequence[Code]:
        return codes_of(self.run, self.recording, self.game)

    def memory(self, row: int) -> Any:
        """Return memory before an event."""
        self.cursor.seek(self.first + row)
        return self.cursor.v

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The player's own turns; if the opponent ends the game, its last move too."""
        turns, own = [], list[Move]()
        for row, end in pairwise([*self.moves, len(self.events)]):
            move, is_last = self.moves[row], end == len(self.events)
            is_own = move.player == self.player
            own += [move] * is_own
            if is_own or is_last:
                rows = [
                    at
                    for at in range(row + 1, end)
                    if isinstance(self.events[at], Learning)
                    and self.events[at].player == self.player
                ]
                writes = [at for at in rows if isinstance(self.events[at], Backup)]
                steps = dict(self._steps(row, own))
                if not self.rule.estimates:  # not those that fill an empty box anew
                    writes = [at for at in writes if self.events[at].read != self.table.rewards]
                at = (*writes, *rows, row)[0]
                turns.append(Turn(row, move, is_own, is_last, at, tuple(writes), tuple(own), steps))
        return tuple(turns)

    def _steps(self, row: int, own: Sequence[Move]) -> Iterator[tuple[int, ShownBoard]]:
        """Yield the time steps up to a move, each with its entry."""
        s, entries, many = space(), self.entries, 0
        if entries.of_state is None:
            for n, move in enumerate(own, 1):
                name = f"S{DIGITS[n]},A{DIGITS[n]}" if self.rule.estimates else f"box {n}"
                entry = self.base + int(entries.of_edge[move.edge])
                yield entry, ShownBoard(name, s.text(move.board), placed=move.cell)
            return
        yield self.base + entries.start, ShownBoard("S₀", s.text(0))
        for at, move in self.moves.items():
            entry = int(entries.of_state[move.afterstate])
            is_step = move.player == self.player or entries.live[entry] or at == row
            if at <= row and is_step:
                many += 1
                board = s.text(move.afterstate)
                yield self.base + entry, ShownBoard(f"S{DIGITS[many]}", board, moved=move.cell)

    # what is shown

    def symbol(self, name: str, table: int = 0) -> str:
        """Return the symbol of the value of a time step."""
        if not self.rule.estimates:
            return name
        which = DIGITS[table + 1] if self.rule.tables > 1 else ""
        return f"{'V' if self.rule.by_state else 'Q'}{which}({name})"

    def shown(self, turn: Turn, row: int, *, hides: bool) -> tuple[ShownBoard, ...]:
        """Return the time steps of a turn with their values before an event.

        Args:
            turn: the turn.
            row: the event.
            hides: whether finished boards hide their values.
        """
        v, live = self.memory(row), self.entries.live
        hides &= self.rule.by_state
        return tuple(
            step._replace(
                values=()
                if hides and not live[entry - self.base]
                else tuple(
                    (self.symbol(step.name, table), float(v[entry + offset]))
                    for table, offset in enumerate(self.offsets)
                )
            )
            for entry, step in turn.steps.items()
        )

    def names(self, turn: Turn) -> dict[int, str]:
        """Return the symbols of a turn's time steps by their entries."""
        return {
            entry + offset: self.symbol(step.name, table)
            for entry, step in turn.steps.items()
            for table, offset in enumerate(self.offsets)
        }

    def name(self, entry: int, turn: Turn) -> str:
        """Return the symbol of an entry, or name its board."""
        if entry in self.names(turn):
            return self.names(turn)[entry]
        _, place = self.place_of(entry)
        board, cell = int(self.entries.boards[place]), int(self.entries.cells[place])
        if board == turn.move.board:
            return self.symbol(f"the board that {turn.move.player} moved on")
        return self.symbol(space().text(board) + (f"@{cell + 1}" if cell >= 0 else ""))

    def worths(self, v: Any, board: int, table: int = 0) -> dict[int, float | str]:
        """Return what each cell of a board leads to: a value, or how the game ends there."""
        s, of_state, found = space(), self.entries.of_state, dict[int, float | str]()
        for edge in map(int, s.edges_of(board)):
            after, cell = int(s.edge_successor[edge]), int(s.edge_cell[edge])
            entry = int(self.entries.of_edge[edge] if of_state is None else of_state[after])
            found[cell] = float(v[self.base + self.offsets[table] + entry])
            if of_state is not None and s.outcome[after]:
                found[cell] = "a draw" if s.outcome[after] == DRAWN else "a win"
        return found

    def facts(self, kind: QuizKind, turn: Turn, row: int) -> Iterator[Fact]:
        """Yield what a question tells besides boards and values."""
        settings, equation, move = self.settings, self.rule.equation, turn.move
        yield "", equation.symbols
        if kind in (QuizKind.LEARNS, QuizKind.ENTRY) and "exploration" in settings:
            steps = [f"A{DIGITS[n]}" for n, one in enumerate(turn.own, 1) if one.exploratory]
            if turn.is_own:
                yield "its move was", "exploratory" if move.exploratory else "greedy"
            if steps:
                yield "exploratory so far", ", ".join(steps)
            yield "after an exploratory move it", EXPLORING[settings["exploration"]]
        if turn.is_last:
            result = self.events[-1].result
            ends = "a draw" if result == "draw" else f"{result} wins"
            loser = "O" if result == "X" else "X"
            yield "the game ends:", f"{loser} resigns" if self.events[-1].resigned else ends
        if "n" in settings and kind is not QuizKind.VALUE:
            yield "n", settings["n"]
        if kind is QuizKind.ENTRY and self.rule.tables > 1:
            for entry in (self.events[at].entry for at in turn.writes):
                table, place = self.place_of(entry)
                name = turn.steps[self.base + place].name
                yield f"the coin for {name}", f"write Q{DIGITS[table + 1]}"
        if kind is not QuizKind.TARGET:
            return
        v, event = self.memory(row), self.events[row]
        if "gamma" in settings:
            yield "γ", settings["gamma"]
        if equation.kind is TargetKind.BEST_REPLY and not turn.is_last:
            yield "the replies lead to", listed(self.worths(v, move.afterstate))
        for table in range(self.rule.tables if self.reads_moves(turn) else 0):
            which = DIGITS[table + 1] if self.rule.tables > 1 else ""
            worths = self.worths(v, move.board, table)
            yield f"Q{which} of its moves now", listed(worths)
            if self.rule.tables > 1 and table == self.place_of(event.entry)[0]:
                best = best_cells({cell: float(worth) for cell, worth in worths.items()})
                edges = space().edge_of[move.board, best]
                taken = self.entries.of_edge[edges] == self.place_of(event.read)[1]
                if len(best) > 1 and taken.any():
                    yield "of equal moves it takes", f"cell {best[taken.argmax()] + 1}"
        if equation.kind is TargetKind.EXPECTED_PAIR and self.reads_moves(turn):
            me = parameters(self.table, self.recording.layout, False)
            rate: Callable[[Any, int], float] = EXPLORATION_RATES[me.epsilon_kind]
            yield "ε", rate(me, self.game)

    def place_of(self, entry: int) -> tuple[int, int]:
        """Return the table of an index into memory, and its place there."""
        return divmod(entry - self.base, len(self.entries.boards))

    def reads_moves(self, turn: Turn) -> bool:
        """Return whether the target of a turn is read from its moves."""
        is_pair = self.rule.estimates and not self.rule.by_state
        return is_pair and turn.is_own and len(turn.own) > 1

    # questions

    def questions(self) -> list[QuizQuestion]:
        """Return the questions of the game in order; the last number is typed."""
        asked = [
            question
            for turn in self.turns
            for question in self.of_turn(turn)
            if len(question.choices) > 1
        ]
        if numbers := [n for n, one in enumerate(asked) if one.kind is QuizKind.VALUE]:
            step = TYPED if self.rule.estimates else 1.0
            asked[numbers[-1]] = asked[numbers[-1]].typed(step)
        return asked

    def of_turn(self, turn: Turn) -> Iterator[QuizQuestion]:
        """Yield the questions of a turn."""
        if turn.is_own:
            yield from self.greedy(turn)
        yield self.teaches(turn)
        if turn.writes:
            yield self.which(turn)
        before = None
        for row in turn.writes:
            target = self.target_of(row)
            if target is not None and target != before:
                yield self.towards(turn, row, target)
                before = target
            yield self.becomes(turn, row)

    def question(
        self,
        kind: QuizKind,
        turn: Turn,
        row: int,
        right: Any,
        others: Iterable[Any],
        *,
        text: Callable[[Any], str] = decimals,
        order: Callable[[Any], Any] = float,
        **rest: Any,
    ) -> QuizQuestion:
        """Return a question about an event: its answer, then others."""
        options = {text(right): right}
        for one in others:
            if len(options) <= WRONG:
                options.setdefault(text(one), one)
        kept = sorted(list(options)[:9], key=lambda name: order(options[name]))
        move, board = turn.move, turn.move.board
        if kind is not QuizKind.GREEDY:
            board = move.afterstate
            rest["boards"] = self.shown(turn, row, hides=kind is not QuizKind.VALUE)
            rest["facts"] = (*self.facts(kind, turn, row), *rest.get("facts", ()))
        return QuizQuestion(
            kind=kind,
            place=TapePosition(self.game, row),
            ply=move.ply,
            player=self.player,
            board=space().text(board),
            choices=tuple(kept),
            right=float(kept.index(text(right))),
            **rest,
        )

    def greedy(self, turn: Turn) -> Iterator[QuizQuestion]:
        """Ask for all greedy moves, unless all moves are alike."""
        v, move = self.memory(turn.row), turn.move
        ranks = mover_values(self.table, v, move.board)
        best = tuple(best_cells(ranks))
        is_odd = move.choice == "greedy" and move.cell not in best
        if len(set(ranks.values())) < 2 or is_odd:
            return
        levels = sorted(set(ranks.values()), reverse=True)[1:]
        others = [best[:1], best[-1:]]
        others += [tuple(cell for cell in ranks if ranks[cell] == level) for level in levels]
        others += [(cell,) for cell in ranks if cell not in best]
        worth = self.worths(v, move.board) if self.rule.tables == 1 else ranks
        draws = self.rule.draws
        which = "Which bead are you most likely to draw?" if draws else "Which moves are greedy?"
        yield self.question(
            QuizKind.GREEDY,
            turn,
            turn.row,
            best,
            others,
            text=cells_text,
            order=lambda cells: (len(cells), cells),
            prompt=f"{self.player} is to move. {which}",
            why=(f"{cells_text(best)}: ", ranks[best[0]], " is the most."),
            facts=tuple(
                (f"cell {cell + 1}", worth[cell] if self.rule.estimates else beads(rank))
                for cell, rank in ranks.items()
            ),
        )

    def teaches(self, turn: Turn) -> QuizQuestion:
        """Ask whether a turn changes a value."""
        move, many, what = turn.move, len(turn.writes), "value" if self.rule.estimates else "box"
        why = f"Yes: {many} backup{'s' * (many > 1)}."
        if not many and turn.is_own and move.exploratory and "exploration" in self.settings:
            why = "No: it was exploratory."
        elif not many:
            why = f"No: {'this result teaches nothing' if turn.is_last else 'it waits'}."
        return self.question(
            QuizKind.LEARNS,
            turn,
            turn.event,
            "yes" if many else "no",
            ("yes", "no"),
            text=str,
            order=("yes", "no").index,
            why=(why,),
            prompt=f"{move.player} marked {move.cell + 1}. Does a {what} of {self.player} change?",
        )

    def which(self, turn: Turn) -> QuizQuestion:
        """Ask for all values that change."""
        every = tuple(self.names(turn).values())

        def place(name: str) -> int:
            return every.index(name) if name in every else len(every)

        def named(entries: Iterable[int]) -> tuple[str, ...]:
            return tuple(sorted({self.name(entry, turn) for entry in entries}, key=place))

        def text(names: tuple[str, ...]) -> str:
            return ", ".join(names) or "none"

        right = named(self.events[row].entry for row in turn.writes)
        others = [right[1:] or right, right[:-1] or right, *((name,) for name in reversed(every))]
        return self.question(
            QuizKind.ENTRY,
            turn,
            turn.event,
            right,
            (*others, every),
            text=text,
            order=lambda names: (len(names), [place(name) for name in names]),
            prompt="Which values change?" if self.rule.estimates else "Which boxes change?",
            why=(f"{text(right)}.",),
        )

    def of_terms(self, row: int) -> dict[str, float]:
        """Return by symbol the terms of the equation that a variable of the rule's code holds."""
        known, terms = self.codes[row].variables, self.rule.equation.terms
        return {one.symbol: known[one.variable] for one in terms if one.variable in known}

    def target_of(self, row: int) -> float | None:
        """Return a backup's target; with traces its error, for beads what the result adds."""
        if self.rule.shares_error:
            return float(self.recording.errors[self.first + row])
        return self.events[row].target if self.rule.estimates else self.of_terms(row).get("R")

    def towards(self, turn: Turn, row: int, target: float) -> QuizQuestion:
        """Ask for the target of a backup; with traces for the error, for beads for the reward."""
        entry, worth = self.events[row].entry, self.rule.rewards(self.settings)
        name, text = self.name(entry, turn), decimals
        prompt, why = f"Towards what does {name} move?", f"{name} moves towards "
        held = [value for step in self.shown(turn, row, hides=True) for _, value in step.values]
        others: list[float | str] = [*held[-2:], *worth, *held]
        if self.reads_moves(turn):  # by Q-learning and by Sarsa
            now = self.worths(self.memory(row), turn.move.board)
            others[:0] = [now[turn.move.cell], max(now.values(), key=float)]
        if self.rule.shares_error:
            prompt, why = "What is the error δ of this turn?", "δ is "
        elif not self.rule.estimates:
            prompt, why = "How many beads does the result add to each box?", "It adds "
            others, text = [*worth, 0.0, 2.0], signed
        return self.question(
            QuizKind.TARGET,
            turn,
            row,
            target,
            others,
            text=text,
            prompt=prompt,
            why=(why, target, "."),
        )

    def becomes(self, turn: Turn, row: int) -> QuizQuestion:
        """Ask for the new value of a backup."""
        event, text = self.events[row], decimals
        old, new, target = event.old, event.new, event.target
        near = new + 0.05, new - 0.05, new + 0.1, new - 0.1
        facts = [("target", target)]
        sum_: WordsAndNumbers = (old, " + ", event.step, " × ", "(", target, " − ", old, ")")
        step = "step size", float(event.step)
        if self.settings.get("step") == "1/n":
            v = self.memory(row)
            step = "backups of it so far", float(v[len(v) // 2 + event.entry])
        if self.rule.shares_error:
            error = float(self.recording.errors[self.first + row])
            facts = [("error δ", error), ("trace z", event.trace)]
            sum_ = (old, " + ", event.step, " × ", event.trace, " × ", error)
        if not self.rule.estimates:
            text, sum_ = beads, (self.rule.equation.symbols,)
            facts, near = [*self.of_terms(row).items()], (old + 1, new + 1, new + 2, new + 3)
        name = self.name(event.entry, turn)
        change = (old, " stays") if new == old else (old, " becomes ", new)
        return self.question(
            QuizKind.VALUE,
            turn,
            row,
            new,
            (target, old, *near),
            text=text,
            prompt=f"What does {name} become?",
            number=new,
            start=old,
            facts=[step, *facts] if self.rule.estimates else facts,
            why=(name, ": ", *change, ": ", *sum_, "."),
        )


class ByHand(QuizAnswers):
    """A game of a learner played by hand.

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
        most_keys = 36 if rule.shares_error or rule.one_table else 25
        run = Run(spec, spec, seed)
        run.train(before + CANDIDATES)
        record = run.record(before, before + CANDIDATES)
        hands = [Hand(run, before + n, player, record) for n in range(CANDIDATES)]
        best = max(
            (hand for hand in hands if any(turn.writes for turn in hand.turns)),
            key=lambda hand: instructive(hand.questions(), most_keys),
            default=None,
        )
        if best is None:
            raise UsageError(f"{shown(str(spec))} changes no value in {CANDIDATES} games. Try td")
        self.spec = spec
        super().__init__(best.questions())

    def result(self) -> dict[str, Any]:
        """Return the score by events of the game, and the first wrong answer."""
        wrong = [(n, *one) for n, one in enumerate(self.given, 1) if not one.is_right]
        missed = {asked.place for asked in self.questions[len(self.given) :]}
        missed |= {asked.place for _, asked, _ in wrong}
        first = next(
            (
                {
                    "n": n,
                    "event": asked.place.row + 1,
                    "ply": asked.ply,
                    "kind": asked.kind.value,
                    "yours": asked.text(said),
                    "right": asked.text(asked.right),
                }
                for n, asked, said in wrong
            ),
            None,
        )
        of = {asked.place for asked in self.questions}
        return {"score": len(of - missed), "of": len(of), "first_wrong": first}


def instructive(asked: Sequence[QuizQuestion], most: int) -> tuple[bool, int]:
    """Return whether a game fits into so many keys, and how much there is to see in it."""
    keys = sum(1 + len(decimals(one.right)) * one.is_number for one in asked)
    numbers = [one for one in asked if one.kind is QuizKind.VALUE]
    changed = sum(decimals(one.number) != decimals(one.start) for one in numbers)
    taught = {one.right for one in asked if one.kind is QuizKind.LEARNS}
    choices = sum(one.kind is QuizKind.GREEDY for one in asked)
    return keys <= most, 2 * changed - len(numbers) + 3 * len(taught) + choices

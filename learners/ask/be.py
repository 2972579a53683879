"""Be the learner: the turns of one player in a game as questions, event by event.

Which moves are greedy? Does a value change? Which? Towards what? To which number? The answers are
the events of the tape, so any rule can be asked about. Wrong choices are what the bugs of the
museum would answer (`learners.ask.bugs`), then other values of the table. A question is asked only
if what it shows decides the answer: no greedy move among equals, and a finished board hides its
value until you said towards what to move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from afterstate_lab.game import space
from afterstate_lab.game.constants import DRAWN
from afterstate_lab.learners.ask.bugs import SOUND, Bugs, Diagnosis, Reached, Written
from afterstate_lab.learners.ask.questions import (
    Fact,
    GivenAnswer,
    QuizAnswers,
    QuizKind,
    QuizQuestion,
    ShownBoard,
    WordsAndNumbers,
)
from afterstate_lab.learners.engine.choices import EXPLORATION_RATES
from afterstate_lab.learners.engine.dice import COIN, MASK, PICK, dice_word, game_key
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.kernel.parameters import parameters
from afterstate_lab.learners.rules.equation import TargetKind, TermRole
from afterstate_lab.learners.rules.museum import MEANT, PIECES, is_missed
from afterstate_lab.learners.tape.events import Backup, GameOver, Learning, Move
from afterstate_lab.learners.tape.recording import Cursor, Recording, TapePosition
from afterstate_lab.learners.tape.run import Run, Seat
from afterstate_lab.learners.tape.trace import best_cells, mover_values
from afterstate_lab.learners.tape.watched import Reads, watch

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.rules.spec import PlayerSpec

T = TypeVar("T")
ByBug = Mapping[str, Sequence[Written]]
DIGITS: Final = "₀₁₂₃₄₅₆₇₈₉"
WRONG: Final = 4
"""Wrong choices, if the bugs do not give more."""
MOST_CHOICES: Final = 9
FEW_BEADS: Final = 10.0
STAYS: Final = "nothing: it stays"
TYPED: Final = 0.002
"""A typed number is right within half of it."""
BEFORE: Final = 300
BEFORE_OFF_POLICY: Final = 3_000
BEFORE_BEADS: Final = 30
"""Games played before: until there is much to see, but no box is empty."""
CANDIDATES: Final = 20
"""The most instructive of so many games is asked about."""
MOST_KEYS: Final = 25
MOST_OF_MANY: Final = 36
"""The same for a rule with traces, or with one table for both sides."""
MOST_EXTRA: Final = 20
"""Most questions about a bug."""
POOL: Final = (3, 12, 40, 120, 400, 900, 1500)
AROUND: Final = 30
"""The questions about a bug are from so many games from each of these on."""
OF_EACH: Final = 2
"""Of these games, so many drawn, won unseen, with an exploratory move, and any."""
FOR_A_BUG: Final = 12
"""Questions in which a bug shows."""
EXPLORING: Final = {
    "skip": "skips the backup", "learn": "learns as ever", "forget": "forgets what was before",
}  # fmt: skip
"""Phrases for the option `exploration`."""


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


class Step(NamedTuple):
    """A time step of the player: its entry in the first table, and what is shown of it."""

    entry: int
    shown: ShownBoard


class Hand:
    """A player of a recorded game, whose turns are asked about.

    Args:
        run: the run.
        game: the number of the game.
        player: X or O.
        recording: one that holds the game.
        bugs: the rules to compare with.
    """

    def __init__(
        self, run: Run, game: int, player: str,
        recording: Recording | None = None, bugs: Bugs | None = None,
    ) -> None:  # fmt: skip
        self.run, self.game, self.player, self.bugs = run, game, player, bugs
        self.recording = recording or run.record(game, game + 1)
        rows = self.recording.rows_of(game)
        self.first = rows.start
        self.events = self.recording.events(rows.start, rows.stop)
        self.cursor = Cursor(self.recording, rows.start)
        layout = self.recording.layout
        self.table: Table = layout.x if player == "X" else layout.o
        self.rule, self.settings = self.table.spec.rule, self.table.spec.settings
        self._names: dict[int, dict[int, str]] = {}
        """By the row of a turn, the symbols of its entries."""
        self.moves = {at: one for at, one in enumerate(self.events) if isinstance(one, Move)}

    @property
    def learns(self) -> bool:
        seats = self.run.seating_of(self.game)
        seat = seats.x if self.player == "X" else seats.o
        return seat is Seat.LEARNS and self.table.spec.learns

    @property
    def over(self) -> GameOver:
        event = self.events[-1]
        assert isinstance(event, GameOver)
        return event

    @cached_property
    def reads(self) -> Sequence[Reads]:
        return watch(self.run, self.recording, self.game)

    def memory(self, row: int) -> Any:
        """Return memory before an event."""
        self.cursor.seek(self.first + row)
        return self.cursor.v

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The player's own turns; if the opponent ends the game, its last move too."""
        turns = []
        for row, end in pairwise([*self.moves, len(self.events)]):
            move, is_last = self.moves[row], end == len(self.events)
            if move.player == self.player or is_last:
                events = [(at, self.events[at]) for at in range(row + 1, end)]
                own = [at for at, one in events
                       if isinstance(one, Learning) and one.player == self.player]  # fmt: skip
                writes = tuple(at for at in own if isinstance(self.events[at], Backup))
                if not self.rule.estimates:  # not those that fill an empty box anew
                    writes = self.of_own_moves(writes)
                at = (*writes, *own, row)[0]
                turns.append(Turn(row, move, move.player == self.player, is_last, at, writes))
        return tuple(turns)

    def of_own_moves(self, writes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the first write of each of the player's moves."""
        base, of_edge = self.table.base, self.table.entries.of_edge
        own = [base + int(of_edge[m.edge]) for m in self.moves.values() if m.player == self.player]
        entries = [self.backup(row).entry for row in writes]
        return tuple(row for n, row in enumerate(writes)
                     if entries[n] in own and entries[n] not in entries[:n])  # fmt: skip

    def backup(self, row: int) -> Backup:
        event = self.events[row]
        assert isinstance(event, Backup)
        return event

    # what is shown

    @cached_property
    def has_all_boards(self) -> bool:
        """Whether the boards after the opponent's moves are time steps."""
        entries = self.table.entries
        plies = space().ply[entries.boards[entries.live]]
        return self.rule.by_state and bool((plies[plies > 0] % 2 == self.table.side).any())

    def symbol(self, name: str, table: int = 0) -> str:
        """Return the symbol of the value of a time step."""
        if not self.rule.estimates:
            return name
        which = DIGITS[table + 1] if self.rule.tables > 1 else ""
        return f"{'V' if self.rule.by_state else 'Q'}{which}({name})"

    def offsets(self) -> range:
        """Return the offset of each table."""
        size = len(self.table.entries.boards)
        return range(0, self.rule.tables * size, size)

    def steps(self, turn: Turn, row: int, *, hides: bool) -> list[Step]:
        """Return the time steps up to a turn, with the values before an event.

        Args:
            turn: the turn.
            row: the event.
            hides: whether finished boards hide their values.
        """
        v, s, entries, base = self.memory(row), space(), self.table.entries, self.table.base
        moves = [move for at, move in self.moves.items() if at <= turn.row]
        steps: list[Step] = []

        def add(name: str, entry: int, cells: str, is_hidden: bool, **cell: int) -> None:
            values = tuple((self.symbol(name, table), float(v[base + entry + offset]))
                           for table, offset in enumerate(self.offsets()))  # fmt: skip
            shown = ShownBoard(name, cells, () if is_hidden else values, **cell)
            steps.append(Step(base + entry, shown))

        if entries.of_state is None:
            for n, move in enumerate((one for one in moves if one.player == self.player), 1):
                name = f"S{DIGITS[n]},A{DIGITS[n]}" if self.rule.estimates else f"box {n}"
                entry = int(entries.of_edge[move.edge])
                add(name, entry, s.text(move.board), False, placed=move.cell)
            return steps
        add("S₀", int(entries.of_state[0]), s.text(0), False)
        for move in moves:
            is_end = turn.is_last and move is moves[-1]
            if move.player == self.player or self.has_all_boards or is_end:
                board = move.afterstate
                is_hidden = hides and bool(s.outcome[board])
                name = f"S{DIGITS[len(steps)]}"
                add(name, int(entries.of_state[board]), s.text(board), is_hidden, moved=move.cell)
        return steps

    def name(self, entry: int, turn: Turn) -> str:
        """Return the symbol of an entry, or name its board."""
        if turn.row not in self._names:
            self._names[turn.row] = {
                step.entry + offset: self.symbol(step.shown.name, table)
                for step in self.steps(turn, turn.event, hides=True)
                for table, offset in enumerate(self.offsets())
            }
        if entry in self._names[turn.row]:
            return self._names[turn.row][entry]
        entries = self.table.entries
        place = (entry - self.table.base) % len(entries.boards)
        board, cell = int(entries.boards[place]), int(entries.cells[place])
        if board == turn.move.board:
            return self.symbol(f"the board that {turn.move.player} moved on")
        return self.symbol(space().text(board) + (f"@{cell + 1}" if cell >= 0 else ""))

    def worths(self, v: Any, board: int, table: int = 0) -> dict[int, float | str]:
        """Return what each cell of a board leads to: a value, or how the game ends there."""
        s, entries = space(), self.table.entries
        base, found = self.table.base + self.offsets()[table], dict[int, float | str]()
        for edge in map(int, s.edges_of(board)):
            after, cell = int(s.edge_successor[edge]), int(s.edge_cell[edge])
            of_state = entries.of_state
            entry = int(entries.of_edge[edge] if of_state is None else of_state[after])
            found[cell] = float(v[base + entry])
            if of_state is not None and s.outcome[after]:
                found[cell] = "a draw" if s.outcome[after] == DRAWN else "a win"
        return found

    def facts(self, kind: QuizKind, turn: Turn, row: int) -> tuple[Fact, ...]:
        """Return what a question tells besides boards and values."""
        settings, v = self.settings, self.memory(row)
        facts: list[Fact] = [("", self.rule.equation.symbols)]
        is_early = kind in (QuizKind.LEARNS, QuizKind.ENTRY)
        if is_early and "exploration" in settings:
            moves = [one for at, one in self.moves.items()
                     if at <= turn.row and one.player == self.player]  # fmt: skip
            steps = [f"A{DIGITS[n]}" for n, one in enumerate(moves, 1) if one.exploratory]
            if turn.is_own:
                facts.append(("its move was", "exploratory" if turn.move.exploratory else "greedy"))
            if steps:
                facts.append(("exploratory so far", ", ".join(steps)))
            if self.bugs is None:
                how = EXPLORING[settings["exploration"]]
                facts.append(("after an exploratory move it", how))
        if turn.is_last:
            over = self.over
            won = "a draw" if over.result == "draw" else f"{over.result} wins"
            loser = "O" if over.result == "X" else "X"
            facts.append(("the game ends:", f"{loser} resigns" if over.resigned else won))
        if "n" in settings and kind is not QuizKind.VALUE:
            facts.append(("n", settings["n"]))
        if kind is QuizKind.ENTRY and self.rule.tables > 1:
            facts += self.coins(turn)
        if kind in (QuizKind.TARGET, QuizKind.WAY):
            facts += self.read_next(turn, v)
        if kind is QuizKind.VALUE and self.rule.estimates:
            event = self.events[row]
            event = event if isinstance(event, Backup) else self.events[turn.event]
            if settings.get("step") == "1/n" and isinstance(event, Learning):
                facts.append(("backups of it so far", float(v[len(v) // 2 + event.entry])))
            else:
                facts.append(("step size", getattr(event, "step", settings.get("alpha", 0.0))))
        return tuple(facts)

    def coins(self, turn: Turn) -> Iterator[Fact]:
        """Yield the table that each backup of a turn writes: heads or tails."""
        for pair in self.pairs(turn):
            table = self.coin(pair) & 1
            name = f"S{DIGITS[pair]},A{DIGITS[pair]}"
            yield f"the coin for {name}", f"write Q{DIGITS[table + 1]}"

    def pairs(self, turn: Turn) -> list[int]:
        """Return the numbers of the own moves, from 1, that a turn backs up."""
        many = sum(m.player == self.player and at <= turn.row for at, m in self.moves.items())
        return [*([many - 1] if turn.is_own and many > 1 else []), *([many] * turn.is_last)]

    def coin(self, pair: int) -> int:
        low, high = game_key(*self.recording.seed, self.game)
        return int(dice_word(low, high, 2 * pair + 1 + self.table.side, COIN))

    def read_next(self, turn: Turn, v: Any) -> Iterator[Fact]:
        """Yield what a target may read besides the time steps, and what discounts it."""
        kind, move = self.rule.equation.kind, turn.move
        if "gamma" in self.settings:
            yield "γ", self.settings["gamma"]
        if kind is TargetKind.BEST_REPLY and not turn.is_last:
            yield "the replies lead to", listed(self.worths(v, move.afterstate))
        if not self.rule.estimates or self.rule.by_state or not turn.is_own:
            return
        if len(self.pairs(turn)) == turn.is_last:
            return
        for table in range(self.rule.tables):
            which = DIGITS[table + 1] if self.rule.tables > 1 else ""
            worths = self.worths(v, move.board, table)
            yield f"Q{which} of its moves now", listed(worths)
            if self.rule.tables > 1 and table == (word := self.coin(self.pairs(turn)[0])) & 1:
                best = best_cells({cell: float(worth) for cell, worth in worths.items()})
                if len(best) > 1:
                    cell = best[(word >> 1) * len(best) >> 31]
                    yield "of equal moves it takes", f"cell {cell + 1}"
        if kind is TargetKind.EXPECTED_PAIR:
            me = parameters(self.table, self.recording.layout, False)
            rate: Callable[[Any, int], float] = EXPLORATION_RATES[me.epsilon_kind]
            yield "ε", rate(me, self.game)

    # questions

    def questions(self, *, types_last: bool = False) -> list[QuizQuestion]:
        """Return the questions of the game in order.

        Args:
            types_last: whether the last number has no choices.
        """
        found = [question for turn in self.turns for question in self.of_turn(turn)]
        asked = [question for question in found if len(question.choices) > 1]
        if types_last and (numbers := [q for q in asked if q.kind is QuizKind.VALUE]):
            last = asked.index(numbers[-1])
            asked[last] = replace(asked[last], choices=(), right=frozenset(), by_bug={})
        return asked

    def of_turn(self, turn: Turn, *, finds_bug: bool = False) -> Iterator[QuizQuestion]:
        """Yield the questions of a turn.

        Args:
            turn: the turn.
            finds_bug: whether to ask what changes without saying first that anything does.
        """
        by_bug: ByBug = {}
        if self.bugs is not None:
            by_bug = self.bugs.written(self.reached(turn, turn.row + 1))
        if turn.is_own:
            yield from self.greedy(turn)
        if not finds_bug:
            yield self.teaches(turn, by_bug)
            by_bug = {bug: made for bug, made in by_bug.items() if made}
        elif turn.is_own:
            yield from self.unseen(turn)
        if turn.writes or finds_bug:
            yield self.which(turn, by_bug)
        target: float | None = None
        for row in turn.writes or [turn.row + 1] * finds_bug:
            asked = self.target_of(row) if turn.writes else None
            if finds_bug or asked not in (None, target):
                yield self.towards(turn, row, asked, by_bug)
                target = asked
            yield self.becomes(turn, row, by_bug)

    def reached(self, turn: Turn, row: int) -> Reached:
        moves = [move for at, move in self.moves.items() if at < row]
        return Reached(self.memory(row), self.table.side, moves, turn.is_last)

    def question(
        self, kind: QuizKind, turn: Turn, row: int, right: T, others: Iterable[T],
        by_bug: Mapping[str, T], text: Callable[[T], str], order: Callable[[T], Any], **rest: Any,
    ) -> QuizQuestion:  # fmt: skip
        """Return a question about an event: its answer, the bugs' answers, then others."""
        options = {text(right): right}
        for one in by_bug.values():
            options.setdefault(text(one), one)
        for one in others:
            if len(options) <= WRONG:
                options.setdefault(text(one), one)
        kept = sorted(list(options)[:MOST_CHOICES], key=lambda name: order(options[name]))
        move, board = turn.move, turn.move.board
        if kind is not QuizKind.GREEDY:
            board, steps = move.afterstate, self.steps(turn, row, hides=kind is not QuizKind.VALUE)
            rest["boards"] = tuple(step.shown for step in steps)
            rest["facts"] = self.facts(kind, turn, row) + rest.get("facts", ())
        return QuizQuestion(
            kind=kind, place=TapePosition(self.game, row), ply=move.ply, player=self.player,
            board=space().text(board), choices=tuple(kept),
            right=frozenset({kept.index(text(right))}),
            by_bug={bug: float(kept.index(text(one))) for bug, one in by_bug.items()
                    if text(one) in kept},
            **rest,
        )  # fmt: skip

    def greedy(self, turn: Turn) -> Iterator[QuizQuestion]:
        """Ask for all greedy moves, unless all moves are alike."""
        v, move = self.memory(turn.row), turn.move
        ranks = mover_values(self.table, v, move.board)
        best = tuple(best_cells(ranks))
        is_odd = move.choice == "greedy" and move.cell not in best
        if len(set(ranks.values())) < 2 or is_odd:
            return
        by_bug = {}
        if self.bugs is not None:
            found = self.bugs.greedy(self.reached(turn, turn.row), move.board)
            by_bug = {bug: tuple(cells) for bug, cells in found.items()}
        levels = sorted(set(ranks.values()), reverse=True)[1:]
        others = [tuple(cell for cell in ranks if ranks[cell] == level) for level in levels]
        if len(best) > 1:
            others[:0] = [best[:1], best[-1:]]
        others += [(cell,) for cell in ranks if cell not in best]
        worth = self.worths(v, move.board) if self.rule.tables == 1 else ranks
        draws = self.rule.draws
        which = "Which bead are you most likely to draw?" if draws else "Which moves are greedy?"
        facts = tuple(
            (f"cell {cell + 1}", worth[cell] if self.rule.estimates else beads(ranks[cell]))
            for cell in ranks
        )
        yield self.question(
            QuizKind.GREEDY, turn, turn.row, best, others, by_bug, cells_text,
            lambda cells: (len(cells), cells), prompt=f"{self.player} is to move. {which}",
            why=(f"{cells_text(best)}: ", ranks[best[0]], " is the most."), facts=facts,
        )  # fmt: skip

    def teaches(self, turn: Turn, by_bug: ByBug) -> QuizQuestion:
        """Ask whether a turn changes a value."""
        move, many, what = turn.move, len(turn.writes), "value" if self.rule.estimates else "box"
        why = f"Yes: {many} backup{'s' * (many > 1)}."
        if not many and turn.is_own and move.exploratory and "exploration" in self.settings:
            why = "No: it was exploratory."
        elif not many:
            why = f"No: {'this result teaches nothing' if turn.is_last else 'it waits'}."
        return self.question(
            QuizKind.LEARNS, turn, turn.event, "yes" if many else "no", ("yes", "no"),
            {bug: "yes" if made else "no" for bug, made in by_bug.items()},
            str, ("yes", "no").index, why=(why,),
            prompt=f"{move.player} marked {move.cell + 1}. Does a {what} of {self.player} change?",
        )  # fmt: skip

    def which(self, turn: Turn, by_bug: ByBug) -> QuizQuestion:
        """Ask for all values that change."""
        steps = self.steps(turn, turn.event, hides=True)
        every = tuple(self.symbol(step.shown.name, table)
                      for step in steps for table in range(self.rule.tables))  # fmt: skip

        def place(name: str) -> int:
            return every.index(name) if name in every else len(every)

        def named(entries: Iterable[int]) -> tuple[str, ...]:
            return tuple(sorted({self.name(entry, turn) for entry in entries}, key=place))

        def text(names: tuple[str, ...]) -> str:
            return ", ".join(names) or "none"

        right = named(self.backup(row).entry for row in turn.writes)
        others: list[tuple[str, ...]] = [(name,) for name in reversed(every)]
        if len(right) > 1:
            others[:0] = [right[1:], right[:-1]]
        return self.question(
            QuizKind.ENTRY, turn, turn.event, right, (*others, every),
            {bug: named(entry for entry, _, _ in made) for bug, made in by_bug.items()},
            text, lambda names: (len(names), [place(name) for name in names]),
            prompt="Which values change?" if self.rule.estimates else "Which boxes change?",
            why=(f"{text(right)}.",),
        )  # fmt: skip

    def target_of(self, row: int) -> float | None:
        """Return a backup's target; with traces its error, for beads what the result adds."""
        if self.rule.shares_error:
            return float(self.recording.errors[self.first + row])
        if self.rule.estimates:
            return self.backup(row).target
        rewards = (term for term in self.rule.equation.terms if term.role is TermRole.REWARD)
        return next((self.reads[row].variables.get(term.variable) for term in rewards), None)

    def update(self, turn: Turn, row: int) -> Backup:
        """Return a backup; at a turn without one, a backup of S that changes nothing."""
        if turn.writes:
            return self.backup(row)
        entry, move = self.steps(turn, row, hides=True)[-2].entry, turn.move
        old, name = float(self.memory(row)[entry]), self.rule.name
        return Backup(
            self.game, move.ply, self.player, name, entry, 0, None, old, old, 0.0, 1.0, old
        )

    def towards(self, turn: Turn, row: int, target: float | None, by_bug: ByBug) -> QuizQuestion:
        """Ask for the target of a backup; with traces for the error, for beads for the reward."""
        backup, worth = self.update(turn, row), self.rule.rewards(self.settings)
        name, steps = self.name(backup.entry, turn), self.steps(turn, row, hides=True)
        held = [value for step in steps for _, value in step.shown.values]
        prompt, why, number = f"Towards what does {name} move?", f"{name} moves towards ", decimals
        others: list[float | None] = [*held[-2:], 1.0 - backup.target, *worth, *held]
        if self.rule.shares_error:
            prompt, why = "What is the error δ of this turn?", "δ is "
            others = [-backup.error, backup.target, *(w - backup.old for w in worth), *held]
        elif not self.rule.estimates:
            prompt, why = "How many beads does the result add to each box?", "It adds "
            others, number = [*worth, 0.0, 2.0, -2.0], signed

        def text(one: float | None) -> str:
            return STAYS if one is None else number(one)

        return self.question(
            QuizKind.TARGET, turn, row, target, others,
            {bug: one and one[1] for bug, one in of_entry(backup.entry, by_bug).items()},
            text, lambda one: (one is None, one), prompt=prompt,
            why=(STAYS if target is None else why, *([] if target is None else [target]), "."),
        )  # fmt: skip

    def becomes(self, turn: Turn, row: int, by_bug: ByBug) -> QuizQuestion:
        """Ask for the new value of a backup."""
        backup = self.update(turn, row)
        name, old, new, target = (
            self.name(backup.entry, turn), backup.old, backup.new, backup.target
        )  # fmt: skip
        marks: tuple[tuple[str, float], ...] = (("old", old),)
        facts: tuple[Fact, ...] = ()
        others, text = [target, old, 2 * old - new, *around(new)], decimals
        sum_: WordsAndNumbers = (self.rule.equation.symbols,)
        if self.rule.shares_error:
            error, trace = float(self.recording.errors[self.first + row]), backup.trace
            facts = (("error δ", error), ("trace z", trace))
            sum_ = (old, " + ", backup.step, " × ", trace, " × ", error)
        elif not self.rule.estimates:
            others, text = [old, old + 1, max(0.0, old - 1), new + 1, new + 2], beads
            known, roles = self.reads[row].variables, (TermRole.BEADS, TermRole.REWARD)
            facts = tuple((term.symbol, known[term.variable]) for term in self.rule.equation.terms
                          if term.role in roles and term.variable in known)  # fmt: skip
        elif turn.writes:
            facts, marks = (("target", target),), (*marks, ("target", target))
            sum_ = (old, " + ", backup.step, " × ", "(", target, " − ", old, ")")
        of_bugs = of_entry(backup.entry, by_bug)
        return self.question(
            QuizKind.VALUE, turn, row, new, others,
            {bug: one[2] if one else old for bug, one in of_bugs.items()}, text, float,
            prompt=f"What does {name} become?", facts=facts if turn.writes else (), number=new,
            start=old, step=TYPED if self.rule.estimates else 1.0, marks=marks,
            scale=self.number_line(backup),
            why=(name, ": ", *((old, " stays") if new == old else (old, " becomes ", new)),
                 ": ", *sum_, "."),
        )  # fmt: skip

    def number_line(self, backup: Backup) -> tuple[float, float]:
        """Return the ends of the number line for a backup."""
        if self.rule.estimates:
            return line(*self.rule.rewards(self.settings), backup.old, backup.new, backup.target)
        reach = max(FEW_BEADS, 2 * abs(backup.new - backup.old))
        return max(0.0, backup.old - reach), backup.old + reach

    def unseen(self, turn: Turn) -> Iterator[QuizQuestion]:
        """Ask for the value of a board that was never seen, if a turn chooses among such."""
        assert self.bugs is not None
        s, right = space(), float(self.settings["initial"])
        visits = self.table.visits(self.memory(turn.row))[0]
        boards = [int(s.edge_successor[edge]) for edge in s.edges_of(turn.move.board)]
        for board in [one for one in boards if not s.outcome[one] and not visits[one]][:1]:
            asked = self.question(
                QuizKind.GREEDY, turn, turn.row, right, (0.0, 0.25, 0.5, 0.75, 1.0),
                self.bugs.unseen(), decimals, float, number=right, facts=(),
                prompt=f"{self.player} never reached this board. What is its value?",
            )  # fmt: skip
            shown = ShownBoard("new", s.text(board))
            yield replace(asked, kind=QuizKind.VALUE, board=shown.cells, boards=(shown,))


def line(*numbers: float) -> tuple[float, float]:
    """Return the ends of a number line that contains these numbers."""
    return min(numbers), max(max(numbers), min(numbers) + 1e-6)


def of_entry(entry: int, by_bug: ByBug) -> dict[str, Written | None]:
    """Return what every bug writes to an entry."""
    return {bug: next((one for one in made if one[0] == entry), None)
            for bug, made in by_bug.items()}  # fmt: skip


def decimals(number: float) -> str:
    """Return a number with three decimals, as all screens write it."""
    text = f"{round(number, 3) + 0.0:.3f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(round(number, 3)) < 1 else text


def around(number: float) -> tuple[float, ...]:
    """Return other numbers to choose from."""
    return number + 0.05, number - 0.05, number + 0.1, number - 0.1


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


class ByHand(QuizAnswers):
    """A game of a learner played by hand, then questions from other games that find a bug.

    Args:
        spec: the learner.
        seed: the same seed asks the same.
    """

    def __init__(self, spec: PlayerSpec, seed: int) -> None:
        if not spec.learns:
            raise UsageError(f"{shown(str(spec))} does not learn. Try td")
        self.spec = spec
        is_slow = spec.rule.is_off_policy or not spec.rule.by_state
        before = BEFORE_OFF_POLICY if is_slow else BEFORE
        before = before if spec.rule.estimates else BEFORE_BEADS
        run, player = Run(spec, spec, seed), "XO"[seed % 2]
        run.train(before + CANDIDATES)
        record = run.record(before, before + CANDIDATES)
        writes_many = spec.rule.shares_error or spec.rule.one_table
        most = MOST_OF_MANY if writes_many else MOST_KEYS
        games = (Hand(run, before + n, player, record) for n in range(CANDIDATES))
        best = max(
            (hand for hand in games if hand.turns),
            key=lambda one: instructive(one, most),
            default=None,
        )
        if best is None or not any(turn.writes for turn in best.turns):
            raise UsageError(f"{shown(str(spec))} changes no value in {CANDIDATES} games. Try td")
        self.bugs = Bugs(spec) if spec.rule.name == MEANT else None
        self.seed, hand = seed, Hand(run, best.game, player, record, self.bugs)
        super().__init__(hand.questions(types_last=True))
        self.of_game = len(self.questions)

    @cached_property
    def diagnosis(self) -> Diagnosis | None:
        """What finds the bug, for a rule that the museum has bugs of."""
        if self.bugs is None:
            return None
        return Diagnosis(pool(self.spec, self.seed + 1, self.bugs))

    def take(self, given: float | None) -> GivenAnswer:
        answer, extra = super().take(given), len(self.questions) - self.of_game
        if self.is_over and (found := self.diagnosis) is not None:
            new = self.given if not extra else [answer]
            for one in new:
                found.take(one.question, one.given)
            asked = found.next() if extra < MOST_EXTRA else None
            self.questions += [asked] if asked is not None else []
        return answer

    def result(self) -> dict[str, Any]:
        """Return the score by events of the game, the first wrong answer, and the bug."""
        questions = self.questions[: self.of_game]
        given = self.given[: self.of_game]
        right = {one.question.place for one in given} - {
            one.question.place for one in given if one.score < 1.0
        }
        undone = {question.place for question in questions[len(given) :]}
        wrong = [n for n, one in enumerate(given) if one.given is not None and one.score < 1.0]
        is_done = len(given) == self.of_game
        found = self.diagnosis if is_done else None
        return {
            "score": len(right - undone),
            "of": len({question.place for question in questions}),
            "first_wrong": wrong_json(wrong[0] + 1, given[wrong[0]]) if wrong else None,
            "bug": None if found is None else found.bug,
        }


def wrong_json(n: int, answer: GivenAnswer) -> dict[str, Any]:
    asked = answer.question
    return {
        "n": n,
        "event": asked.place.row + 1,
        "ply": asked.ply,
        "kind": asked.kind.value,
        "yours": answer.given if asked.is_number else answer.text,
        "right": asked.number if asked.is_number else asked.choices[min(asked.right)],
    }


def instructive(hand: Hand, most: int) -> tuple[bool, int]:
    """Return whether a game fits into so many keys, and how much there is to see in it."""
    asked = hand.questions(types_last=True)
    keys = sum(1 + len(decimals(one.number)) * one.is_number for one in asked)
    numbers = [one for one in asked if one.kind is QuizKind.VALUE]
    changed = sum(decimals(one.number) != decimals(one.start) for one in numbers)
    taught = {min(one.right) for one in asked if one.kind is QuizKind.LEARNS}
    choices = sum(one.kind is QuizKind.GREEDY for one in asked)
    return keys <= most, 2 * changed - len(numbers) + 3 * len(taught) + choices


def pool(spec: PlayerSpec, seed: int, bugs: Bugs) -> list[QuizQuestion]:
    """Return questions from early and late games of another run, some for every bug."""
    run = Run(spec, spec, seed)
    run.train(POOL[-1] + AROUND)
    found: list[QuizQuestion] = []
    for first in POOL:
        record = run.record(first, first + AROUND)
        games = range(first, first + AROUND)
        hands = [Hand(run, game, "XO"[game % 2], record, bugs) for game in games]
        for shows in (
            lambda hand: hand.over.result == "draw",
            lambda hand: is_missed(space().text(hand.turns[-1].move.afterstate)),
            lambda hand: any(turn.is_own and turn.move.exploratory for turn in hand.turns),
            lambda hand: True,
        ):
            for hand in [one for one in hands if shows(one)][:OF_EACH]:
                hands.remove(hand)
                for turn in hand.turns:
                    found += hand.of_turn(turn, finds_bug=True)
    order = [dice_word(seed & MASK, n, 0, PICK) for n in range(len(found))]
    found = [found[n] for n in sorted(range(len(found)), key=order.__getitem__)]
    kept: dict[int, QuizQuestion] = {}
    for bug in PIECES:
        places = [n for n, one in enumerate(found) if one.by_bug.get(bug) != one.by_bug[SOUND]]
        kept |= {n: found[n] for n in places[:FOR_A_BUG]}
    return list(kept.values())

"""Questions about a run: does a value rise, what is written, which entry, which move?

The answers are in the history, and the same seed asks everybody the same. A question shows what you
need to answer it, and hides the answer. The seed chooses game, move and backup. In Step,
`predicted` scores a typed prediction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count, cycle
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import space
from afterstate_lab.learners.ask.what_if import has_same_entries, replay_game
from afterstate_lab.learners.engine.dice import PICK, dice_word, game_key, seed_words
from afterstate_lab.learners.rules.equation import TermRole
from afterstate_lab.learners.rules.spec import PlayerSpec, built_in
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.recording import Cursor, TapePosition
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.watched import watch

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.run import Run

WordsAndNumbers = tuple[str | float, ...]
"""A sentence in parts, whose numbers each screen formats."""
Fact = tuple[str, float | str | WordsAndNumbers]
"""A fact that a question gives: a label, and a number or words."""
Pick = Callable[[int], int]
"""Returns a random index below a number."""
TRIES: Final = 40
"""Maximum number of games to search for a question of one kind."""
MOST_CHOICES: Final = 9
CLEAR: Final = 2
"""Minimum number of steps between the answer and the number that earns nothing."""
FEW_BEADS: Final = 10.0
NEAR: Final = 0.0005
"""Tolerance of a prediction: half of the third decimal."""
REWARD: Final = "R"
"""The symbol of the result of the game."""
TWO_RULES: Final = {"q": "Q-learning", "sarsa": "Sarsa"}
"""The rules whose targets one question compares."""
WAYS: Final = ("up", "down", "the same")
SIGNS: Final[Mapping[str, str]] = {"+": "up", "-": "down", "−": "down", "=": "the same",
    "same": "the same"}  # fmt: skip
"""Other words for a direction."""
EXPLORING: Final = {
    "skip": "skips the backup", "learn": "learns as ever", "forget": "forgets what was before",
}  # fmt: skip
"""Phrases for the option `exploration`."""


class QuizKind(Enum):
    WAY = "way"
    VALUE = "value"
    LEARNS = "learns"
    ENTRY = "entry"
    GREEDY = "greedy"
    TARGET = "target"
    """The target, under the player's rule or another."""


@dataclass(frozen=True)
class QuizQuestion:
    kind: QuizKind
    place: TapePosition
    """The event that it is about."""
    ply: int
    player: str
    board: str
    """The board as nine characters."""
    moved: int | None
    """0-8: the cell marked last."""
    prompt: str
    facts: tuple[Fact, ...]
    why: WordsAndNumbers
    """The explanation, shown after the answer."""
    choices: tuple[str, ...] = ()
    """The possible answers; empty if the answer is a number."""
    right: frozenset[int] = frozenset()
    number: float = 0.0
    """The right number."""
    start: float = 0.0
    """A guess that earns nothing: the old value, or the other rule's target."""
    scale: tuple[float, float] = (0.0, 1.0)
    """The ends of the number line."""
    marks: tuple[tuple[str, float], ...] = ()
    """Labelled points of the number line."""
    step: float = 0.005
    """The smallest step on the number line; half a step off is still right."""

    @property
    def is_number(self) -> bool:
        return not self.choices

    @property
    def _reach(self) -> float:
        """The distance at which a guess earns nothing."""
        return abs(self.number - self.start) or 2 * self.step

    def read(self, text: str) -> float | None:
        """Read an answer: a number, a choice, or its position from 1; None for anything else."""
        word = text.strip()
        if self.is_number:
            return read_number(word)
        numbers = [str(n) for n in range(1, len(self.choices) + 1)]
        if self.kind is QuizKind.ENTRY and word in numbers:
            return float(numbers.index(word))
        word = SIGNS.get(word.lower(), word.lower())
        names = [name.lower() for name in self.choices]
        begun = [name for name in names if word and name.startswith(word)]
        found = word if word in names else begun[0] if len(begun) == 1 else None
        return None if found is None else float(names.index(found))

    def score(self, given: float) -> float:
        """Score an answer from 0 to 1."""
        if not self.is_number:
            return float(given in self.right)
        distance = abs(given - self.number)
        if distance <= self.step / 2 * (1 + 1e-9):
            return 1.0
        return max(0.0, 1.0 - distance / self._reach)

    @property
    def chance(self) -> float:
        """The mean score of random guesses."""
        if not self.is_number:
            return len(self.right) / len(self.choices)
        low, high = self.scale
        return (self._earned(high - self.number) + self._earned(self.number - low)) / (high - low)

    def _earned(self, distance: float) -> float:
        """Return the integral of the scores of guesses up to a distance on one side."""
        half, far = self.step / 2, min(distance, self._reach)
        if far <= half:
            return far
        return far - (far * far - half * half) / (2 * self._reach)


def read_number(text: str) -> float | None:
    """Read a finite number of at most 30 characters; None for anything else."""
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        return None
    return number if math.isfinite(number) and len(text) <= 30 else None


def predicted(text: str, old: float, new: float) -> tuple[bool, bool] | None:
    """Score a prediction of what a backup writes: a number, or `+`, `-` or `=`.

    Returns:
        Whether the number is right, and whether the way is; None for another text.
    """
    change = (new > old) - (new < old)
    way = SIGNS.get(text.strip())
    if way is not None:
        return False, {"up": 1, "down": -1, "the same": 0}[way] == change
    value = read_number(text.strip())
    if value is None:
        return None
    is_right = abs(value - new) < NEAR
    return is_right, is_right or (value > old) - (value < old) == change


@dataclass(frozen=True)
class GivenAnswer:
    question: QuizQuestion
    given: float | None
    """The index of the choice, or the number; None if the question was skipped."""

    @property
    def score(self) -> float:
        return 0.0 if self.given is None else self.question.score(self.given)

    @property
    def text(self) -> str | None:
        return None if self.given is None else self.question.choices[int(self.given)]


class QuizAnswers:
    """The questions of a quiz, and the answers so far.

    Args:
        questions: at least one.
    """

    def __init__(self, questions: Sequence[QuizQuestion]) -> None:
        self.questions = tuple(questions)
        self.given: list[GivenAnswer] = []
        self.streak = 0
        """Current number of right answers in a row."""
        self.best_streak = 0

    @property
    def is_over(self) -> bool:
        return len(self.given) >= len(self.questions)

    @property
    def question(self) -> QuizQuestion:
        """The current question."""
        return self.questions[len(self.given)]

    @property
    def score(self) -> float:
        return math.fsum(answer.score for answer in self.given)

    @property
    def chance(self) -> float:
        """The expected score of random guesses."""
        return math.fsum(answer.question.chance for answer in self.given)

    def take(self, given: float | None) -> GivenAnswer:
        """Answer the current question."""
        answer = GivenAnswer(self.question, given)
        self.given.append(answer)
        self.streak = self.streak + 1 if answer.score == 1.0 else 0
        self.best_streak = max(self.best_streak, self.streak)
        return answer


class QuizGame:
    """A recorded game that questions are made from.

    Args:
        game: the number of the game.
    """

    def __init__(self, run: Run, game: int) -> None:
        self.run, self.number = run, game
        self.recording = run.record(game, game + 1)
        self.events = self.recording.events()
        self.reads = watch(run, self.recording, game)
        rows = list(enumerate(self.events))
        self.moves = {row: event for row, event in rows if isinstance(event, Move)}
        self.backups = {row: event for row, event in rows if isinstance(event, Backup)}

    def table(self, player: str) -> Table:
        return self.recording.layout.x if player == "X" else self.recording.layout.o

    def learns(self, player: str) -> bool:
        seats = self.run.seating_of(self.number)
        is_learning = (seats.x if player == "X" else seats.o) is Seat.LEARNS
        return is_learning and self.table(player).spec.learns

    def moves_before(self, row: int) -> list[Move]:
        """Return the moves up to and including a row."""
        return [move for at, move in self.moves.items() if at <= row]

    def backups_after(self, row: int, player: str) -> list[int]:
        """Return the rows of a player's backups between the move of a row and the next move."""
        end = next((at for at in self.moves if at > row), len(self.events))
        return [at for at, one in self.backups.items() if row < at < end and one.player == player]

    def label(self, entry: int, *, with_table: bool = True) -> str:
        """Name an entry by its board, the cell of an action value, and its table; or the reward."""
        table = self.recording.layout.table_of(entry)
        place = entry - table.base
        if not 0 <= place < table.size:
            return REWARD
        which, place = divmod(place, len(table.entries.boards))
        board = space().text(int(table.entries.boards[place]))
        cell = int(table.entries.cells[place])
        name = f"{board}@{cell + 1}" if cell >= 0 else board
        has_table = with_table and table.spec.rule.tables > 1
        return f"{name} of table {which + 1}" if has_table else name

    def question(self, kind: QuizKind, row: int, **rest: Any) -> QuizQuestion:
        """Return a question about a row; the board is after the moves so far."""
        event, moves = self.events[row], self.moves_before(row)
        is_choice = kind is QuizKind.GREEDY
        before = moves[:-1] if is_choice else moves
        rest.setdefault("player", getattr(event, "player", "X"))
        return QuizQuestion(
            kind=kind,
            place=TapePosition(self.number, row),
            ply=event.ply,
            board=space().text(moves[-1].board if is_choice else moves[-1].afterstate),
            moved=before[-1].cell if before else None,
            **rest,
        )

    def symbols(self, player: str) -> Fact:
        return "", self.table(player).spec.rule.equation.symbols

    def end_facts(self, row: int) -> Iterator[Fact]:
        """Yield how the game ended, if no move follows a row."""
        over = self.events[-1]
        if isinstance(over, GameOver) and row >= max(self.moves):
            said = "a draw" if over.result == "draw" else f"{over.result} wins"
            other = "O" if over.result == "X" else "X"
            yield "the game ends:", f"{other} resigns" if over.resigned else said

    def number_line(self, row: int) -> tuple[tuple[float, float], float]:
        """Return the ends of the number line for a backup, and its smallest step."""
        backup = self.backups[row]
        spec = self.table(backup.player).spec
        if spec.rule.estimates:
            return line(*spec.rule.rewards(spec.settings), backup.old, backup.new, backup.target)
        around = max(FEW_BEADS, 2 * abs(backup.new - backup.old))
        return (max(0.0, backup.old - around), backup.old + around), 1.0

    def is_clear(self, row: int) -> bool:
        """Return whether a backup moves its value far enough to ask for the number."""
        backup = self.backups[row]
        steps = abs(backup.new - backup.old) / self.number_line(row)[1]
        return steps >= (CLEAR if self.table(backup.player).spec.rule.estimates else 1)

    def ranks(self, row: int) -> dict[int, float]:
        """Return the rank of each cell that the mover of a row compares."""
        move, s = self.moves[row], space()
        ranked = self.table(move.player).preferences(Cursor(self.recording, row).v)
        return {int(s.edge_cell[edge]): float(ranked[edge]) for edge in s.edges_of(move.board)}

    def candidate_facts(self, row: int) -> Iterator[Fact]:
        """Yield the entries that the mover of a row compares."""
        table = self.table(self.moves[row].player)
        values, size = table.values(Cursor(self.recording, row).v), len(table.entries.boards)
        seen: dict[str, list[float]] = {}
        for edge in space().edges_of(self.moves[row].board):
            place = int(table.entries.of_edge[edge]) % size
            seen[self.label(table.base + place, with_table=False)] = values[:, place].tolist()
        for label, (first, *second) in sorted(seen.items(), reverse=True):
            in_both: WordsAndNumbers = (first, " and ", *second, " in the two tables")
            yield f"{label} holds", in_both if second else first


# Each of these makes the questions of its kind on a game, or none. It draws what they are about;
# `early` says that there is time to look for a better game.


def way_questions(game: QuizGame, pick: Pick, early: bool) -> tuple[QuizQuestion, ...]:
    """Ask whether a backup raises its value; then, if it changes, for the new value."""
    clear = [row for row in game.backups if game.is_clear(row)]
    rows = clear or list(game.backups)
    if not rows or (early and not clear):
        return ()
    row = rows[pick(len(rows))]
    backup, read = game.backups[row], game.reads[row]
    old, new, target, step = backup.old, backup.new, backup.target, backup.step
    rule, entry = game.table(backup.player).spec.rule, game.label(backup.entry)
    # The error that a backup applies: with traces that of the first one of its turn.
    error = float(game.recording.errors[row])
    known: list[Fact] = [(f"{entry} holds", old)]
    if rule.estimates:
        labels = [(game.label(e), value) for e, value in list(read.values.items())[:MOST_CHOICES]]
        known += [(f"{one} holds", value) for one, value in labels if one not in (REWARD, entry)]
    known += game.end_facts(row)
    reward = read.variables.get("r", read.variables.get("reward"))
    if reward is not None:
        known.append((REWARD, reward))
    known.append(game.symbols(backup.player))
    numbers: list[Fact]
    towards: WordsAndNumbers
    sum_: WordsAndNumbers
    if rule.shares_error:
        numbers = [("error δ", error), ("trace z", backup.trace), ("step size", step)]
        towards = ("the error is ", error)
        sum_ = (old, " + ", step, " × ", backup.trace, " × ", error)
    elif rule.estimates:
        numbers = [("target", target), ("step size", step)]
        towards = ("from ", old, " towards ", target)
        sum_ = (old, " + ", step, " × ", "(", target, " − ", old, ")")
    else:
        numbers = [
            (term.symbol, read.variables[term.variable])
            for term in rule.equation.terms
            if term.role is TermRole.BEADS and term.variable in read.variables
        ]
        towards = sum_ = (rule.equation.symbols,)
    way = 0 if new > old else 1 if new < old else 2
    what = "the value of" if rule.estimates else "the beads of"
    asked = game.question(
        QuizKind.WAY, row, prompt=f"{backup.player} learns: which way goes {what} {entry}?",
        facts=tuple(known), choices=WAYS, right=frozenset({way}),
        why=(f"{WAYS[way].capitalize()}: ", *towards, "."),
    )  # fmt: skip
    if not clear:
        return (asked,)
    scale, small = game.number_line(row)
    shows_target = rule.estimates and not rule.shares_error
    return asked, game.question(
        QuizKind.VALUE, row, prompt=f"What is written to {entry}?",
        facts=(*known, *numbers), number=new, start=old, scale=scale, step=small,
        marks=(("old", old), ("target", target)) if shows_target else (("old", old),),
        why=(*became(backup), ": ", *sum_, "."),
    )  # fmt: skip


def line(*numbers: float) -> tuple[tuple[float, float], float]:
    """Return the ends of a number line that contains these numbers, and its smallest step."""
    low, high = min(numbers), max(max(numbers), min(numbers) + 1e-6)
    return (low, high), (high - low) / 200


def became(backup: Backup) -> WordsAndNumbers:
    """Describe the old and new value of a backup."""
    if backup.new == backup.old:
        return (backup.old, " stays")
    return (backup.old, " becomes ", backup.new)


def learns_questions(game: QuizGame, pick: Pick, early: bool) -> tuple[QuizQuestion, ...]:
    """Ask whether a move backs up anything, with yes and no equally likely if possible."""
    wanted = bool(pick(2))
    made = {
        row: len(game.backups_after(row, move.player))
        for row, move in game.moves.items()
        if game.learns(move.player)
    }
    found = [row for row in made if bool(made[row]) is wanted] or list(made)
    if not found:
        return ()
    row = found[pick(len(found))]
    move = game.moves[row]
    spec = game.table(move.player).spec
    facts = [game.symbols(move.player), ("its choice was", move.choice)]
    if "exploration" in spec.settings:
        how = EXPLORING[spec.settings["exploration"]]
        facts.append(("after an exploratory move it", how))
    is_first = all(m.player != move.player for m in game.moves_before(row)[:-1])
    if made[row]:
        why = f"Yes: {made[row]} backup{'s' * (made[row] > 1)}."
    elif move.exploratory:
        why = "No: it was exploratory."
    elif is_first and not spec.rule.by_state:
        why = "No: an action value waits for the next turn."
    elif row == max(game.moves):
        why = "No: nothing is learned from this result."
    else:
        why = "No: it waits for what comes."
    return (game.question(
        QuizKind.LEARNS, row,
        prompt=f"{move.player} has marked {move.cell + 1}. Does {move.player} back up anything, "
        "before the next move?",
        facts=(*facts, *game.end_facts(row)), choices=("yes", "no"), why=(why,),
        right=frozenset({0 if made[row] else 1}),
    ),)  # fmt: skip


def entry_questions(game: QuizGame, pick: Pick, early: bool) -> tuple[QuizQuestion, ...]:
    """Ask which entry is written first after a move."""
    found = [
        (row, player, first, entries_offered(game, row, player, first))
        for row in game.moves
        for player in "XO"
        for first in game.backups_after(row, player)[:1]
    ]
    asked = [one for one in found if len(one[-1]) > 1]
    if not asked:
        return ()
    row, player, first, choices = asked[pick(len(asked))]
    move, backup = game.moves[row], game.backups[first]
    right = choices.index(game.label(backup.entry, with_table=False))
    return (game.question(
        QuizKind.ENTRY, row, player=player,
        prompt=f"{move.player} has marked {move.cell + 1}. Which entry of {player} is written "
        "first now?",
        facts=(game.symbols(player), *game.end_facts(row)), choices=choices,
        right=frozenset({right}),
        why=(f"{choices[right]}: ", *became(backup), "."),
    ),)  # fmt: skip


def entries_offered(game: QuizGame, row: int, player: str, first: int) -> tuple[str, ...]:
    """Return answers to choose from: the entries of the game so far, and other boards."""
    table, moves = game.table(player), game.moves_before(row)
    of_state = table.entries.of_state
    if of_state is not None:
        found = [
            game.label(table.base + int(of_state[board]))
            if ply == 0 or ply % 2 != table.side
            else space().text(board)
            for ply, board in enumerate([0, *(move.afterstate for move in moves)])
        ]
    else:
        places = [int(table.entries.of_edge[move.edge]) for move in moves]
        found = [game.label(table.base + place, with_table=False) for place in places]
    label = game.label(game.backups[first].entry, with_table=False)
    names = list(dict.fromkeys((*found, label)))
    extra = [name for name in names if name != label][: max(0, len(names) - MOST_CHOICES)]
    kept = [name for name in names if name not in extra]
    return tuple(sorted(kept, key=lambda name: (-name.count("."), name)))


def greedy_questions(game: QuizGame, pick: Pick, early: bool) -> tuple[QuizQuestion, ...]:
    """Ask which move is greedy, or most likely."""
    asked = []
    for row, move in game.moves.items():
        if game.table(move.player).spec.rule.learns:
            ranked = {str(cell + 1): rank for cell, rank in game.ranks(row).items()}
            best = [cell for cell, rank in ranked.items() if rank == max(ranked.values())]
            if 2 * len(best) <= len(ranked):
                asked.append((row, ranked, best))
    if not asked:
        return ()
    row, ranked, best = asked[pick(len(asked))]
    player, choices = game.moves[row].player, tuple(ranked)
    draws = game.table(player).spec.rule.draws
    which = "Which bead is it most likely to draw?" if draws else "Which move is greedy now?"
    return (game.question(
        QuizKind.GREEDY, row, prompt=f"{player} is to move. {which}",
        facts=tuple(game.candidate_facts(row)), choices=choices,
        right=frozenset(map(choices.index, best)),
        why=(f"{' or '.join(best)}: ", ranked[best[0]], " is the most."),
    ),)  # fmt: skip


def target_questions(game: QuizGame, pick: Pick, early: bool) -> tuple[QuizQuestion, ...]:
    """Ask for the target of Q-learning, or of Sarsa, at one transition."""
    names = list(TWO_RULES)
    name = names.pop(pick(2))
    asked = []
    for player in "XO":
        spec = game.table(player).spec
        if not game.learns(player) or spec.rule.name not in (*TWO_RULES, "expected-sarsa"):
            continue
        targets, others = (targets_under(game, player, one) for one in (name, *names))
        for row, target in targets.items():
            # At the end of the game no move is made next.
            read = [game.label(entry) for entry in game.reads[row].values]
            if row not in others or not read or REWARD in read:
                continue
            scale, step = line(*spec.rule.rewards(spec.settings), target, others[row])
            is_clear = abs(target - others[row]) >= CLEAR * step
            if is_clear or (target == others[row] and not early):
                asked.append((row, target, others[row], scale, step))
    if not asked:
        return ()
    row, target, other, scale, step = asked[pick(len(asked))]
    backup = game.backups[row]
    own = max(at for at, m in game.moves.items() if at < row and m.player == backup.player)
    return (game.question(
        QuizKind.TARGET, row,
        prompt=f"What is the target of {TWO_RULES[name]} for {game.label(backup.entry)}?",
        facts=(
            ("", built_in(name).equation.symbols),
            ("the move made next is", str(game.moves[own].cell + 1)),
            *game.candidate_facts(own),
            ("γ", game.table(backup.player).spec.settings["gamma"]),
        ),
        number=target, start=other, scale=scale, marks=(("old", backup.old),), step=step,
        why=(f"{TWO_RULES[name]} looks at ", target, ", the other rule at ", other, "."),
    ),)  # fmt: skip


def targets_under(game: QuizGame, player: str, name: str) -> dict[int, float]:
    """Return the targets of a player's backups by row, under another rule of its kind.

    That rule replays the game from the same memory; if it marks other cells, there are no targets.
    """
    table = game.table(player)
    rule, known, events = built_in(name), table.spec.settings, game.events
    if table.spec.rule is not rule:
        given = tuple((o.name, known[o.name]) for o in rule.options if o.name in known)
        spec = PlayerSpec(rule, given)
        if rule.rewards(spec.settings) != table.spec.rule.rewards(known):
            return {}
        side = {player.lower(): spec}
        result = replay_game(game.run, game.number, **side)  # type: ignore[arg-type]
        others = (result.other.layout.x, result.other.layout.o) if result is not None else ()
        if result is None or not has_same_entries(table, others[player == "O"]):
            return {}
        events = result.other.events()
    moves = [[e.cell for e in found if isinstance(e, Move)] for found in (game.events, events)]
    if moves[0] != moves[1]:
        return {}
    targets = {
        (e.ply, e.board, e.cell): e.target
        for e in events
        if isinstance(e, Backup) and e.player == player
    }
    keys = {row: (e.ply, e.board, e.cell) for row, e in game.backups.items() if e.player == player}
    return {row: targets[key] for row, key in keys.items() if key in targets}


ASKED: Final = (
    way_questions, learns_questions, greedy_questions, entry_questions, target_questions,
)  # fmt: skip
"""The kinds of questions, in turn; a number follows its direction."""


def picker(low: int, high: int) -> Pick:
    """Return a picker of random numbers from a key."""
    throws = count()
    return lambda many: dice_word(low, high, next(throws), PICK) * many >> 32


def quiz(
    run: Run,
    many: int,
    seed: int = 0,
    *,
    games: range | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[QuizQuestion, ...]:
    """Return questions about a run; fewer than `many` if it has no more, or `stop` ended the work.

    Args:
        run: the run; nothing is added to it.
        many: how many questions.
        seed: the same seed asks the same.
        games: those that are asked about; all by default.
        stop: called before each game; true gives up.
    """
    within = range(run.games) if games is None else games
    words = seed_words(seed)
    questions: list[QuizQuestion] = []
    held: dict[int, QuizGame] = {}
    dry = 0
    for number, ask in enumerate(cycle(ASKED)):
        found: list[QuizQuestion] = []
        for attempt in range(min(TRIES, 4 * len(within))):
            if stop():
                return ()
            pick = picker(*game_key(*words, number * TRIES + attempt))
            chosen = within[pick(len(within))]
            if chosen not in held:
                held[chosen] = QuizGame(run, chosen)
            asked = ask(held[chosen], pick, 2 * attempt < TRIES)
            if found := [question for question in asked if question not in questions]:
                break
        dry = 0 if found else dry + 1
        questions += found
        if len(questions) >= many or dry >= len(ASKED):
            break
    return tuple(questions[:many])

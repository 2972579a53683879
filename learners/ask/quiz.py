"""A quiz on the games of a run: turns of many games, and two rules compared.

The answers are in the history, and the same seed asks everybody the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, cycle
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask.be import Hand, around, decimals, listed
from afterstate_lab.learners.ask.questions import WAYS, QuizKind, QuizQuestion
from afterstate_lab.learners.engine.dice import PICK, dice_word, game_key, seed_words
from afterstate_lab.learners.rules.spec import built_in

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run

Pick = Callable[[int], int]
"""Returns a random index below a number."""
Questions = list[QuizQuestion]
Ask = Callable[[Hand, Pick, bool], Questions]
TRIES: Final = 40
"""Maximum number of games to search for a question of one kind."""
CLEAR: Final = 2
"""Minimum number of steps between the answer and the number that earns nothing."""
TWO_RULES: Final = {"q": "Q-learning", "sarsa": "Sarsa"}
"""The rules whose targets one question compares."""


# Each of these makes the questions of its kind on a game, or none. It draws what they are about;
# `early` says that there is time to look for a better game.


def way_questions(hand: Hand, pick: Pick, early: bool) -> Questions:
    """Ask whether a backup raises its value; then, if it changes, for the new value."""
    asked = [(turn, row) for turn in hand.turns for row in turn.writes]
    clear = [(turn, row) for turn, row in asked if is_clear(hand, row)]
    asked = clear or asked
    if not asked or (early and not clear):
        return []
    turn, row = asked[pick(len(asked))]
    backup, name = hand.backup(row), hand.name(hand.backup(row).entry, turn)
    way = WAYS[0 if backup.new > backup.old else 1 if backup.new < backup.old else 2]
    number = replace(hand.becomes(turn, row, {}), choices=(), right=frozenset())
    direction = hand.question(
        QuizKind.WAY, turn, row, way, WAYS, {}, str, WAYS.index,
        prompt=f"{hand.player} learns: which way goes {name}?",
        why=(f"{way.capitalize()}: ", *number.why),
    )  # fmt: skip
    low, high = number.scale
    step = (high - low) / 200 if hand.rule.estimates else 1.0
    return [direction, replace(number, step=step)] if clear else [direction]


def is_clear(hand: Hand, row: int) -> bool:
    """Return whether a backup moves its value far enough to ask for the number."""
    backup = hand.backup(row)
    low, high = hand.number_line(backup)
    moved = abs(backup.new - backup.old)
    return moved >= CLEAR * (high - low) / 200 if hand.rule.estimates else moved >= 1.0


def of_kind(kind: QuizKind) -> Ask:
    """Return what asks one of the questions of a kind; yes and no are equally likely."""

    def ask(hand: Hand, pick: Pick, early: bool) -> Questions:
        found = [one for turn in hand.turns for one in hand.of_turn(turn) if one.kind is kind]
        wanted = pick(2)
        asked = [one for one in found if kind is not QuizKind.LEARNS or wanted in one.right]
        return [asked[pick(len(asked))]] if (asked := asked or found) else []

    return ask


def target_questions(hand: Hand, pick: Pick, early: bool) -> Questions:
    """Ask for the target of Q-learning, or of Sarsa, at one transition."""
    name, spec = list(TWO_RULES)[pick(2)], hand.table.spec
    if spec.rule.name not in (*TWO_RULES, "expected-sarsa"):
        return []
    gamma, asked = spec.settings["gamma"], []
    for turn in hand.turns:
        # At the end of the game no move is made next.
        if turn.is_own and turn.writes and not turn.is_last:
            worths = hand.worths(hand.memory(turn.row), turn.move.board)
            values = {cell: float(worth) for cell, worth in worths.items()}
            targets = gamma * max(values.values()), gamma * values[turn.move.cell]
            if len(set(map(decimals, targets))) > 1 or not early:
                asked.append((turn, dict(zip(TWO_RULES, targets, strict=True)), worths))
    if not asked:
        return []
    turn, by_rule, worths = asked[pick(len(asked))]
    target, backup = by_rule.pop(name), hand.backup(turn.writes[0])
    (other,) = by_rule.values()
    found = hand.question(
        QuizKind.TARGET, turn, turn.writes[0], target, (other, backup.old, *around(target)), {},
        decimals, float,
        prompt=f"What is the target of {TWO_RULES[name]} for {hand.name(backup.entry, turn)}?",
        why=(f"{TWO_RULES[name]} looks at ", target, ", the other rule at ", other, "."),
    )  # fmt: skip
    return [replace(found, facts=(
        ("", built_in(name).equation.symbols),
        ("the move made next is", str(turn.move.cell + 1)),
        ("Q of its moves now", listed(worths)),
        ("γ", gamma),
    ))]  # fmt: skip


ASKED: Final = (
    way_questions, of_kind(QuizKind.LEARNS), of_kind(QuizKind.GREEDY), of_kind(QuizKind.ENTRY),
    target_questions,
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
    questions: Questions = []
    held: dict[tuple[int, str], Hand] = {}
    dry = 0
    for number, ask in enumerate(cycle(ASKED)):
        found: Questions = []
        for attempt in range(min(TRIES, 8 * len(within))):
            if stop():
                return ()
            pick = picker(*game_key(*words, number * TRIES + attempt))
            chosen = within[pick(len(within))], "XO"[pick(2)]
            if chosen not in held:
                held[chosen] = Hand(run, *chosen)
            asked = ask(held[chosen], pick, 2 * attempt < TRIES) if held[chosen].learns else []
            if found := [question for question in asked if question not in questions]:
                break
        dry = 0 if found else dry + 1
        questions += found
        if len(questions) >= many or dry >= len(ASKED):
            break
    return tuple(questions[:many])

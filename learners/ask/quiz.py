"""A quiz on the games of a run: turns of many games, and two rules compared.

The answers are in the history, and the same seed asks everybody the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, cycle
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask.be import Hand, around, decimals, listed
from afterstate_lab.learners.ask.questions import WAYS, QuizKind, QuizQuestion, way_of
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
STEPS: Final = 200
"""Steps on the number line of a value."""
CLEAR: Final = 2
"""Minimum number of steps between the answer and the number that earns nothing."""
TWO_RULES: Final = {"q": "Q-learning", "sarsa": "Sarsa"}
"""The rules whose targets one question compares."""


# Each of these makes the questions of its kind on a game, or none. It draws what they are about;
# `early` says that there is time to look for a better game.


def way_questions(hand: Hand, pick: Pick, early: bool) -> Questions:
    """Ask whether a backup raises its value; then, if it moves far enough, for the new value."""
    asked = []
    backups = [(turn, row) for turn in hand.turns for row in turn.writes]
    for turn, row in backups:
        number = hand.becomes(turn, row, {})
        low, high = number.scale
        is_bead = not hand.rule.estimates
        number = number.typed(1.0 if is_bead else (high - low) / STEPS)
        steps = abs(number.right - number.start) / number.step
        asked.append((turn, row, number, steps >= (1 if is_bead else CLEAR)))
    clear = [one for one in asked if one[-1]]
    asked = clear or asked
    if not asked or (early and not clear):
        return []
    turn, row, number, is_clear = asked[pick(len(asked))]
    event, way = hand.events[row], way_of(number.start, number.right)
    direction = hand.question(
        QuizKind.WAY, turn, row, way, WAYS, {}, text=str, order=WAYS.index,
        prompt=f"{hand.player} learns: which way goes {hand.name(event.entry, turn)}?",
        why=(f"{way.capitalize()}: ", *number.why),
    )  # fmt: skip
    return [direction, number] if is_clear else [direction]


def of_kind(kind: QuizKind) -> Ask:
    """Return what asks one of the questions of a kind; yes and no are equally likely."""

    def ask(hand: Hand, pick: Pick, early: bool) -> Questions:
        found = [one for turn in hand.turns for one in hand.of_turn(turn) if one.kind is kind]
        wanted = pick(2)
        asked = [one for one in found if kind is not QuizKind.LEARNS or one.right == wanted]
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
    target, event = by_rule.pop(name), hand.events[turn.writes[0]]
    (other,) = by_rule.values()
    found = hand.question(
        QuizKind.TARGET, turn, turn.writes[0], target, (other, event.old, *around(target)), {},
        prompt=f"What is the target of {TWO_RULES[name]} for {hand.name(event.entry, turn)}?",
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
            hand = held[chosen] = held.get(chosen) or Hand(run, *chosen)
            asked = ask(hand, pick, 2 * attempt < TRIES) if hand.learns else []
            if found := [question for question in asked if question not in questions]:
                break
        dry = 0 if found else dry + 1
        questions += found
        if len(questions) >= many or dry >= len(ASKED):
            break
    return tuple(questions[:many])

"""A quiz on the games of a run: turns of many games, a kind of question after the other.

The answers are in the history, and the same seed asks everybody the same.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, cycle
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.ask.be import Hand
from afterstate_lab.learners.ask.questions import WAYS, QuizKind, QuizQuestion, way_of
from afterstate_lab.learners.engine.dice import PICK, dice_word, game_key, seed_words

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run

Pick = Callable[[int], int]
"""Returns a random index below a number."""
KINDS: Final = (
    QuizKind.WAY, QuizKind.LEARNS, QuizKind.GREEDY, QuizKind.ENTRY, QuizKind.TARGET,
)  # fmt: skip
"""The kinds of questions, in turn; a number follows its direction."""
TRIES: Final = 40
"""Maximum number of games to search for a question of one kind."""
STEPS: Final = 200
"""Steps on the number line of a value."""
CLEAR: Final = 2
"""Minimum number of steps between the answer and the number that earns nothing."""


def way_questions(hand: Hand, pick: Pick, early: bool) -> list[QuizQuestion]:
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


def of_kind(kind: QuizKind, hand: Hand, pick: Pick, early: bool) -> list[QuizQuestion]:
    """Return a question of a kind on a game, or none.

    Args:
        kind: the kind; of yes and no, each is equally likely.
        hand: the game.
        pick: draws what is asked about.
        early: whether there is time to look for a better game.
    """
    if kind is QuizKind.WAY:
        return way_questions(hand, pick, early)
    found = [one for turn in hand.turns for one in hand.of_turn(turn) if one.kind is kind]
    wanted = pick(2)
    asked = [one for one in found if kind is not QuizKind.LEARNS or one.right == wanted]
    return [asked[pick(len(asked))]] if (asked := asked or found) else []


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
    if run.games:
        run.make_ready(run.games // 2)  # for many games, compile first
    words = seed_words(seed)
    questions: list[QuizQuestion] = []
    held: dict[tuple[int, str], Hand] = {}
    dry = 0
    for number, kind in enumerate(cycle(KINDS)):
        found: list[QuizQuestion] = []
        for attempt in range(min(TRIES, 8 * len(within))):
            if stop():
                return ()
            pick = picker(*game_key(*words, number * TRIES + attempt))
            chosen = within[pick(len(within))], "XO"[pick(2)]
            hand = held[chosen] = held.get(chosen) or Hand(run, *chosen)
            asked = of_kind(kind, hand, pick, 2 * attempt < TRIES) if hand.learns else []
            if found := [question for question in asked if question not in questions]:
                break
        dry = 0 if found else dry + 1
        questions += found
        if len(questions) >= many or dry >= len(KINDS):
            break
    return tuple(questions[:many])

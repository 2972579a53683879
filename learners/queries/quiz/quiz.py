"""A quiz on a run: questions whose answers are on its tape, the same for all who have one seed.

Every question shows what is needed to answer it, and nothing that tells. Which game, move and
backup it is about follows from the dice of the seed alone (`learners.engine.dice`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, cycle
from typing import TYPE_CHECKING, Final

from learners.engine.dice import PICK, dice_word, game_key, seed_words
from learners.queries.quiz.backups import entry_question, learns_question, way_questions
from learners.queries.quiz.game import Pick, QuizGame
from learners.queries.quiz.moves import greedy_question, target_question
from learners.queries.quiz.question import QuizKind, QuizQuestion

if TYPE_CHECKING:
    from learners.tape.run import Run


TRIES: Final = 40
"""Games that are looked through for a question of one kind."""


ORDER: Final = (
    QuizKind.WAY, QuizKind.LEARNS, QuizKind.GREEDY, QuizKind.ENTRY, QuizKind.TARGET,
)  # fmt: skip
"""The kinds in turn; the value follows its way."""


def picker(low: int, high: int) -> Pick:
    """The dice of a key: a new word at each throw."""
    throws = count()
    return lambda many: dice_word(low, high, next(throws), PICK) * many >> 32


def asked_of(
    game: QuizGame, kind: QuizKind, pick: Pick, *, early: bool
) -> tuple[QuizQuestion, ...]:
    """The questions of a kind that a game has for the dice; none, one, or the way and the value.

    Args:
        game: the game.
        kind: the kind.
        pick: the dice.
        early: there is time to look for a better one.
    """
    match kind:
        case QuizKind.LEARNS:
            found = learns_question(game, pick)
        case QuizKind.ENTRY:
            found = entry_question(game, pick)
        case QuizKind.GREEDY:
            found = greedy_question(game, pick)
        case QuizKind.TARGET:
            found = target_question(game, pick, apart_only=early)
        case _:
            return way_questions(game, pick)
    return () if found is None else (found,)


def quiz(
    run: Run,
    many: int,
    seed: int = 0,
    *,
    games: range | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[QuizQuestion, ...]:
    """Questions on a run; fewer than `many` where it has no more, or `stop` said so.

    Args:
        run: the run; nothing is added to it.
        many: how many questions.
        seed: the same seed asks the same.
        games: those that are asked about; all by default.
        stop: asked before each game whether to give up.
    """
    within = range(run.games) if games is None else games
    words = seed_words(seed)
    questions: list[QuizQuestion] = []
    held: dict[int, QuizGame] = {}
    dry = 0
    for number, kind in enumerate(cycle(ORDER)):
        found: tuple[QuizQuestion, ...] = ()
        for attempt in range(min(TRIES, 4 * len(within))):
            if stop():
                return ()
            pick = picker(*game_key(*words, number * TRIES + attempt))
            chosen = within[pick(len(within))]
            if chosen not in held:
                held[chosen] = QuizGame.of(run, chosen)
            found = asked_of(held[chosen], kind, pick, early=2 * attempt < TRIES)
            found = tuple(q for q in found if q not in questions)
            if found:
                break
        dry = 0 if found else dry + 1
        questions += found
        if len(questions) >= many or dry >= len(ORDER):
            break
    return tuple(questions[:many])

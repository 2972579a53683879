"""Questions on backups: which way, how far, whether at all, and which entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from game import space
from learners.queries.quiz.game import (
    MOST_CHOICES,
    Pick,
    QuizGame,
    end_facts,
    error_of,
    numbers_of,
    seen_facts,
)
from learners.queries.quiz.question import QuizFact, QuizKind, QuizQuestion, WordsAndNumbers
from learners.tape.events import Backup, Move

if TYPE_CHECKING:
    pass


LEAST_CHANGE: Final = 0.002
"""A smaller change of a value is asked for only where there is no larger one."""


FEW_BEADS: Final = 10.0


def backups_asked(game: QuizGame) -> list[int]:
    """The rows of the backups that are worth a question."""
    rows = [row for row, event in enumerate(game.events) if isinstance(event, Backup)]
    changing = [row for row in rows if abs(change_of(game, row)) >= LEAST_CHANGE]
    return changing or rows


def change_of(game: QuizGame, row: int) -> float:
    """How much the backup of a row changes its entry."""
    event = game.events[row]
    assert isinstance(event, Backup)
    return event.new - event.old


def way_and_value(game: QuizGame, row: int) -> tuple[QuizQuestion, QuizQuestion]:
    """Whether a backup raises its entry, and then what it writes."""
    backup = game.events[row]
    assert isinstance(backup, Backup)
    table = game.table(backup.player)
    rule = table.spec.rule
    entry = game.label(backup.entry)
    facts = [QuizFact(f"{entry} holds", backup.old), *seen_facts(game, row)]
    ways = ("up", "down", "the same")
    way = 0 if backup.new > backup.old else 1 if backup.new < backup.old else 2
    what = "the beads of" if not rule.estimates else "the value of"
    known = (*facts, QuizFact("", text=rule.equation.symbols))
    number = numbers_of(game, row)
    first = game.question(
        QuizKind.WAY, row, prompt=f"{backup.player} learns: which way goes {what} {entry}?",
        facts=known, choices=ways, right=frozenset({way}),
        why=(f"{ways[way].capitalize()}: ", *towards(game, row), "."),
    )  # fmt: skip
    low, high = scale_of(game, backup)
    marks = [("old", backup.old)]
    if rule.estimates and not rule.shares_error:
        marks.append(("target", backup.target))
    second = game.question(
        QuizKind.VALUE, row, prompt=f"What is written to {entry}?",
        facts=(*known, *number), number=backup.new, start=backup.old, scale=(low, high),
        step=(high - low) / 200 if rule.estimates else 1.0, marks=tuple(marks),
        why=(*became(backup), ": ", *worked(game, row), "."),
    )  # fmt: skip
    return first, second


def way_questions(game: QuizGame, pick: Pick) -> tuple[QuizQuestion, ...]:
    """The way of a backup, then its value."""
    rows = backups_asked(game)
    return way_and_value(game, rows[pick(len(rows))]) if rows else ()


def became(backup: Backup) -> WordsAndNumbers:
    """What a backup writes, in the place of what."""
    if backup.new == backup.old:
        return (backup.old, " stays")
    return (backup.old, " becomes ", backup.new)


def towards(game: QuizGame, row: int) -> WordsAndNumbers:
    """What a backup moves towards."""
    backup = game.events[row]
    assert isinstance(backup, Backup)
    if not game.table(backup.player).spec.rule.estimates:
        return (backup.old, " beads become ", backup.new)
    if game.table(backup.player).spec.rule.shares_error:
        return ("the error is ", error_of(game, row))
    return ("from ", backup.old, " towards ", backup.target)


def worked(game: QuizGame, row: int) -> WordsAndNumbers:
    """The arithmetic of a backup."""
    backup = game.events[row]
    assert isinstance(backup, Backup)
    rule = game.table(backup.player).spec.rule
    if not rule.estimates:
        return (rule.equation.symbols,)
    begins = (backup.old, " + ", backup.step, " × ")
    if rule.shares_error:
        return (*begins, backup.trace, " × ", error_of(game, row))
    return (*begins, "(", backup.target, " − ", backup.old, ")")


def scale_of(game: QuizGame, backup: Backup) -> tuple[float, float]:
    """The ends of the number line: what results are worth, or beads."""
    table = game.table(backup.player)
    if not table.spec.rule.estimates:
        around = max(FEW_BEADS, 2 * abs(backup.new - backup.old))
        return max(0.0, backup.old - around), backup.old + around
    worths = table.spec.rule.rewards(table.spec.settings)
    numbers = (*worths, backup.old, backup.new, backup.target)
    return min(numbers), max(max(numbers), min(numbers) + 1e-6)


def learns_question(game: QuizGame, pick: Pick) -> QuizQuestion | None:
    """Whether a move backs up anything: as often as can be, the answers yes and no alike."""
    wanted = bool(pick(2))
    rows = [
        row
        for row, event in enumerate(game.events)
        if isinstance(event, Move) and game.learns(event.player)
    ]
    fitting = [row for row in rows if bool(backups_after(game, row)) is wanted]
    if not (fitting or rows):
        return None
    found = fitting or rows
    row = found[pick(len(found))]
    move = game.events[row]
    assert isinstance(move, Move)
    table = game.table(move.player)
    made = backups_after(game, row)
    facts = [QuizFact("", text=table.spec.rule.equation.symbols)]
    facts += [QuizFact("its choice was", text=move.choice)]
    if "exploration" in table.spec.settings:
        how = table.spec.settings["exploration"]
        facts.append(QuizFact("after an exploratory move it", text=EXPLORING[how]))
    facts += end_facts(game, row)
    many = "1 backup" if len(made) == 1 else f"{len(made)} backups"
    return game.question(
        QuizKind.LEARNS, row,
        prompt=f"{move.player} has marked {move.cell + 1}. Does {move.player} back up anything, "
        "before the next move?",
        facts=tuple(facts), choices=("yes", "no"), right=frozenset({0 if made else 1}),
        why=(f"Yes: {many}." if made else f"No: {why_nothing(game, row)}.",),
    )  # fmt: skip


EXPLORING: Final = {
    "skip": "skips the backup", "learn": "learns as ever", "forget": "forgets what was before",
}  # fmt: skip
"""What an exploratory move does, by the option `exploration`."""


def backups_after(game: QuizGame, row: int) -> list[int]:
    """The rows of the backups that the mover makes before the next move."""
    move = game.events[row]
    assert isinstance(move, Move)
    return [
        later
        for later in game.after(row)
        if isinstance(event := game.events[later], Backup) and event.player == move.player
    ]


def why_nothing(game: QuizGame, row: int) -> str:
    """Why a move backs up nothing."""
    move = game.events[row]
    assert isinstance(move, Move)
    ends = not any(isinstance(event, Move) for event in game.events[row + 1 :])
    if move.exploratory:
        return "it was exploratory"
    first = all(m.player != move.player for m in game.moves_before(row)[:-1])
    by_state = game.table(move.player).spec.rule.by_state
    if first and not by_state:
        return "an action value waits for the next turn"
    return "nothing is learned from this result" if ends else "it waits for what comes"


def entry_question(game: QuizGame, pick: Pick) -> QuizQuestion | None:
    """Which entry is written first, once a move is made."""
    asked = []
    for row, event in enumerate(game.events):
        if isinstance(event, Move):
            for player in "XO":
                first = next((r for r in game.after(row) if is_backup_of(game, r, player)), None)
                if first is not None:
                    asked.append((row, player, first))
    asked = [found for found in asked if len(entries_offered(game, *found)) > 1]
    if not asked:
        return None
    row, player, first = asked[pick(len(asked))]
    move, backup = game.events[row], game.events[first]
    assert isinstance(move, Move)
    assert isinstance(backup, Backup)
    choices = entries_offered(game, row, player, first)
    right = choices.index(game.label(backup.entry, with_table=False))
    return game.question(
        QuizKind.ENTRY, row, player=player,
        prompt=f"{move.player} has marked {move.cell + 1}. Which entry of {player} is written "
        "first now?",
        facts=(
            QuizFact("", text=game.table(player).spec.rule.equation.symbols),
            *end_facts(game, row),
        ),
        choices=choices, right=frozenset({right}),
        why=(f"{choices[right]}: ", *became(backup), "."),
    )  # fmt: skip


def is_backup_of(game: QuizGame, row: int, player: str) -> bool:
    event = game.events[row]
    return isinstance(event, Backup) and event.player == player


def entries_offered(game: QuizGame, row: int, player: str, first: int) -> tuple[str, ...]:
    """The entries of the game so far, and boards that are none of the player's."""
    table, moves = game.table(player), game.moves_before(row)
    backup = game.events[first]
    assert isinstance(backup, Backup)
    boards = [0, *(move.afterstate for move in moves)]
    of_state = table.entries.of_state
    if of_state is not None:
        first_of_own = 1 + table.side
        found = [
            game.label(table.base + int(of_state[board]))
            if ply == 0 or ply % 2 == first_of_own % 2
            else space().text(board)
            for ply, board in enumerate(boards)
        ]
    else:
        places = [int(table.entries.of_edge[move.edge]) for move in moves]
        found = [game.label(table.base + place, with_table=False) for place in places]
    label = game.label(backup.entry, with_table=False)
    names = dict.fromkeys((*found, label))
    extra = [name for name in names if name != label][: max(0, len(names) - MOST_CHOICES)]
    kept = [name for name in names if name not in extra]
    return tuple(sorted(kept, key=lambda name: (-name.count("."), name)))

"""Questions on moves: which one is greedy, and what two rules make of the one that was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from learners.queries.quiz.game import Pick, QuizGame, candidate_facts, preferences_at
from learners.queries.quiz.question import QuizFact, QuizKind, QuizQuestion
from learners.queries.what_if import has_same_entries, replay_game
from learners.rules.registry import built_in
from learners.rules.spec import PlayerSpec
from learners.tape.events import Backup, Event, Move

if TYPE_CHECKING:
    pass


def greedy_question(game: QuizGame, pick: Pick) -> QuizQuestion | None:
    """Which move is greedy, or most likely drawn."""
    rows = []
    for row, event in enumerate(game.events):
        if isinstance(event, Move) and game.table(event.player).spec.rule.learns:
            ranked = preferences_at(game, row)
            best = max(ranked.values())
            if 2 * list(ranked.values()).count(best) <= len(ranked):
                rows.append(row)
    if not rows:
        return None
    row = rows[pick(len(rows))]
    move = game.events[row]
    assert isinstance(move, Move)
    rule = game.table(move.player).spec.rule
    ranked = preferences_at(game, row)
    best = max(ranked.values())
    choices = tuple(str(cell + 1) for cell in ranked)
    right = frozenset(i for i, value in enumerate(ranked.values()) if value == best)
    draws = rule.draws
    return game.question(
        QuizKind.GREEDY, row,
        prompt=f"{move.player} is to move. "
        + ("Which bead is it most likely to draw?" if draws else "Which move is greedy now?"),
        facts=tuple(candidate_facts(game, row)), choices=choices, right=right,
        why=(f"{' or '.join(choices[i] for i in sorted(right))}: ", best, " is the most."),
    )  # fmt: skip


TWO_RULES: Final = ("q", "sarsa")
"""The rules whose targets are asked for at one transition."""


def target_question(game: QuizGame, pick: Pick, *, apart_only: bool) -> QuizQuestion | None:
    """What the target of Q-learning, or of Sarsa, is at one transition.

    Args:
        game: the game.
        pick: the dice.
        apart_only: ask only where the two differ.
    """
    name = TWO_RULES[pick(2)]
    asked = []
    for player in "XO":
        table = game.table(player)
        if not game.learns(player) or table.spec.rule.name not in (*TWO_RULES, "expected-sarsa"):
            continue
        targets = targets_under(game, player, name)
        rows = [row for row in targets if len(game.reads[row].values)]
        other = targets_under(game, player, TWO_RULES[name == TWO_RULES[0]])
        both = [(row, targets[row], other[row]) for row in rows if row in other]
        asked += [found for found in both if found[1] != found[2] or not apart_only]
    if not asked:
        return None
    row, target, others = asked[pick(len(asked))]
    backup = game.events[row]
    assert isinstance(backup, Backup)
    table = game.table(backup.player)
    own = next(m for m in reversed(game.moves_before(row)) if m.player == backup.player)
    facts = [QuizFact("", text=built_in(name).equation.symbols)]
    facts += [QuizFact("the move made next is", text=str(own.cell + 1))]
    facts += candidate_facts(game, game.events.index(own))
    facts += [QuizFact("γ", table.spec.settings["gamma"])]
    worths = table.spec.rule.rewards(table.spec.settings)
    told = {"q": "Q-learning", "sarsa": "Sarsa"}
    why = (f"{told[name]} looks at ", target, ", the other rule at ", others, ".")
    low, high = min(*worths, target, others), max(*worths, target, others)
    return game.question(
        QuizKind.TARGET, row,
        prompt=f"What is the target of {told[name]} for {game.label(backup.entry)}?",
        facts=tuple(facts), number=target, start=others, scale=(low, high),
        step=(high - low) / 200, marks=(("old", backup.old),), why=why,
    )  # fmt: skip


def targets_under(game: QuizGame, player: str, name: str) -> dict[int, float]:
    """The targets of a player's backups in a game by their rows, under another rule of its kind.

    The game is played again by that rule from the same memory; where it would not mark the same
    cells, there are none.
    """
    table = game.table(player)
    rule = built_in(name)
    if table.spec.rule is rule:
        events: Sequence[Event] = game.events
    else:
        known = table.spec.settings
        given = tuple((o.name, known[o.name]) for o in rule.options if o.name in known)
        spec = PlayerSpec(rule, given)
        if rule.rewards(spec.settings) != table.spec.rule.rewards(known):
            return {}
        side = {player.lower(): spec}
        result = replay_game(game.run, game.recording.first, **side)  # type: ignore[arg-type]
        others = (result.other.layout.x, result.other.layout.o) if result is not None else ()
        if result is None or not has_same_entries(table, others[player == "O"]):
            return {}
        events = result.other.events()
    moves = [[e.cell for e in found if isinstance(e, Move)] for found in (game.events, events)]
    if moves[0] != moves[1]:
        return {}
    targets = {(e.ply, e.board, e.cell): e.target for e in backups_of(events, player)}
    rows = {(e.ply, e.board, e.cell): row for row, e in enumerate(game.events)
            if isinstance(e, Backup) and e.player == player}  # fmt: skip
    return {row: targets[key] for key, row in rows.items() if key in targets}


def backups_of(events: Sequence[Event], player: str) -> Iterator[Backup]:
    return (e for e in events if isinstance(e, Backup) and e.player == player)

"""The update in words: one plain sentence for each rule and phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from afterstate_lab.learners.rules.equation import TargetKind, TermRole
from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.run import Seat
from afterstate_lab.learners.tape.timeline import REPLY, TARGET, VALUES
from afterstate_lab.tui.lab.microscope.choice import said_random
from afterstate_lab.tui.lab.microscope.reading import (
    Kind,
    TargetInputs,
    best_of,
    candidates,
    seat_of,
    table_of_player,
)
from afterstate_lab.tui.theme.numerals import decimals, subscript

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.microscope.reading import Update, UpdateContext


def sentence(context: UpdateContext) -> str:
    """What happens in the current phase."""
    update, phase, inputs = context.update, context.phase, context.inputs
    event = update.event
    if isinstance(event, GameOver):
        return the_end(context, event)
    if isinstance(event, Move):
        return of_move(context, event)
    if isinstance(event, NoBackup):
        return why_none(update, event)
    assert isinstance(event, Backup)
    if phase == REPLY:
        return f"{seen(context)} and ended the game: {fate(update)}."
    if phase == TARGET:
        return of_target(update, event, inputs)
    return of_write(update, event, inputs, context.role_of_change(event))


def the_end(context: UpdateContext, event: GameOver) -> str:
    if event.result == "draw":
        return "The game is a draw; nothing more is learned from it."
    loser = "O" if event.result == "X" else "X"
    wins = "You win" if is_yours(context, event.result) else f"{event.result} wins"
    how = f"{loser} resigns: its matchbox is empty" if event.resigned else wins
    return f"{how}; nothing more is learned from it."


def seen(context: UpdateContext) -> str:
    """The opponent's latest move."""
    update = context.update
    reply = update.reply
    if update.game.is_resigned:
        return f"{'O' if update.player == 'X' else 'X'} resigned"
    return "The game began" if reply is None else move_made(context, reply)


def fate(update: Update) -> str:
    """How the game ended for the player."""
    over = update.game.over
    if over is None:
        return "it goes on"
    if over.result == "draw":
        return "a draw"
    return f"{update.player} {'won' if over.result == update.player else 'lost'}"


def is_yours(context: UpdateContext, player: str) -> bool:
    """Whether a person plays this side."""
    return seat_of(context.timeline, player) is Seat.HUMAN


def move_made(context: UpdateContext, move: Move) -> str:
    """Who marked what."""
    who = "You" if is_yours(context, move.player) else move.player
    return f"{who} marked {move.cell + 1}"


def of_move(context: UpdateContext, move: Move) -> str:
    """A move's phases: the reply, the values, the choice."""
    mover, phase = table_of_player(context.timeline, move.player), context.phase
    rule = mover.player.rule
    given = move.choice == "scripted"
    if phase == REPLY:
        last = context.update.moves[move.ply - 2]
        whose = "your" if is_yours(context, move.player) else f"{move.player}'s"
        return f"{move_made(context, last)}; now it is {whose} turn."
    if phase == VALUES:
        if given:
            whose = "Your" if is_yours(context, move.player) else f"{move.player}'s"
            return f"{whose} move comes from outside."
        if not rule.learns:
            return f"{move.player} is {rule.name}: {rule.summary}."
        if not rule.estimates:
            return f"{move.player} opens the matchbox of this board."
        if rule.by_state:
            return f"{move.player} looks up the value of every afterstate it can reach."
        return f"{move.player} looks up the value of every move it can make."
    if given:
        told = f"{move.player} marks {move.cell + 1}, as it was told."
        return f"You mark {move.cell + 1}." if is_yours(context, move.player) else told
    if move.choice == "drawn":
        if not rule.learns:
            return f"{move.player} moves by chance: {move.cell + 1}."
        return f"{move.player} draws a bead of the box: {move.cell + 1}."
    options = candidates(mover, context.v, move.board)
    best = best_of(options)
    if move.exploratory:
        places = 3 if rule.estimates else 0
        return (
            f"{move.player} explores {move.cell + 1}, though {best.cell + 1} "
            f"is ranked higher ({decimals(best.value, places)})."
        )
    if said_random(context, move):
        drawn = f"the best, {move.cell + 1}"
        return f"The dice said random, and drew {drawn}: it counts as greedy."
    ties = sum(option.value == best.value for option in options)
    if ties > 1:
        return f"{move.player} takes {move.cell + 1}, one of {ties} equally good moves."
    return f"{move.player} takes the best move that it knows: {move.cell + 1}."


def why_none(update: Update, event: NoBackup) -> str:
    after = update.steps[min(update.index + 1, len(update.steps) - 1)]
    explored = after.is_exploratory and after.move is not None
    name = f"V(S{subscript(update.index)})"
    forgets = update.spec.settings.get("exploration") == "forget"
    if forgets and not explored:
        return f"All before the last exploratory move is forgotten: {name} stays."
    assert event.reason
    moved = (
        f"{after.move.player} explored {after.move.cell + 1}"
        if explored and after.move
        else (f"The next move was {event.reason}")
    )
    if forgets:
        return f"{moved}: all that came before is forgotten, {name} stays."
    traces = ", traces are 0" if update.target_kind is TargetKind.TRACE else ""
    return f"{moved}, which says nothing of {name}: it stays{traces}."


def than(target: float, old: float) -> str:
    """How a target compares with what was expected."""
    if target == old:
        return "just as expected"
    if decimals(target) == decimals(old):
        return f"slightly {'more' if target > old else 'less'} than expected"
    return f"{'more' if target > old else 'less'} than the {decimals(old)} expected"


def of_target(update: Update, event: Backup, inputs: TargetInputs) -> str:
    """Where the target comes from, and how it compares."""
    target, player = decimals(event.target), update.player
    other = "O" if player == "X" else "X"
    compared = than(event.target, event.old)
    if update.kind is Kind.BEADS:
        return beads_target(update, event, inputs)
    step = update.target_step
    kind = update.target_kind
    if kind is TargetKind.TRACE:
        return of_trace(update, event)
    if kind is TargetKind.BEST_REPLY and inputs.candidate is not None:
        best = f"{inputs.candidate.cell + 1} for {decimals(inputs.candidate.value)}"
        return f"{mover_after(update)} can reply {best}, leaving {target}: {compared}."
    if inputs.is_end and (kind.is_pair or kind is TargetKind.END):
        return f"{fate(update).capitalize()}, which is worth {target}: {compared}."
    if kind.is_pair:
        return of_turn(update, inputs, compared)
    parts = [(term.symbol, inputs.numbers.get(term.symbol)) for term in update.equation.read]
    if len(parts) > 1:
        made = " and ".join(f"{symbol} {decimals(number)}" for symbol, number in parts)
        return f"{made} make {target}: {compared}."
    where = f"S{subscript(update.target or 0)}"
    if step is not None and step.is_end:
        how = f"{other} resigned, which is" if update.game.is_resigned else "The game is over and"
        return f"{how} worth {target}: {compared}."
    if kind is TargetKind.HORIZON:
        ahead = (update.target or 0) - update.index
        far = "a move on" if ahead == 1 else f"{ahead} moves on"
        return f"{where}, {far}, is worth {target}: {compared}."
    if update.equation.is_backward:
        return f"{where}, just updated, is worth {target}: {compared}."
    reply = update.reply
    after = f"After {other}→{reply.cell + 1}, " if reply is not None else ""
    if not update.equation.is_declared:
        return f"{after}the target is {target}: {compared}."
    return f"{after}{where} is worth {target}: {compared}."


def of_trace(update: Update, event: Backup) -> str:
    """How much of the step's error reaches an entry."""
    newest = (update.target or 1) - 1
    name, back = f"S{subscript(update.index)}", newest - update.index
    error = f"δ = {decimals(update.error, 4)}"
    if not back:
        return f"{error}, and {name} has just been left: its trace is 1."
    ago = "a step" if back == 1 else f"{back} steps"
    return f"{error} reaches {name}, left {ago} ago, by its trace {decimals(event.trace)}."


def mover_after(update: Update) -> str:
    """Who is to move in the position that is backed up."""
    return "XO"[update.step.place % 2]


def of_turn(update: Update, inputs: TargetInputs, compared: str) -> str:
    """What an action-value rule looks at in its next turn."""
    value = decimals(inputs.value)
    if inputs.candidate is None:
        return f"{update.player} can expect {value} of its next turn: {compared}."
    cell = inputs.candidate.cell + 1
    if update.spec.rule.tables > 1:
        mine, other = ("Q₂", "Q₁") if inputs.written_table else ("Q₁", "Q₂")
        return f"Coin: {mine}. Its best, {cell}, is {value} in {other}: {compared}."
    is_made = update.target_kind is TargetKind.NEXT_PAIR
    which = "The next move made" if is_made else "The best next move"
    return f"{which}, {cell}, is worth {value}: {compared}."


def beads_target(update: Update, event: Backup, inputs: TargetInputs) -> str:
    """What the result does to a colour."""
    if inputs.is_refill:
        return "The box has no bead left, so it is filled anew."
    made = update.step.move
    cell = "" if made is None else f" of colour {made.cell + 1}"
    change = event.target - event.old
    result = "draw" if fate(update) == "a draw" else fate(update).split()[-1]
    moved = next((t.symbol for t in update.equation.terms if t.role is TermRole.BEADS), "")
    reward = round(abs(inputs.numbers.get(moved, inputs.reward)))
    verb = "adds" if inputs.reward > 0 else "takes"
    clipped = f" (never below {update.equation.floor})" if abs(change) < reward else ""
    beads = "bead" if reward == 1 else "beads"
    reward_text = str(reward) if reward else "no"
    said = {"won": "a win", "lost": "a loss", "draw": "a draw"}[result]
    return f"{said.capitalize()} {verb} {reward_text} {beads}{cell}{clipped}."


TRUTHWARD = {"better": ", nearer v*", "worse": ", farther from v*"}
"""What a change does, by its role."""


def of_write(update: Update, event: Backup, inputs: TargetInputs, role: str) -> str:
    """What is written, with its sign and size, and whether that leads nearer to the truth."""
    if update.kind is Kind.BEADS:
        old, new = decimals(event.old, 0), decimals(event.new, 0)
        move = None if inputs.is_refill else update.step.move
        cell = event.cell if move is None else move.cell
        where = "" if cell is None else f" of colour {cell + 1}"
        if event.new == event.old:
            return f"The {new} {'bead' if event.new == 1 else 'beads'}{where} stay."
        change = round(abs(event.new - event.old))
        verb = "Put in" if event.new > event.old else "Take out"
        return f"{verb} {change} {'bead' if change == 1 else 'beads'}{where}: {old} → {new}."
    name = entry_name(update, inputs)
    moved = f"{decimals(event.old, 4)} → {decimals(event.new, 4)}{TRUTHWARD.get(role, '')}"
    if event.new == event.old:
        return f"{name} stays {decimals(event.new, 4)}."
    verb = "Raise" if event.new > event.old else "Lower"
    if update.target_kind is TargetKind.TRACE:
        return f"{verb} {name} by α δ z: {moved}."
    return f"{verb} {name} by {share(event.step)} of the gap: {moved}."


def share(step: float) -> str:
    """A step size as a part of the gap."""
    return "all" if step == 1.0 else decimals(step, 2 if round(step, 2) == step else 3)


def entry_name(update: Update, inputs: TargetInputs) -> str:
    """The entry that is written, by its time step."""
    if update.kind is Kind.STATES:
        return f"V(S{subscript(update.index)})"
    table = "" if update.spec.rule.tables == 1 else "₂" if inputs.written_table else "₁"
    move = update.step.move
    return f"Q{table}(S,{'A' if move is None else move.cell + 1})"

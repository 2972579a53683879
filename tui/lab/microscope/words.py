"""The update in words: a plain sentence for each rule and phase, and the terms of the equation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from afterstate_lab.learners.rules.equation import FLOOR, TargetKind, TermRole
from afterstate_lab.learners.rules.equation import Term as Declared
from afterstate_lab.learners.tape.recording import (
    Backup,
    GameOver,
    Move,
    NoBackup,
    best_cells,
    mover_values,
)
from afterstate_lab.learners.tape.timeline import REPLY, TARGET, VALUES
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.blocks.speech import spoken, trimmed
from afterstate_lab.tui.lab.microscope.choice import beads
from afterstate_lab.tui.lab.microscope.reading import Read, Update
from afterstate_lab.tui.theme.numerals import compact, decimals, subscript

TRUTHWARD = {"better": ", nearer vπ", "worse": ", farther from vπ", "text": ""}
"""The effect of a change, by its role."""


def sentence(u: Update) -> str:
    """Describe the current phase."""
    event = u.event
    if isinstance(event, GameOver):
        loser = f"{'O' if event.result == 'X' else 'X'} resigns: " * event.resigned
        how = "The game is a draw" if event.result == "draw" else f"{loser}{event.result} wins"
        return f"{how}; nothing more is learned from it."
    if isinstance(event, Move):
        return of_move(u, event)
    if isinstance(event, NoBackup):
        return why_none(u)
    assert isinstance(event, Backup)
    if u.phase == REPLY:
        reply = u.latest(own=False)
        seen = "The game began" if reply is None else marked(reply)
        seen = f"{other(u)} resigned" if u.is_resigned else seen
        return f"{seen} and ended the game: {fate(u)}."
    if u.is_beads:
        return of_beads(u, event)
    if u.phase != TARGET:
        return of_write(u, event)
    if u.kind is TargetKind.TRACE:  # how much of the step's error reaches the entry
        name, back = f"S{subscript(u.index)}", (u.looks_at or 1) - 1 - u.index
        error = f"δ = {decimals(u.error, 4)}"
        if not back:
            return f"{error}, and {name} has just been left: its trace is 1."
        ago = "a step" if back == 1 else f"{back} steps"
        return f"{error} reaches {name}, left {ago} ago, by its trace {decimals(event.trace)}."
    return f"{source_of(u, event)}: {compared(event)}."


def other(u: Update) -> str:
    return "O" if u.player == "X" else "X"


def fate(u: Update) -> str:
    """Describe how the game ended for the player."""
    if u.over is None:
        return "not over yet"
    if u.over.result == "draw":
        return "a draw"
    return f"{u.player} {'won' if u.over.result == u.player else 'lost'}"


def marked(move: Move) -> str:
    return f"{move.player} marked {move.cell + 1}"


def of_move(u: Update, move: Move) -> str:
    """Describe a phase of a move: the reply, the values, the choice."""
    table, mover, cell = u.table_of(move.player), move.player, move.cell + 1
    rule, given = table.player.rule, move.choice == "scripted"
    if u.phase == REPLY:
        return f"{marked(u.moves[move.ply - 2])}; now it is {mover}'s turn."
    if u.phase == VALUES:
        if given:
            return f"{mover}'s move comes from outside."
        if not rule.learns:
            return f"{mover} is {rule.name}: {rule.summary}."
        if not rule.estimates:
            return f"{mover} opens the matchbox of this board."
        what = "afterstate it can reach" if rule.by_state else "move it can make"
        return f"{mover} looks up the value of every {what}."
    if given:
        return f"{mover} marks {cell}: the move was given."
    if move.choice == "drawn":
        how = "draws a bead of the box" if rule.learns else "moves by chance"
        return f"{mover} {how}: {cell}."
    known = mover_values(table, u.v, move.board)
    best = best_cells(known)
    if move.exploratory:
        worth = decimals(known[best[0]], 3 if rule.estimates else 0)
        return f"{mover} explores {cell}, though {best[0] + 1} is ranked higher ({worth})."
    if len(best) > 1:
        return f"{mover} takes {cell}, one of {len(best)} equally good moves."
    return f"{mover} takes the best move that it knows: {cell}."


def why_none(u: Update) -> str:
    after = u.steps[min(u.index + 1, len(u.steps) - 1)].move
    explored = after is not None and after.exploratory
    name = value_name(u, u.index)
    forgets = u.table.spec.settings.get("exploration") == "forget"
    if forgets and not explored:
        return f"All before the last exploratory move is forgotten: {name} stays."
    moved = "The next move was exploratory"
    if after is not None and explored:
        moved = f"{after.player} explored {after.cell + 1}"
    if forgets:
        return f"{moved}: everything earlier is forgotten, {name} stays."
    return f"{moved}, which says nothing of {name}: it stays."


def compared(event: Backup) -> str:
    """Describe how the target compares with the old value."""
    if event.target == event.old:
        return "just as expected"
    way = "more" if event.target > event.old else "less"
    if decimals(event.target) == decimals(event.old):
        return f"slightly {way} than expected"
    return f"{way} than the {decimals(event.old)} expected"


def source_of(u: Update, event: Backup) -> str:
    """Describe where the target comes from."""
    kind, target, read = u.kind, decimals(event.target), next(iter(u.reads.values()), None)
    cell = None if read is None or read.cell is None else read.cell + 1
    value = decimals(None if read is None else read.number)
    if kind is TargetKind.BEST_REPLY and cell is not None:
        return f"{'XO'[u.step.place % 2]} can reply {cell} for {value}, leaving {target}"
    is_end = u.target is not None and u.target.is_end
    if is_end and (kind.is_pair or kind is TargetKind.END):
        return f"{fate(u).capitalize()}, which is worth {target}"
    if kind.is_pair:
        if cell is None:
            return f"{u.player} can expect {value} of its next turn"
        if u.rule.tables > 1:
            mine, theirs = ("Q₂", "Q₁") if u.which else ("Q₁", "Q₂")
            return f"Coin: {mine}. Its best, {cell}, is {value} in {theirs}"
        which = "The next move made" if kind is TargetKind.NEXT_PAIR else "The best next move"
        return f"{which}, {cell}, is worth {value}"
    if len(u.equation.read) > 1:
        found = ((term.symbol, u.reads.get(term.symbol)) for term in u.equation.read)
        parts = [f"{symbol} {decimals(one and one.number)}" for symbol, one in found]
        return f"{' and '.join(parts)} make {target}"
    if is_end:
        how = f"{other(u)} resigned, which is" if u.is_resigned else "The game is over and"
        return f"{how} worth {target}"
    where = f"S{subscript(u.looks_at or 0)}"
    reply = u.latest(own=False) if kind is TargetKind.NEXT and not u.equation.is_backward else None
    after = "" if reply is None else f"After {other(u)}→{reply.cell + 1}, "
    if any(term.role is TermRole.TARGET for term in u.equation.terms):
        return f"{after}the target is {target}"
    return f"{after}{where} is worth {target}"


def of_write(u: Update, event: Backup) -> str:
    """Describe a backup: sign, size, and whether it nears its value under current play."""
    name, now = value_name(u, u.index), decimals(event.new, 4)
    if event.new == event.old:
        return f"{name} stays {now}."
    share = "all" if event.step == 1.0 else decimals(event.step, 2)
    if round(event.step, 2) != event.step:
        share = decimals(event.step, 3)
    how = "α δ z" if u.kind is TargetKind.TRACE else f"{share} of the gap"
    verb, nearer = "Raise" if event.new > event.old else "Lower", TRUTHWARD[u.role_of_change(event)]
    return f"{verb} {name} by {how}: {decimals(event.old, 4)} → {now}{nearer}."


def values_moves(u: Update) -> bool:
    return u.rule.learns and not u.rule.by_state


def short_name(u: Update, number: int) -> str:
    """Return the short name of a step: `S₂`."""
    return f"S{subscript(number + values_moves(u))}"


def value_name(u: Update, number: int, cell: int | None = None) -> str:
    """Return the name of a step's value, by default of the move made: `V(S₂)`, `Q(S₂,5)`."""
    name, step = short_name(u, number), u.steps[number]
    if not values_moves(u):
        return f"V({name})"
    if cell is None and step.move is not None and step.position != step.board:
        cell = step.move.cell
    table = "" if u.rule.tables == 1 else "₁₂"[u.which]
    what = "beads" if u.is_beads else f"Q{table}"
    return f"{what}({name}{'' if cell is None else f',{cell + 1}'})"


def of_beads(u: Update, event: Backup) -> str:
    """Describe what the result does to a colour, then the beads that it puts in or takes out."""
    move = None if u.record.is_refill else u.step.move
    cell, change = event.cell if move is None else move.cell, event.new - event.old
    where = "" if cell is None else f" of colour {cell + 1}"
    if u.phase == TARGET:
        if move is None:
            return "The box has no bead left, so it is refilled."
        found = zip(u.equation.terms, u.numbers, strict=True)
        amounts = (read.number for term, read in found if read and term.role is TermRole.BEADS)
        many = round(abs(next(amounts, u.record.reward)))
        clipped = abs(event.target - event.old) < many
        floor = f" (never below {u.equation.floor})" if clipped else ""
        result = {"won": "A win", "lost": "A loss", "draw": "A draw"}[fate(u).split()[-1]]
        verb = "adds" if u.record.reward > 0 else "takes"
        return f"{result} {verb} {beads(many) if many else 'no beads'}{where}{floor}."
    if not change:
        return f"The {beads(event.new)}{where} stay."
    old, new = decimals(event.old, 0), decimals(event.new, 0)
    verb = "Put in" if change > 0 else "Take out"
    return f"{verb} {beads(abs(change))}{where}: {old} → {new}."


UNKNOWN: Final = "?"
FACTOR: Final = re.compile(r"(?<=[\w)])(?<!times) (?=[(\[])")
"""A blank before an expression that is multiplied by what is left of it."""
RULE_SIGNS: Final = {
    "[": "(",
    "]": ")",
    "+": " plus ",
    "−": " minus ",
    "γ(": "γ times (",
    "×": " times ",
}
COLOURS: Final = {
    TermRole.NEW: "written",
    TermRole.OLD: "text",
    TermRole.READ: "target",
    TermRole.TARGET: "target",
}
"""The colours of values, which have all their places; other numbers have no zeros at the end."""
EXCHANGED: Final = str.maketrans("₁₂", "₂₁")


class Term(NamedTuple):
    """A column of the equation: a symbol, and its number or sign."""

    symbol: str
    number: str
    role: str = "text"
    quantity: Quantity | None = None
    """The meaning of the number."""
    expression: str = ""
    """What the number is a part of, without zeros at its end."""
    is_sign: bool = False

    @property
    def words(self) -> str:
        if self.expression:
            return rule_words(self.expression)
        return trimmed(self.number.strip("()"))


def terms_of(u: Update, places: int = 6) -> tuple[Term, ...]:
    """Return the terms with × between numbers, and negative numbers in parentheses."""
    shown: list[Term] = []
    for declared, read in zip(u.equation.terms, u.numbers, strict=True):
        if not declared.is_number:
            is_minus = declared.role is TermRole.PLUS_MINUS and u.knows_target
            sign = ("−" if u.record.reward < 0 else "+") if is_minus else declared.symbol
            shown.append(Term(declared.symbol, sign, is_sign=True))
            continue
        term = term_of(u, declared, read, places)
        if shown and not shown[-1].is_sign:
            shown.append(Term("×", "×", is_sign=True))
        if shown and term.number[:1] == "−" and shown[-1].symbol in "+−×":
            term = term._replace(number=f"({term.number})")
        shown.append(term)
    return tuple(shown)


def term_of(u: Update, declared: Declared, read: Read | None, places: int) -> Term:
    """Return a symbol and its number, if known in this phase."""
    settings, role = u.table.spec.settings, declared.role
    is_one = declared.option and settings.get(declared.option) == 1.0
    term = declared.if_one if declared.if_one is not None and is_one else declared
    symbol = term.symbol.translate(EXCHANGED) if u.which else term.symbol
    if role is TermRole.STEP and settings.get("step") == "1/n":
        symbol = "1/N"
    if read is None:
        return Term(symbol, UNKNOWN)
    number, said = compact(read.number, places if role is TermRole.ERROR else 4), ""
    if role in COLOURS:
        number = decimals(read.number, 0 if u.is_beads else places)
    if term.form != "{}":
        option = compact(float(settings.get(declared.option, 1.0)))
        said = term.form.format(number.rstrip("0").rstrip(".") or "0", option=option)
        number = term.form.format(number, option=option)
    return Term(symbol, number, COLOURS.get(role, "text"), read.means, said)


def told_terms(terms: Sequence[Term], floor: int | None) -> str:
    """Return the update in numbers: V of S t: .5, plus .1 times (1 minus .5), gives .55.

    Empty before they are known.
    """
    if not terms or UNKNOWN in [term.number for term in terms[1:]]:
        return ""
    told = " ".join(term.number if term.is_sign else term.words for term in terms[2:])
    kept = "" if floor is None else f", never below {floor}"
    told = told if floor is None else FLOOR.sub("", told).removesuffix(" )")
    first, _, rest = rule_words(told).partition(" ")
    name = spoken(terms[0].symbol)
    gives = f", gives {trimmed(terms[0].number)}" if terms[0].number != UNKNOWN else ""
    return f"{name[:1].upper()}{name[1:]}: {first}, {rest}{kept}{gives}."


def rule_words(symbols: str) -> str:
    """Return an equation in words."""
    symbols = FACTOR.sub(" times ", symbols)
    for sign, words in RULE_SIGNS.items():
        symbols = symbols.replace(sign, words)
    return spoken(symbols).replace("( ", "(").replace(" )", ")")

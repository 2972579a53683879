"""The update as rule, numbers and code, and on the number line."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.engine.backups import backup, write
from afterstate_lab.learners.rules.equation import FLOOR, NUMBERS, TargetKind, Term, TermRole
from afterstate_lab.learners.tape.events import Backup
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.equation import OPERATORS, UNKNOWN, CodePart, Equation, Sum
from afterstate_lab.tui.blocks.equation import Term as TermView
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.blocks.number_line import Mark, Stretch
from afterstate_lab.tui.lab.microscope.reading import Kind, scale_of_values
from afterstate_lab.tui.theme.numerals import compact, decimals

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.watched import SourceLine
    from afterstate_lab.tui.lab.microscope.reading import Quantities, Update, UpdateContext
    from afterstate_lab.tui.views.words import Words

BLANK = f"{UNKNOWN:<7}"
"""As wide as a value: the columns stay where they are when it becomes known."""
WRITERS: Final = {function.__name__: function for function in (backup, write)}


def equation_view(context: UpdateContext, words: Words, code: SourceLine | None) -> Equation:
    """The pane of the update."""
    update, phase, quantities = context.update, context.phase, context.quantities
    event = update.backup
    done = isinstance(update.event, Backup) and update.event is update.learned
    looked_at = done and phase >= TARGET
    tells = looked_at and not context.is_masked
    estimates = update.kind is not Kind.BEADS
    shows_error = estimates and update.target_kind is not TargetKind.TRACE
    error = step = None
    if event is not None and tells:
        error = Sum("δ", event.error, "text", quantities.error)
        change = event.new - event.old
        step = Sum("step", change, context.role_of_change(event), quantities.change)
    return Equation(
        terms=Formula(context).terms(),
        error=error if shows_error else None,
        step=step,
        code=code.text if code else "",
        parts=parts_of(code.text, quantities) if code and looked_at else (),
        place=f"{code.file}:{code.number}" if code else "",
        words=words,
        marks=marks(context),
        stretches=stretches(context) if shows_error else (),
        scale=scale_of(update, context.value),
        right=update.spec.rule.source,
        places=6 if estimates else 0,
    )


class Formula:
    """Every term with its number, as far as it is known in this phase; lit if read or written."""

    def __init__(self, context: UpdateContext) -> None:
        update, phase, value = context.update, context.phase, context.value
        self.update = update
        self.inputs = context.inputs
        self.quantities = context.quantities
        self.is_known = update.knows_target(phase)
        self.is_written = update.is_written(phase)
        at_work = update.backup is not None and update.event is update.backup
        self.reads, self.writes = at_work and phase == TARGET, at_work and phase == WRITE
        self.places = 0 if update.kind is Kind.BEADS else 6
        event = update.backup
        self.old = event.old if event is not None and value is not None else value

    def terms(self) -> tuple[TermView, ...]:
        declared = [self._shown(term) for term in self.update.equation.terms]
        return with_products(self._term(place, term) for place, term in enumerate(declared))

    def _shown(self, term: Term) -> Term:
        """The term that stands there under the player's settings."""
        is_one = term.option and self.update.spec.settings.get(term.option) == 1.0
        return term.if_one if term.if_one is not None and is_one else term

    def _term(self, place: int, term: Term) -> TermView:
        declared = self.update.equation.terms[place]
        wholes = self.quantities.wholes_of(place)
        if declared.role is TermRole.SIGN:
            return TermView(term.symbol, term.symbol, wholes=wholes)
        if declared.role is TermRole.PLUS_MINUS:
            sign = "−" if self.inputs.reward < 0 else "+"
            return TermView(term.symbol, sign if self.is_known else term.symbol)
        symbol = self._symbol(term)
        number = self._number(declared)
        is_unknown = number.startswith(UNKNOWN)
        spoken = ""
        if not is_unknown and term.form != "{}":
            option = compact(float(self.update.spec.settings.get(declared.option, 1.0)))
            spoken = term.spoken.format(number.rstrip("0").rstrip(".") or "0", option=option)
            number = term.form.format(number, option=option)
        quantity = self.quantities.of_term(place)
        if declared.role is TermRole.NEW:
            role = "text" if is_unknown else "written"
            return TermView(symbol, number, role, self.writes, quantity)
        is_target = declared.role in (TermRole.READ, TermRole.TARGET)
        role = "target" if is_target and not is_unknown else "text"
        return TermView(
            symbol,
            number,
            role,
            self.reads,
            None if is_unknown else quantity,
            wholes,
            spoken=spoken,
        )

    def _symbol(self, term: Term) -> str:
        """Of two tables, exchanged when the second is written; 1/N for α that falls so."""
        if term.role is TermRole.STEP and self.update.spec.settings.get("step") == "1/n":
            return "1/N"
        if self.inputs.written_table:
            return term.symbol.translate(str.maketrans("₁₂", "₂₁"))
        return term.symbol

    def _number(self, term: Term) -> str:
        """The number of a term."""
        event, places = self.update.backup, self.places
        if term.role is TermRole.NUMBER:
            return compact(NUMBERS.get(term.symbol) or float(term.symbol))
        if term.role is TermRole.OLD:
            return self._blank if self.old is None else decimals(self.old, places)
        if term.role is TermRole.NEW:
            return decimals(event.new, places) if event and self.is_written else self._blank
        if term.role is TermRole.STEP:
            return step_text(self.update)
        if term.role is TermRole.DISCOUNT:
            return compact(float(self.update.spec.settings.get(term.option, 1.0)))
        if event is None or not self.is_known:
            return self._unknown(term)
        if term.role is TermRole.ERROR:
            return compact(self.update.error, places)
        if term.role is TermRole.TRACE:
            return compact(event.trace)
        if self.inputs.is_refill:
            is_reward = term.role is TermRole.REWARD
            return decimals(event.new - event.old if is_reward else event.new, 0)
        number = self.inputs.numbers.get(term.symbol)
        if number is None:
            return self._unknown(term)
        if term.role in (TermRole.REWARD, TermRole.BEADS):
            return compact(number)
        return decimals(number, places)

    @property
    def _blank(self) -> str:
        """An entry's value that is not known yet."""
        return BLANK if self.update.kind is not Kind.BEADS else UNKNOWN

    @staticmethod
    def _unknown(term: Term) -> str:
        """A number that is not known yet, as wide as it will be."""
        if term.role is TermRole.TRACE:
            return f"{UNKNOWN:<5}"
        return UNKNOWN if term.role in (TermRole.REWARD, TermRole.BEADS) else BLANK


OPENING: Final = ("[", "(")
SIGNS_SHOWN: Final = (*OPENING, *OPERATORS, "]", ")", "←", "±")


def with_products(terms: Iterable[TermView]) -> tuple[TermView, ...]:
    """The terms with a × between two numbers, and negative numbers behind a sign in parentheses."""
    shown: list[TermView] = []
    for term in terms:
        is_number = not (term.symbol in SIGNS_SHOWN or FLOOR.fullmatch(term.symbol))
        if is_number and shown:
            before = shown[-1].symbol
            if not (before in SIGNS_SHOWN or FLOOR.fullmatch(before)):
                wholes = tuple(whole for whole in term.wholes if whole in shown[-1].wholes)
                shown.append(TermView("×", "×", wholes=wholes))
            number = term.number.strip()
            if shown[-1].symbol in OPERATORS and number.startswith("−"):
                term = term._replace(number=f"({number})")
        shown.append(term)
    return tuple(shown)


def step_text(update: Update) -> str:
    event = update.backup
    if event is not None:
        return compact(event.step)
    settings = update.spec.settings
    if settings.get("step") == "1/n" or settings.get("decay", 1.0) < 1.0 or "alpha" not in settings:
        return UNKNOWN
    return compact(settings["alpha"])


def marks(context: UpdateContext) -> tuple[Mark, ...]:
    """Exact value, target, old and new, on one line."""
    update, phase, quantities = context.update, context.phase, context.quantities
    truth, value = context.exact, context.value
    event = update.backup
    at_work = event is not None and update.event is event
    found = [] if truth is None else [Mark(truth, "v*", "truth", "┃")]
    if event is not None and at_work and phase >= TARGET and update.kind is not Kind.BEADS:
        found.append(Mark(event.target, "target", "target", "◆", (quantities.target,)))
    old = event.old if event is not None and value is not None else value
    if old is not None:
        found.append(Mark(old, "old", "text", "●", (quantities.old,)))
    if event is not None and at_work and phase == WRITE:
        found.append(Mark(event.new, "new", "written", "○", (quantities.new,)))
    return tuple(found)


def stretches(context: UpdateContext) -> tuple[Stretch, ...]:
    """The error and the step taken, as stretches of the number line."""
    update, phase, quantities = context.update, context.phase, context.quantities
    event = update.backup
    if event is None or update.event is not event or phase < TARGET:
        return ()
    error = Stretch(event.old, event.target, quantities.error)
    if phase < WRITE:
        return (error,)
    return error, Stretch(event.old, event.new, quantities.change)


def parts_of(code: str, quantities: Quantities) -> tuple[CodePart, ...]:
    """What the arguments of the call that writes stand for."""
    found = {"entry": quantities.old, "target": quantities.target, "step": Quantity(Role.STEP)}
    if quantities.is_written:
        found["new"] = quantities.new
    return tuple(
        CodePart(start, stop, quantity)
        for name, start, stop in arguments_of(code)
        if (quantity := found.get(name)) is not None
    )


def scale_of(update: Update, value: float | None) -> tuple[float, float]:
    """From a loss to a win; for beads from none to a round number above."""
    if update.kind is not Kind.BEADS:
        return scale_of_values(update.spec)
    event = update.backup
    most = max(value or 0.0, event.old if event else 0.0, event.new if event else 0.0)
    high = 100.0
    while high < most:
        high *= 10.0
    return 0.0, high


@cache
def arguments_of(code: str) -> tuple[tuple[str, int, int], ...]:
    """Name, first column and column after the last of each argument of the call that writes.

    The names are those of the function's parameters. Empty where the line is no such call, or is
    only a part of one.
    """
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return ()
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not code.isascii():
        return ()
    function = WRITERS.get(call.func.id)
    if function is None:
        return ()
    names = tuple(inspect.signature(function).parameters)
    return tuple(
        (name, argument.col_offset, argument.end_col_offset or argument.col_offset)
        for name, argument in zip(names, call.args, strict=False)
    )

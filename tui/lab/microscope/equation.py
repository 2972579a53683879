"""The terms of one update: symbols and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from afterstate_lab.learners.rules.equation import NUMBERS, TermRole
from afterstate_lab.learners.rules.equation import Term as Declared
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.blocks.speech import spoken, trimmed
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.reading import Update
from afterstate_lab.tui.theme.numerals import compact, decimals

UNKNOWN: Final = "?"
OPERATORS: Final = {"+": "plus", "−": "minus", "×": "times"}
RULE_SIGNS: Final = {
    "[": " times (",
    "]": ")",
    "+": " plus ",
    "−": " minus ",
    "γ(": "γ times (",
    "×": " times ",
}
COLOURS: Final = {
    TermRole.NEW: "written",
    TermRole.READ: "target",
    TermRole.TARGET: "target",
}
EXCHANGED: Final = str.maketrans("₁₂", "₂₁")


class Term(NamedTuple):
    """A column of the equation: a symbol, and its number or sign."""

    symbol: str
    number: str
    role: str = "text"
    quantity: Quantity | None = None
    """The meaning of the number."""
    meaning: str = ""
    spoken: str = ""
    """The number in words, if it is an expression."""
    is_sign: bool = False
    is_known: bool = True

    @property
    def words(self) -> str:
        return spoken(self.spoken) if self.spoken else trimmed(self.number.strip("()"))


def terms_of(u: Update, places: int = 6) -> tuple[Term, ...]:
    """Return the terms with × between numbers, and negative numbers in parentheses."""
    shown: list[Term] = []
    for declared in u.equation.terms:
        is_number = declared.is_number
        term = term_of(u, declared, places) if is_number else sign_of(u, declared)
        if is_number and shown and not shown[-1].is_sign:
            shown.append(Term("×", "×", is_sign=True))
        if is_number and shown and term.number[:1] == "−" and shown[-1].symbol in OPERATORS:
            term = term._replace(number=f"({term.number})")
        shown.append(term)
    return tuple(shown)


def sign_of(u: Update, term: Declared) -> Term:
    sign = term.symbol
    if term.role is TermRole.PLUS_MINUS and u.knows_target:
        sign = "−" if u.reward < 0 else "+"
    return Term(term.symbol, sign, is_sign=True)


def term_of(u: Update, declared: Declared, places: int) -> Term:
    """Return a symbol and its number, if known in this phase."""
    settings, role = u.spec.settings, declared.role
    is_one = declared.option and settings.get(declared.option) == 1.0
    term = declared.if_one if declared.if_one is not None and is_one else declared
    symbol = term.symbol.translate(EXCHANGED) if u.which else term.symbol
    if role is TermRole.STEP and settings.get("step") == "1/n":
        symbol = "1/N"
    number, said = number_of(u, declared, places), ""
    if number is None:
        return Term(symbol, UNKNOWN, is_known=False)
    if term.form != "{}":
        option = compact(float(settings.get(declared.option, 1.0)))
        said = term.spoken.format(number.rstrip("0").rstrip(".") or "0", option=option)
        number = term.form.format(number, option=option)
    quantity = meanings.of_term(u, declared)
    return Term(symbol, number, COLOURS.get(role, "text"), quantity, declared.meaning, said)


def number_of(u: Update, term: Declared, places: int) -> str | None:
    """Return the number of a term, or None if unknown."""
    event, settings, places = u.backup, u.spec.settings, 0 if u.is_beads else places
    if term.role is TermRole.NUMBER:
        return compact(NUMBERS.get(term.symbol) or float(term.symbol))
    if term.role is TermRole.OLD:
        return None if u.old is None else decimals(u.old, places)
    if term.role is TermRole.DISCOUNT:
        return compact(float(settings.get(term.option, 1.0)))
    if term.role is TermRole.STEP:
        if event is not None:
            return compact(event.step)
        falls = settings.get("step") == "1/n" or settings.get("decay", 1.0) < 1.0
        return None if falls or "alpha" not in settings else compact(settings["alpha"])
    if event is None or not (u.is_written if term.role is TermRole.NEW else u.knows_target):
        return None
    if term.role is TermRole.NEW:
        return decimals(event.new, places)
    if term.role is TermRole.ERROR:
        return compact(u.error, places)
    if term.role is TermRole.TRACE:
        return compact(event.trace)
    if u.is_refill:
        is_reward = term.role is TermRole.REWARD
        return decimals(event.new - event.old if is_reward else event.new, 0)
    read = u.reads.get(term.symbol)
    if read is None:
        return None
    is_short = term.role in (TermRole.REWARD, TermRole.BEADS)
    return compact(read.number) if is_short else decimals(read.number, places)


def told_terms(terms: Sequence[Term], floor: int | None = None) -> str:
    """Return the update in numbers: V of S t: .5, plus .1 times (1 minus .5), gives .55.

    Empty before they are known.
    """
    if not terms or not all(term.is_known for term in terms[1:]):
        return ""
    words: list[str] = []
    depth, is_factor = 0, False
    for term in terms[2:]:
        if term.number in OPERATORS:
            words.append(OPERATORS[term.number])
            is_factor = False
        elif term.symbol in ("[", "("):
            words += ["times"] * is_factor + ["("]
            depth, is_factor = depth + 1, False
        elif term.symbol in ("]", ")"):
            words += [")"] * (depth > 0)
            depth, is_factor = depth - 1, True
        elif not term.is_sign:
            words += ["times"] * is_factor + [term.words]
            is_factor = True
    kept = "" if floor is None else f", never below {floor}"
    first, _, rest = closed(" ".join(words)).partition(" ")
    name = spoken(terms[0].symbol)
    gives = f", gives {trimmed(terms[0].number)}" if terms[0].is_known else ""
    return f"{name[:1].upper()}{name[1:]}: {first}, {rest}{kept}{gives}."


def rule_words(symbols: str) -> str:
    """Return the equation of a rule in words."""
    for sign, words in RULE_SIGNS.items():
        symbols = symbols.replace(sign, words)
    return closed(spoken(symbols))


def closed(words: str) -> str:
    """Return words without spaces inside parentheses."""
    return words.replace("( ", "(").replace(" )", ")")

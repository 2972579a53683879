"""One update as rule, numbers, code and words."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final, NamedTuple

from afterstate_lab.learners.rules.equation import NUMBERS, TargetKind, TermRole
from afterstate_lab.learners.rules.equation import Term as Declared
from afterstate_lab.learners.tape.timeline import TARGET, WRITE
from afterstate_lab.tui.blocks.block import Room
from afterstate_lab.tui.blocks.meaning import POINTER, Quantity, Role, Selectable, Value
from afterstate_lab.tui.blocks.span import Line, Meant, Pen, Words, blank, crop, on, width, wrap
from afterstate_lab.tui.blocks.speech import spoken, trimmed
from afterstate_lab.tui.lab.microscope import meanings
from afterstate_lab.tui.lab.microscope.reading import Update
from afterstate_lab.tui.theme.numerals import compact, decimals, signed

UNKNOWN: Final = "?"
HEAD: Final = 9
"""Columns of the row heads."""
FIRST_GAP, GAP = 7, 2
"""Blanks before the error and before the step, besides the pointer's."""
WIDE: Final = 110
"""Minimum columns to leave room for a board."""
BOARD_COLUMNS: Final = 26
OPERATORS: Final = {"+": "plus", "−": "minus", "×": "times"}
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
    wholes: tuple[Quantity, ...] = ()
    """The sums that contain the term, the smallest first."""
    spoken: str = ""
    """The number in words, if it is an expression."""
    is_sign: bool = False
    is_known: bool = True

    @property
    def means(self) -> tuple[Quantity | None, ...]:
        return (self.quantity, *self.wholes)

    @property
    def words(self) -> str:
        return spoken(self.spoken) if self.spoken else trimmed(self.number.strip().strip("()"))


def terms_of(u: Update, places: int = 6) -> tuple[Term, ...]:
    """Return the terms with × between numbers, and negative numbers in parentheses."""
    shown: list[Term] = []
    for place, declared in enumerate(u.equation.terms):
        is_number = declared.is_number
        term = term_of(u, place, declared, places) if is_number else sign_of(u, place, declared)
        if declared.is_number and shown and not shown[-1].is_sign:
            wholes = tuple(whole for whole in term.wholes if whole in shown[-1].wholes)
            shown.append(Term("×", "×", wholes=wholes, is_sign=True))
        number = term.number.strip()
        if declared.is_number and shown and number[:1] == "−" and shown[-1].symbol in OPERATORS:
            term = term._replace(number=f"({number})")
        shown.append(term)
    return tuple(shown)


def sign_of(u: Update, place: int, term: Declared) -> Term:
    if term.role is TermRole.SIGN:
        wholes = meanings.wholes(u, place)
        return Term(term.symbol, term.symbol, wholes=wholes, is_sign=True)
    sign = ("−" if u.reward < 0 else "+") if u.knows_target else term.symbol
    return Term(term.symbol, sign, is_sign=True)


def term_of(u: Update, place: int, declared: Declared, places: int) -> Term:
    """Return a symbol and its number, if known in this phase."""
    settings, role = u.spec.settings, declared.role
    is_one = declared.option and settings.get(declared.option) == 1.0
    term = declared.if_one if declared.if_one is not None and is_one else declared
    symbol = term.symbol.translate(EXCHANGED) if u.which else term.symbol
    if role is TermRole.STEP and settings.get("step") == "1/n":
        symbol = "1/N"
    number, said = number_of(u, declared, places), ""
    quantity, wholes = meanings.of_term(u, declared), meanings.wholes(u, place)
    if number is None:
        text = f"{UNKNOWN:<{room_of(u, role)}}"
        return Term(symbol, text, wholes=wholes, is_known=False)
    if term.form != "{}":
        option = compact(float(settings.get(declared.option, 1.0)))
        said = term.spoken.format(number.rstrip("0").rstrip(".") or "0", option=option)
        number = term.form.format(number, option=option)
    return Term(symbol, number, COLOURS.get(role, "text"), quantity, wholes, said)


def room_of(u: Update, role: TermRole) -> int:
    """Return the columns of a number, also before it is known."""
    if role is TermRole.TRACE:
        return 5
    is_short = role in (TermRole.REWARD, TermRole.BEADS, TermRole.STEP)
    return 1 if is_short or (u.is_beads and role in (TermRole.OLD, TermRole.NEW)) else 7


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
    """Return the update in numbers: V of S t: .5, plus .1 times (1 minus .5), gives .55."""
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
    gives = f", gives {trimmed(terms[0].number.strip())}" if terms[0].is_known else ""
    return f"{name[:1].upper()}{name[1:]}: {first}, {rest}{kept}{gives}."


def closed(words: str) -> str:
    """Return words without spaces inside parentheses."""
    return words.replace("( ", "(").replace(" )", ")")


@dataclass(frozen=True)
class Equation(Selectable):
    """The backup of an update, with numbers under its terms."""

    update: Update
    title: Words = field(default="the update", kw_only=True)
    words: str = ""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return terms_of(self.update)

    @cached_property
    def sums(self) -> tuple[Value, ...]:
        """The sums of terms: the error, and the step, `better` or `worse` by whether it nears the
        exact value.
        """
        u = self.update
        if u.backup is None or not u.at_work or u.phase < TARGET or u.is_masked:
            return ()
        role, places = u.role_of_change(u.backup), 0 if u.is_beads else 6
        step = Value("step", u.backup.new - u.backup.old, role, meanings.change(u), places)
        error = Value("δ", u.backup.error, "text", meanings.ERROR, places)
        return (error, step) if shows_error(u) else (step,)

    @property
    def is_known(self) -> bool:
        """Whether everything that the update reads is known."""
        return all(term.is_known for term in self.terms[1:])

    @property
    def code(self) -> tuple[str, str]:
        """The line of code of the backup, and its place."""
        line = self.update.code
        text = "" if line is None else "".join(text for text, _ in as_read(line.text))
        return ("", "") if line is None else (text, f"{line.file}:{line.number}")

    def quantities(self) -> Iterator[Quantity | None]:
        yield from (term.quantity for term in self.terms)
        yield from (whole for term in self.terms for whole in term.wholes)
        yield from (each.quantity for each in self.sums)

    def say(self) -> Iterator[str]:
        yield told_terms(self.terms, self.update.equation.floor)

    def head(self, columns: int, rows: int, pen: Pen) -> Words:
        """Return the title, with the error if the numbers' row is full."""
        error = next((each for each in self.sums if each.quantity == meanings.ERROR), None)
        if error is None:
            return self.title
        numbers = self._terms(columns - 2, pen)[-1]
        if self._sums(columns - 2 - width(numbers), pen):
            return self.title
        title = ((self.title, "title"),) if isinstance(self.title, str) else self.title
        sign = (f" {POINTER}δ ", "key") if self.has(meanings.ERROR) else ("  δ ", "dim")
        return (*title, sign, (signed(error.value, 6), "strong"))

    def room(self, columns: int, pen: Pen) -> Room:
        return Room(5, 6, 0.2)

    def wide(self, columns: int) -> int:
        """Return all columns, or those that a board leaves."""
        return columns if columns < WIDE else columns - BOARD_COLUMNS

    def draw(self, columns: int, rows: int, pen: Pen) -> list[Line]:
        """Return what fits of rule and numbers, code and words."""
        inside = columns - 2
        top = self._terms(inside, pen)
        if top:
            top[-1] = (*top[-1], *self._sums(inside - width(top[-1]), pen))
        words = self._told(inside, pen)
        room = rows - len(top)
        code = [self._code(inside, pen)] if self.terms and room > len(words) else []
        words = words[: max(0, room - len(code))]
        return [(*blank(1), *row) for row in top + code + words]

    def _terms(self, inside: int, pen: Pen) -> list[Line]:
        """Return rule and numbers, each term above its number, with a pointer before the selection.
        Without room the heads give way; then there are more rows.
        """
        texts = [(pen.glyphs.text(t.symbol), pen.glyphs.text(t.number)) for t in self.terms]
        longs = [max(map(len, both)) for both in texts]
        has_heads = HEAD + sum(longs) + len(longs) - 1 <= inside
        room, was_selected, lines = 0, False, list[Line]()
        for place, (term, both, long) in enumerate(zip(self.terms, texts, longs, strict=True)):
            if long + 1 > room:
                heads = ("RULE", "NUMBERS") if has_heads else ("", "")
                lines += [((f"{head:<{HEAD - 1}}", "dim"),) if has_heads else () for head in heads]
                room = inside - (HEAD - 1 if has_heads else 0)
            selected = self.has(*term.means)
            pointer, lit = self.pointer(pen, selected and not was_selected), self._is_lit(place)
            for row, text, role in zip((-2, -1), both, ("text", term.role), strict=True):
                bare, role = text.rstrip(), f"bold {role}" if lit else role
                cells: Line = (
                    (bare, self.role(role, *term.means)),
                    (text[len(bare) :], Meant(role, term.means)),
                )
                cells = on(cells, "selection") if lit else cells
                gap = " " * (long - len(text)), Meant("", term.means)
                lines[row] = (*lines[row], pointer, *cells, gap)
            room -= long + 1
            was_selected = selected
        return [*lines[:-2], *(line[:-1] for line in lines[-2:])]

    def _is_lit(self, place: int) -> bool:
        """Return whether a term is read or written in the current phase."""
        u = self.update
        if not u.at_work or self.terms[place].is_sign:
            return False
        return u.phase == (TARGET if place else WRITE)

    def _sums(self, room: int, pen: Pen) -> Line:
        """Return the error and the step, as far as they fit."""
        for many in range(len(self.sums), 0, -1):
            line: Line = ()
            for each in self.sums[:many]:
                means = each.quantity
                line = (
                    *line,
                    *blank(GAP if line else 0),
                    self.pointer(pen, self.has(means)),
                    pen.piece(f"{each.label} ", Meant("dim", (means,))),
                    pen.piece(
                        signed(each.value, each.places), self.role(f"bold {each.role}", means)
                    ),
                )
            if width(line) <= room:
                return (*blank(min(FIRST_GAP, room - width(line))), *line)
        return ()

    def _code(self, inside: int, pen: Pen) -> Line:
        head = pen.piece(f"{'CODE':<{HEAD}}", "dim")
        where, u, line = self.code[1], self.update, Line((head,))
        if u.code is None:
            return head, pen.piece("nothing is written now", "dim")
        known: dict[str, tuple[Quantity | None, ...]] = {}
        if u.at_work and u.phase >= TARGET:
            known = {
                "entry": (meanings.old(u), meanings.new(u)),
                "target": (meanings.target(u),),
                "step": (Quantity(Role.STEP),),
            }
        for text, kind in as_read(u.code.text):
            means = known.get(kind, ())
            text = f"{POINTER}{text}" if self.has(*means) else text
            line = (*line, pen.piece(text, self.role("text", *means)))
        for told in (where, where.rpartition("/")[2]):
            place = pen.line(told, "dim")
            gap = inside - width(line) - width(place)
            if gap >= 2:
                return (*line, *blank(min(gap, 12)), *place)
        room = inside - width(place) - 3
        return (*crop(line, room), (pen.glyphs.cell("…"), "dim"), *blank(2), *place)

    def _told(self, inside: int, pen: Pen) -> list[Line]:
        """Return the wrapped words."""
        rows = wrap(pen.line(self.words), inside - HEAD) if self.words else []
        return [
            (pen.piece(f"{'' if row else 'WORDS':<{HEAD}}", "dim"), *line)
            for row, line in enumerate(rows)
        ]


def shows_error(u: Update) -> bool:
    """Return whether the error concerns only this entry."""
    return not u.is_beads and u.kind is not TargetKind.TRACE


def fitting(told: tuple[Words, ...], columns: int) -> tuple[tuple[str, str], ...]:
    """Return the first pieces that fit, at least one."""
    line: tuple[tuple[str, str], ...] = ()
    for words in told:
        more = ((words, "text"),) if isinstance(words, str) else words
        if line and width((*line, *more)) > columns:
            break
        line = (*line, *more)
    return line


@cache
def as_read(code: str) -> tuple[tuple[str, str], ...]:
    """Return a writing call as you would write it, `v[s] += α * (v[s_next] - v[s])`: each piece
    with what it is, entry, target or step.
    """
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return ((code, ""),)
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call):
        return ((code, ""),)
    given = [ast.unparse(one) for one in call.args]
    name = ast.unparse(call.func)
    if name == "backup" and len(given) == 7:
        read = f"v[{given[4]}]"
        given[5] = read if given[5] == "0.0" else f"{given[5]} + γ * {read}"
    match name, given:
        case "backup_towards", [_, _, _, entry, _, target, "1.0"]:
            return (f"v[{entry}]", "entry"), (" = ", ""), (target, "target")
        case "backup" | "backup_towards", [_, _, _, entry, _, target, _]:
            return (
                (f"v[{entry}]", "entry"),
                (" += ", ""),
                ("α", "step"),
                (" * (", ""),
                (target, "target"),
                (f" - v[{entry}])", ""),
            )
        case "write", [_, _, _, entry, *_, new]:
            return (f"v[{entry}]", "entry"), (f" = {new}", "")
    return ((code, ""),)

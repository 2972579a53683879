"""The update as rule, numbers and code, and on the number line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.tape.events import Backup
from learners.tape.timeline import TARGET, WRITE
from tui.lab.microscope.code_line import arguments_of
from tui.lab.microscope.reading import Reading, beads_changed, scale_of_values
from tui.lab.microscope.steps import Kind
from tui.lab.microscope.symbols import SIGNS, Look, is_target
from tui.theme.numerals import decimals
from tui.views.quantity import Role, Thing
from tui.views.update import CodePart, MarkView, SpanView, TermView, UpdateView

if TYPE_CHECKING:
    from learners.tape.source_lines import SourceLine
    from tui.lab.microscope.quantities import Things
    from tui.lab.microscope.update import Update
    from tui.views.words import Words

UNKNOWN = "?"
BLANK = f"{UNKNOWN:<7}"
"""As wide as a value: the columns stay where they are when it becomes known."""


def written_table(symbol: str, table: int) -> str:
    """A symbol of double learning, its two tables exchanged when the second is written."""
    return symbol.translate(str.maketrans("₁₂", "₂₁")) if table else symbol


def equation_view(
    update: Update,
    phase: int,
    reading: Reading,
    words: Words,
    code: SourceLine | None,
    truth: float | None,
    value: float | None,
    things: Things,
) -> UpdateView:
    """The pane of the update.

    Args:
        update: what is looked at.
        phase: the phase of now.
        reading: what the backup reads.
        words: the update in words.
        code: the line that made it.
        truth: the exact value of the entry.
        value: what the entry holds now.
        things: what each number stands for.
    """
    event = update.backup
    done = isinstance(update.event, Backup) and update.event is update.learned
    looked_at = done and phase >= TARGET
    estimates = update.kind is not Kind.BEADS
    shows_error = estimates and update.look is not Look.TRACE
    return UpdateView(
        terms=terms_of_now(update, phase, reading, value, things=things),
        delta=event.error if event and looked_at and shows_error else None,
        delta_thing=things.error if event and looked_at and shows_error else None,
        step=event.new - event.old if event and looked_at else None,
        step_thing=things.change if event and looked_at else None,
        code=code.text if code else "",
        parts=parts_of(code.text, things) if code and looked_at else (),
        place=f"{code.file}:{code.number}" if code else "",
        words=words,
        marks=marks_of_now(update, phase, truth, value, things),
        spans=spans_of_now(update, phase, things) if shows_error else (),
        scale=scale_of(update, value),
        right=update.spec.rule.source,
        places=6 if estimates else 0,
    )


def terms_of_now(
    update: Update,
    phase: int,
    reading: Reading,
    value: float | None,
    places: int = 6,
    *,
    things: Things | None = None,
) -> tuple[TermView, ...]:
    """Every term with its number, as far as it is known in this phase; lit if read or written.

    Args:
        update: what is looked at.
        phase: the phase of now.
        reading: what the backup reads.
        value: what the entry holds now.
        places: decimals of values.
        things: what each number stands for, where that is wanted.
    """
    event = update.backup
    at_work = event is not None and update.event is event
    reads, writes = at_work and phase == TARGET, at_work and phase == WRITE
    known = update.knows_target(phase)
    numbers = numbers_of(update, reading, value, places, known=known)
    shown: list[TermView] = []
    for place, term in enumerate(update.terms):
        symbol = written_table(term, reading.written_table)
        if term == "α" and update.spec.settings.get("step") == "1/n":
            symbol = "1/N"
        if term == "½+γ(½−max V(s′))" and reading.gamma == 1.0:
            symbol = "1−max V(s′)"
        thing = None if things is None else things.of_term(place)
        wholes = () if things is None else things.wholes_of(place)
        if term == "±":
            sign = "−" if reading.reward < 0 else "+"
            shown.append(TermView(term, sign if known else term))
        elif term in SIGNS:
            shown.append(TermView(term, term, wholes=wholes))
        elif place == 0:
            told = numbers["new"] if update.is_written(phase) else blank_of(update)
            role = role_of(told, "written")
            shown.append(TermView(symbol, told, role, writes, thing))
        else:
            told = numbers.get(term, numbers["old"])
            role = role_of(told, "target" if is_target(term) else "text")
            known_thing = None if told.startswith(UNKNOWN) else thing
            shown.append(TermView(symbol, told, role, reads, known_thing, wholes))
    return tuple(shown)


def role_of(number: str, role: str) -> str:
    """The role of a number, once it is known."""
    return "text" if number.startswith(UNKNOWN) else role


def numbers_of(
    update: Update, reading: Reading, value: float | None, places: int, *, known: bool
) -> dict[str, str]:
    """The number of each term; those of the entry under `old` and `new`."""
    event = update.backup
    places = 0 if update.kind is Kind.BEADS else places
    old = event.old if event is not None and value is not None else value
    numbers = {
        "old": blank_of(update) if old is None else decimals(old, places),
        "new": blank_of(update) if event is None else decimals(event.new, places),
        "α": step_text(update),
        "γ": plain(reading.gamma),
    }
    if event is None or not known:
        numbers |= {term: BLANK for term in update.terms if is_target(term) or term == "δ"}
        return numbers | dict.fromkeys(("R", "n"), UNKNOWN) | {"z(s)": f"{UNKNOWN:<5}"}
    looked = event.target if reading.looked is None else reading.looked
    for term in update.terms:
        if term == "R":
            numbers[term] = plain(reading.reward)
        elif term == "n":
            numbers[term] = str(beads_changed(update))
        elif term == "δ":
            numbers[term] = decimals(update.error, places)
        elif term == "z(s)":
            numbers[term] = decimals(event.trace, 4)
        elif update.look is Look.REPLY and is_target(term):
            gamma = plain(reading.gamma)
            most = decimals(looked, places)
            numbers[term] = f"1−{most}" if reading.gamma == 1.0 else f"½+{gamma}(½−{most})"
        elif is_target(term):
            numbers[term] = decimals(looked, places)
    if reading.is_refill:
        numbers |= {"R": decimals(event.new - event.old, 0), "n": decimals(event.new, 0)}
    return numbers


def blank_of(update: Update) -> str:
    """An entry's value that is not known yet."""
    return BLANK if update.kind is not Kind.BEADS else UNKNOWN


def step_text(update: Update) -> str:
    """The step size."""
    event = update.backup
    if event is not None:
        return plain(event.step)
    settings = update.spec.settings
    if settings.get("step") == "1/n" or settings.get("decay", 1.0) < 1.0 or "alpha" not in settings:
        return UNKNOWN
    return plain(settings["alpha"])


def plain(number: float) -> str:
    """A number without zeros that say nothing: `.1`, `1`, `−3`, `.0333`."""
    text = f"{abs(number):.4f}".rstrip("0").rstrip(".")
    text = text[1:] if text.startswith("0.") else text
    return f"−{text}" if number < 0 and text != "0" else text


def marks_of_now(
    update: Update, phase: int, truth: float | None, value: float | None, things: Things
) -> tuple[MarkView, ...]:
    """Exact value, target, old and new, on one line."""
    event = update.backup
    at_work = event is not None and update.event is event
    marks = [] if truth is None else [MarkView(truth, "v*", "truth", "┃")]
    if event is not None and at_work and phase >= TARGET and update.kind is not Kind.BEADS:
        marks.append(MarkView(event.target, "target", "target", "◆", things.target))
    old = event.old if event is not None and value is not None else value
    if old is not None:
        marks.append(MarkView(old, "old", "text", "●", things.old))
    if event is not None and at_work and phase == WRITE:
        marks.append(MarkView(event.new, "new", "written", "○", things.new))
    return tuple(marks)


def spans_of_now(update: Update, phase: int, things: Things) -> tuple[SpanView, ...]:
    """The error and the step taken, as stretches of the number line."""
    event = update.backup
    if event is None or update.event is not event or phase < TARGET:
        return ()
    error = SpanView(event.old, event.target, things.error)
    if phase < WRITE:
        return (error,)
    return error, SpanView(event.old, event.new, things.change)


def parts_of(code: str, things: Things) -> tuple[CodePart, ...]:
    """What the arguments of the call that writes stand for."""
    found = {"entry": things.old, "target": things.target, "step": Thing(Role.STEP)}
    if things.is_written:
        found["new"] = things.new
    return tuple(
        CodePart(start, stop, thing)
        for name, start, stop in arguments_of(code)
        if (thing := found.get(name)) is not None
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

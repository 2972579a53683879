"""A command in words, for plain mode and the `:` line, and the help on these words."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.tui.lab.commands import PLAIN, Command, Plain, Screen
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import (
    Key,
    Open,
    Outcome,
    Work,
    is_refusal,
    refusal,
    sentence,
)
from afterstate_lab.tui.verbs import BY_NAME, COMMANDS

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController

CELLS: Final = "1 to 9: mark that cell (1 2 3 is the top row)."
WHERE: Final = {
    Mode.PLAY: "while you play: play goes there",
    Mode.WATCH: "between games: watch goes there",
    Mode.STEP: "while stepping: step goes there",
}


class Line(NamedTuple):
    """The command of a line, and the text after its word."""

    command: Command
    plain: Plain
    rest: str


FORMS: Final = tuple(Line(c, c.plain, "") for c in COMMANDS if c.plain is not None)
"""What you can type, with its command, in the order of the table."""
WORDS: Final = tuple(form.plain for form in FORMS if form.plain.is_word)


def is_number(word: str) -> bool:
    """Return whether a word is a number in ASCII digits."""
    return word.isascii() and word.isdigit()


def answers_to(plain: Plain, word: str) -> bool:
    """Return whether a word, in full and in any case, is this one."""
    return plain.is_word and word.lower() in (plain.line, *plain.also)


def spelled(word: str, mode: Mode) -> Plain | None:
    """Return the meaning of a word in a mode, if it has one."""
    in_mode = [plain for plain in WORDS if word and mode in plain.modes]
    for plain in in_mode:
        if word == plain.short or answers_to(plain, word):
            return plain
    return next((plain for plain in in_mode if word.lower() == plain.short), None)


def read(text: str, mode: Mode) -> Line | None:
    """Return the command of a line in a mode; None for an unknown word."""
    word, _, rest = text.partition(" ")
    plain = spelled(word, mode)
    if plain is None:
        return None
    line = f"{plain.line} {rest}"
    for form in FORMS:
        if rest and mode in form.plain.modes and line in (form.plain.line, *form.plain.also):
            return form
    return next(form._replace(rest=rest) for form in FORMS if form.plain is plain)


def read_anywhere(text: str, mode: Mode) -> tuple[Line, Mode] | None:
    """Return the command of a line and its mode: this mode, or the first that knows it."""
    near = Mode.WATCH if mode is Mode.TRAIN else mode
    for one in (near, Mode.WATCH, Mode.STEP, Mode.PLAY):
        line = read(text, one)
        if line is not None:
            is_here = line.plain.modes == PLAIN or one is mode
            return line, mode if is_here else one
    return None


def done(lab: LabController, asked: Line) -> Iterator[Outcome]:
    """Run a line; yield its outcomes, one after the other."""
    command, plain, rest = asked
    if rest and plain.wrong:
        yield refusal(plain.wrong.format(text=shown(rest)))
        return
    if rest and plain.first:
        first, rest = lab.perform(plain.first), ""
        first = answered(first, asked.rest) if isinstance(first, Key) else first
        yield first
        if is_refusal(first):
            return
    outcome = lab.perform(command.name)
    if isinstance(outcome, Key):
        if not plain.first or not asked.rest:
            yield answered(outcome, rest) if rest or not outcome.usage else outcome
    elif isinstance(outcome, Work):
        taken = outcome.taken
        yield outcome._replace(then=lambda result: opened(lab, taken(result), rest))
    else:
        yield opened(lab, outcome, rest)


def answered(question: Key, text: str) -> Outcome:
    """Return the outcome of an answer, or its refusal."""
    try:
        outcome: Outcome = question.do(text)
    except UsageError as error:
        return refusal(error)
    return outcome


def opened(lab: LabController, what: Outcome, text: str) -> Outcome:
    """Return the outcome of a word; a page that it opens gets the text after the word."""
    if not isinstance(what, Open) or not text:
        return what
    try:
        if what.screen is Screen.SETUP:
            from afterstate_lab.tui.pages.setup import settings_in

            return lab.current.set_up(settings_in(text, lab.session.seated_settings))
        if what.screen is Screen.LESSONS:
            from afterstate_lab.tui.pages.lessons import lesson_named

            return lab.lessons.begin(lesson_named(text))
    except UsageError as error:
        return refusal(sentence(error))
    return what._replace(text=text)


def named(word: str) -> list[Plain]:
    """Return the meanings of a word in any mode."""
    return [plain for plain in WORDS if word and (word == plain.short or answers_to(plain, word))]


def nearest(word: str) -> str:
    """Return the known word nearest to another; empty if none."""
    known = [name for plain in WORDS for name in (plain.line, *plain.also) if " " not in name]
    return next(iter(difflib.get_close_matches(word[:40].lower(), known, n=1)), "")


def word_of(name: str) -> str:
    """Return a message's name of a command: the short form of its word, or the word."""
    found = BY_NAME[name]
    return (found.plain.short if found.plain is not None else "") or found.line


def lab_name(command: Command) -> str:
    """Return the screen's command that a line does, for lessons."""
    line = "" if command.plain is None else command.plain.line
    return next((other.name for other in COMMANDS if line and other.same == line), command.name)


def help_lines(mode: Mode) -> Iterator[str]:
    """Yield a line for each word of a mode, then the words that always work."""
    if mode is Mode.PLAY:
        yield CELLS
    for plain in WORDS:
        if mode in plain.modes and (plain.modes != PLAIN or plain.line in ("help", "quit")):
            yield f"{plain.names}: {plain.help}"
    always = [p.names for p in WORDS if p.modes == PLAIN and p.line not in ("help", "quit")]
    yield f"Always: {'; '.join(always)}."
    yield "help WORD tells more."


def short_words(mode: Mode) -> list[str]:
    """Return the letters of a mode, and the letter for help."""
    of_mode = [p.short for p in WORDS if p.short and mode in p.modes and p.modes != PLAIN]
    return [*of_mode, "h"]

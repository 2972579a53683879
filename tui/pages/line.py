"""A command in words, for plain mode and the `:` line, and the help on these words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from afterstate_lab.learners.errors import UsageError, did_you_mean, shown
from afterstate_lab.tui.lab.commands import PLAIN, Command, gone
from afterstate_lab.tui.lab.controller import LabController, reading
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Key, Open, Outcome, Work
from afterstate_lab.tui.pages.setup import settings_in
from afterstate_lab.tui.verbs import BY_NAME, COMMANDS

CELLS: Final = "1 to 9: mark that cell (1 2 3 is the top row)."
WHERE: Final = {
    Mode.PLAY: "while you play: play goes there",
    Mode.WATCH: "between games: watch goes there",
    Mode.STEP: "while stepping: step goes there",
}


class Line(NamedTuple):
    """The command of a line, and the text after its word."""

    command: Command
    rest: str


WORDS: Final = tuple(c for c in COMMANDS if c.words and " " not in c.line)
"""The commands that are one word in plain mode; text may follow it."""


def is_digits(word: str) -> bool:
    """Return whether a word is ASCII digits."""
    return word.isascii() and word.isdigit()


def spelled(word: str, mode: Mode) -> Command | None:
    """Return the command of a word in a mode, if it has one; capitals count only in letters."""
    in_mode = [command for command in WORDS if mode in command.within]
    found = (c for spelling in (word, word.lower()) for c in in_mode if spelling in c.words)
    return next(found, None)


def read(text: str, mode: Mode) -> Line | None:
    """Return the command of a line in a mode; None for an unknown word."""
    word, _, rest = text.partition(" ")
    command = spelled(word, mode)
    if command is None:
        return None
    line = f"{command.line} {rest}"
    exact = (Line(c, "") for c in COMMANDS if mode in c.within and line in c.words)
    return next(exact, Line(command, rest))


def read_anywhere(text: str, mode: Mode) -> tuple[Line, Mode] | None:
    """Return the command of a line and its mode: this mode, or the first that knows it."""
    near = Mode.WATCH if mode is Mode.TRAIN else mode
    for one in (near, Mode.WATCH, Mode.STEP, Mode.PLAY):
        line = read(text, one)
        if line is not None:
            is_here = line.command.within == PLAIN or one is mode
            return line, mode if is_here else one
    return None


def done(lab: LabController, asked: Line) -> Outcome:
    """Run a line; return its outcome."""
    command, rest = asked
    if told := gone(f"{command.line} {rest}"):
        raise UsageError(told)
    if rest and command.wrong:
        raise UsageError(command.wrong.format(text=shown(rest)))
    outcome = lab.perform(command.name, *[rest] * command.takes_text)
    if command.takes_text:
        rest = ""
    if isinstance(outcome, Key):
        return outcome.do(rest) if rest else outcome
    if isinstance(outcome, Work):
        taken = outcome.taken
        return outcome._replace(then=lambda result: with_text(lab, taken(result), rest))
    return with_text(lab, outcome, rest)


def with_text(lab: LabController, what: Outcome, text: str) -> Outcome:
    """Return the outcome of a word; a page that it opens gets the text after the word."""
    if not isinstance(what, Open) or not text:
        return what
    if what.page != "setup":
        return what._replace(text=text)
    return reading(text.split(), lambda: lab.set_up(settings_in(text, what.data)))


def named(word: str) -> list[Command]:
    """Return the commands of a word in any mode."""
    spelling = word if len(word) == 1 else word.lower()
    return [command for command in WORDS if spelling in command.words]


def nearest(word: str) -> str:
    """Return a question that suggests the nearest word of plain mode, or an empty string."""
    known = [name for c in WORDS for name in c.words if " " not in name and name != c.short]
    return did_you_mean(word.lower(), known)


def word_of(name: str) -> str:
    """Return a message's name of a command: the short form of its word, or the word."""
    return BY_NAME[name].short or BY_NAME[name].line


def lab_name(command: Command) -> str:
    """Return the screen's command that a line does, for lessons."""
    found = (other.name for other in COMMANDS if command.words and other.same == command.line)
    return next(found, command.name)


def help_lines(mode: Mode) -> Iterator[str]:
    """Yield a line for each word of a mode, then the words that always work."""
    if mode is Mode.PLAY:
        yield CELLS
    for c in WORDS:
        if mode in c.within and (c.within != PLAIN or c.line in ("help", "quit")):
            yield f"{c.names}: {c.says}"
    always = [c.names for c in WORDS if c.within == PLAIN and c.line not in ("help", "quit")]
    yield f"Always: {'; '.join(always)}."
    yield "help WORD tells more."

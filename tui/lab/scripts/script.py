"""A script: a text file that leads through the lab, one thing a line.

    # ANYTHING                          a comment
    title: WORDS                        a lesson's, as are about: WORDS and minutes: NUMBER
    == TITLE                            a step of a lesson begins
    WHERE [MODE] [# CAPTION]            a moment: where a step begins
    WORDS                               the caption of a step
    = CLAIM                             what is true there: new > old
    ? QUESTION = ANSWER
    > VERB [# WORDS]                    what to do, in words of plain mode: > back # takes it back
    >> VERB                             what does it, where the verbs above leave that to the user
    until: CONDITION                    how it is known to be done; without it, by the last verb
    look: PANE                          the pane in the spotlight

WHERE is an address, or what comes after the run in it: `@3.2` is a moment in the run of the moment
before, `@` its end. In captions and questions `{new}` is a live number, and a verb between marks
(`back`) is shown as its key. A step without > and ? is a walkthrough's: Enter continues. The live
numbers, which claims use too:

    old, target, new, error, change, step, trace    of the backup on screen
    game, games, ply, player, cell          the moment, from 1; of a move, whose and where
    written                                 values that the game has changed so far
    result                                  of the game, once it is over: X, O or draw
    alpha X, epsilon O, ...                 an option of a player
    win X, draw X, loss X                   what a result is worth to a player
    V X ....X....                           a value of X; V X .........@5 of a move
    visits X ....X....                      how often that was updated
    v* X ....X....                          its exact value against this opponent
    worst-loss X, beatable O, optimal X     any exact metric, with greedy play
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Board, InvalidBoardError
from afterstate_lab.learners.errors import UsageError, hint, printable, shown
from afterstate_lab.learners.runs.address import LONGEST, Address
from afterstate_lab.learners.toml_reader import TomlText, choice, whole, words
from afterstate_lab.tui.lab.commands import BY_NAME, COMMANDS, Command
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.theme.numerals import decimals, signed

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session


NAME: Final = re.compile(
    r"(?P<backup>old|target|new|error|change|step|trace)"
    r"|(?P<moment>games?|ply|player|cell|written|result)"
    r"|(?P<entry>V|visits|v\*) (?P<of>[XO]) (?P<board>[.XO]{9})(?:@(?P<cell>[1-9]))?"
    r"|(?P<word>[a-z][a-z_*-]*) (?P<side>[XO])"
)
MARK: Final = "`"
"""Encloses a verb in a text."""
LIVE: Final = re.compile(r"\{([^{}]*?)(?::([0-9]))?\}")
"""A live number in a text, with optional decimals."""
CLAIM: Final = re.compile(r"(.+?) (=|<|>|!=) (.+)")
EXACT: Final = 6
"""Decimals of a backup's numbers, as in the equation."""
USUAL: Final = 3

Number = float | str


def checked_name(name: str) -> re.Match[str]:
    """Read the name of a live number."""
    found = NAME.fullmatch(name)
    if found is None:
        raise UsageError(
            f"{shown(name)} is not a live number: use old, target, new, error, game, written,"
            " alpha X, win O, V X ....X...., worst-loss O and so on"
        )
    try:
        Board.parse(found["board"] or "." * 9)
    except InvalidBoardError as error:
        raise UsageError(str(error)) from None
    return found


def read_claim(claim: str) -> re.Match[str]:
    """Read a claim: `new = .55`, `worst-loss O > 0`."""
    found = CLAIM.fullmatch(claim)
    if found is None:
        raise UsageError(f"{shown(claim)} claims nothing: new = .55 and worst-loss O > 0 do")
    checked_name(found[1])
    if isinstance(value_of(found[3]), str) and not found[3].isalpha():
        checked_name(found[3])
    return found


def live(name: str, session: Session) -> Number:
    """Return a live number at the lab's moment."""
    value = session.number(checked_name(name))
    return value_of(value) if isinstance(value, str) else value


def written_out(name: str, places: str | None, session: Session) -> str:
    """Return a live number as text."""
    value = live(name, session)
    if isinstance(value, str):
        return value
    if places is None and value == round(value) and abs(value) >= 2:
        return f"{value:,.0f}"
    if places is None and (not checked_name(name)["backup"] or name in ("step", "trace")):
        text = decimals(value, USUAL)
        return text.rstrip("0").rstrip(".") or "0" if "." in text else text
    how = signed if name == "error" else decimals
    return how(value, EXACT if places is None else int(places))


def value_of(text: str) -> Number:
    """Return the number in a text, or the text."""
    try:
        value = float(text.replace("−", "-").replace(",", ""))
    except ValueError:
        return text.strip()
    return value if math.isfinite(value) else text


def is_same(one: Number, other: Number, text: str) -> bool:
    """Return whether two values agree, to the decimals of a text."""
    if isinstance(one, str) or isinstance(other, str):
        return str(one).casefold() == str(other).casefold()
    return abs(one - other) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-12


def check_holds(claim: re.Match[str], session: Session) -> None:
    """Check a claim at the lab's moment."""
    name, sign, said = claim.groups()
    left, right = live(name, session), value_of(said)
    if NAME.fullmatch(said):
        right, said = live(said, session), "." + "0" * 16
    if sign in ("=", "!="):
        holds = is_same(left, right, said) == (sign == "=")
    elif isinstance(left, str) or isinstance(right, str):
        holds = False
    else:
        holds = left < right if sign == "<" else left > right
    if not holds:
        raise UsageError(f"{claim[0]} does not hold: {name} is {left}")


PANES: Final = ("board", "log", "stats", "curve", "choice", "equation", "picture")
"""The panes for the spotlight."""
MOST_STEPS: Final = 60
FIRST: Final = "afterstate:1/td/td/0/0"
"""The default start of a lesson."""
LONGEST_LINE: Final = LONGEST + 1_000
"""Maximum number of characters."""
LINE: Final = re.compile(
    r"(?P<moment>afterstate:|@)?"
    r"(?P<kind>==|=|\?|>>|>|[a-z]+:(?= |$)|)(?P<said>.*)"
)
MODES: Final = [mode.value for mode in Mode]
CONDITION: Final = re.compile(
    rf"mode ({'|'.join(MODES)})|at (move|backup|no backup|game over)"
    r"|written|exploratory|predicted|won|answered|games [1-9][0-9]{0,6}|asked (?P<verb>[a-z_0-9 ]+)"
)


@dataclass
class Step:
    """A moment of a script, with its texts, claims and tasks."""

    address: Address | None = None
    """None for the end of the previous step."""
    mode: str = ""
    """The value of a `Mode`; empty for the address's own."""
    text: str = ""
    title: str = ""
    look: str = ""
    until: str = ""
    question: tuple[str, str] | None = None
    """The question and its answer."""
    claims: list[re.Match[str]] = field(default_factory=list)
    verbs: list[tuple[str, str]] = field(default_factory=list)
    """The verbs, and their captions."""
    solution: list[tuple[str, str]] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """The lines of the file by their start, and of each claim."""

    @property
    def commands(self) -> list[Command]:
        return [
            command_of(verb) for verb, _ in self.verbs or [("answer", "")] * bool(self.question)
        ]

    @property
    def condition(self) -> str:
        usual = "answered" if self.question else ""
        return self.until or (f"asked {self.commands[-1].name}" if self.verbs else usual)

    @property
    def to_do(self) -> str:
        """What to do, with the verbs between marks."""
        if self.question:
            return f"`answer`: {self.question[0]}?"
        text = "" if self.verbs else "`tour next` continues"
        for verb, said in self.verbs:
            between = "" if not text else ", then " if text.endswith(MARK) else "; "
            text += f"{between}`{verb}`{' ' if said[:1].isalnum() else ''}{said}"
        return text


class Script:
    """A lesson, read line by line.

    Args:
        name: of the package's, or the file's.
        text: what it contains.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = Path(name).stem
        self.title = self.about = ""
        self.minutes = 10
        self.steps: list[Step] = []
        self._label, self._run = printable(name)[:200], FIRST
        for number, line in enumerate(text.splitlines(), 1):
            try:
                self.take(number, line.strip())
            except UsageError as error:
                raise self.error(number, error) from None
        if not self.steps or not self.title:
            missing = "steps: == TITLE begins one" if self.title else "a title: title: WORDS"
            raise UsageError(f"{self._label}: a lesson needs {missing}")
        self.steps[0].address = self.steps[0].address or Address.parse(FIRST)
        for step in self.steps:
            if step.until == "answered" and not step.question:
                raise self.error(step.lines["until:"], "answered needs ? QUESTION = ANSWER")

    def error(self, line: int, problem: object) -> UsageError:
        return UsageError(f"{self._label}, line {line}: {problem}")

    def take(self, number: int, line: str) -> None:
        """Take the next line."""
        found = LINE.match(line)
        if not line or line.startswith("#") or found is None:
            return
        kind, said = ("@", line) if found["moment"] else (found["kind"], found["said"])
        if kind not in KINDS:
            raise UsageError(f"unknown kind {shown(kind)}{hint(kind, [*filter(None, KINDS)])}")
        name, longest, check = KINDS[kind]
        try:
            said = words(said, longest)
        except UsageError as error:
            raise UsageError(f"the {name} {error}") from None
        value = check(said)
        if name in ("about", "minutes") or kind == "title:":
            setattr(self, name, value)
            return
        if kind == "==":
            self.steps.append(Step())
        if not 1 <= len(self.steps) <= MOST_STEPS:
            raise UsageError(f"a lesson has 1 to {MOST_STEPS} steps, and == TITLE begins one")
        step = self.steps[-1]
        step.lines.setdefault(said if kind == "=" else kind, number)
        if kind == "@":
            value = self.moment(said, step)
        if name == "text":
            value = f"{step.text} {value}".strip()
        if isinstance(getattr(step, name), list):
            getattr(step, name).append(value)
        else:
            setattr(step, name, value)

    def moment(self, text: str, step: Step) -> str:
        """Read a moment of a step, `WHERE [MODE] [# CAPTION]`; return its caption."""
        told, _, caption = text.partition("#")
        where, _, mode = told.strip().partition(" ")
        if where.startswith("@"):
            where = self._run + where.removesuffix("@")
        step.address = Address.parse(where)
        step.mode = choice(mode.strip(), "", *MODES)
        self._run = str(step.address.run)
        return live_text(caption.strip())


@cache
def find_script(name: str) -> Script:
    """Return a built-in lesson, or one from a file."""
    if name in NAMES:
        ours = Path(__file__).with_name(f"{name}.script")
        return Script(name, ours.read_text(encoding="utf-8"))
    if not {".", "/"} & set(name):
        raise UsageError(
            f"there is no lesson {shown(name)} (lessons: {', '.join(NAMES)}; or a FILE.script)"
        )
    return Script(name, TomlText.load(Path(name), "lesson").text)


def command_of(verb: str) -> Command:
    """Return the command of a line of plain mode."""
    words = ("5" if verb.isdecimal() else verb).split()
    for line in (" ".join(words[:2]), *words[:1]):
        found = [c for c in COMMANDS if line == c.same]
        found += [c for c in COMMANDS if line in c.words]
        if found:
            return found[0]
    raise UsageError(f"{shown(verb)} is not a verb: help in plain mode lists the verbs")


def condition(text: str) -> str:
    """Check a condition; return it with the lab's command names."""
    found = CONDITION.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{shown(text)} is not a condition: start with mode, at, written, exploratory, asked,"
            " predicted, games, won or answered"
        )
    verb = found["verb"]
    return f"asked {(BY_NAME.get(verb) or command_of(verb)).name}" if verb else text


def live_text(text: str) -> str:
    """Check a text with live numbers in braces and verbs between marks."""
    for found in LIVE.finditer(text):
        checked_name(found[1])
    if "{" in LIVE.sub("", text) or "}" in LIVE.sub("", text):
        raise UsageError("it has an unpaired brace: {new} is a live number")
    if text.count(MARK) % 2:
        raise UsageError(f"it has an unpaired {MARK}: put a verb between two")
    for verb in text.split(MARK)[1::2]:
        command_of(verb)
    return text


def question_of(text: str) -> tuple[str, str]:
    """Check `QUESTION = ANSWER`."""
    question, _, answer = (part.strip() for part in text.partition("="))
    if not (question and answer):
        raise UsageError("a question has its answer with it: ? QUESTION = ANSWER")
    return live_text(question), live_text(answer)


def verb_of(text: str) -> tuple[str, str]:
    """Check `VERB [# WORDS]`."""
    verb, _, said = (part.strip() for part in text.partition("#"))
    command_of(verb)
    return verb, said


KINDS: Final[dict[str, tuple[str, int, Callable[[str], Any]]]] = {
    "title:": ("title", 30, str), "about:": ("about", 52, str), "minutes:": (
        "minutes", 3, lambda text: whole(int(text) if text.isdecimal() else text, 1, 600),
    ),
    "==": ("title", 30, str), "@": ("text", LONGEST_LINE, str), "": ("text", 240, live_text),
    "=": ("claims", 100, read_claim), "?": ("question", 120, question_of),
    ">": ("verbs", 200, verb_of), ">>": ("solution", 100, verb_of),
    "until:": ("until", 60, condition), "look:": ("look", 20, lambda text: choice(text, *PANES)),
}  # fmt: skip
"""The kinds of lines by their start: name, maximum length and check."""


@dataclass
class Since:
    """The state at the start of a step, and the commands used since."""

    games: int = 0
    predictions: int = 0
    was_done: bool = False
    """Whether the condition was already true."""
    used: set[str] = field(default_factory=set)
    """The names of the used commands, and `answered`."""


def is_met(condition: str, session: Session, since: Since) -> bool:
    """Return whether a condition holds now."""

    event, games = session.timeline.event, session.run.games - since.games
    kind = re.sub(r"\B([A-Z])", r" \1", type(event).__name__).lower()
    first, _, what = condition.partition(" ")
    is_over = games > 0 and session.mode is Mode.PLAY and session.is_over
    found = {
        "mode": what == session.mode.value,
        "at": what == kind,
        "written": kind == "backup" and session.timeline.is_written,
        "exploratory": getattr(event, "exploratory", False),
        "predicted": len(session.predictions.given) > since.predictions,
        "games": what.isdecimal() and games >= int(what) and not session.is_training,
        "won": is_over and getattr(event, "result", "") == session.human,
        "asked": what in since.used,
    }
    return bool(found.get(first, condition in since.used))

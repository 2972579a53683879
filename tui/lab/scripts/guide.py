"""The current lesson, with its card, and its check."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks import LESSON_ROWS, Line, Room, Text
from afterstate_lab.tui.lab.commands import key_of
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Key, Outcome, Work, question, sentence
from afterstate_lab.tui.lab.scripts.script import (
    LIVE,
    MARK,
    Script,
    Since,
    Step,
    check_holds,
    command_of,
    find_script,
    is_met,
    is_same,
    value_of,
    written_out,
)
from afterstate_lab.tui.theme.glyphs import ASCII

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.replay import OpenedRun

AWAY: Final = (("Esc", "key"), (" leads back to the lab, where the lesson continues.", "text"))
CARD: Final = 56
"""Columns inside the card of the smallest terminal, for two lines of text."""
TEXT_ROWS: Final = 2
NAMED: Final = re.compile(r"(?:S&B|Section|Chapter|Figure|[Ee]xercise) [0-9.]+")
"""A reference to the book, whose number is not a claim."""
DIGITS: Final = re.compile(r"(?<![\w.])[−-]?(?:[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)", re.ASCII)
GAMES_AT_ONCE: Final = 200
"""Games that are played in a blink, without a picture in between."""
MOST_TYPED: Final = 60
"""Maximum number of times to repeat a step's last verb."""


class Guide:
    """What leads through a lesson.

    Args:
        lab: the lab (`LabController`).
        lesson: a script, or the name of one of the package.
    """

    def __init__(self, lab: Any, lesson: Script | str) -> None:
        self._lab = lab
        self.lesson = find_script(lesson) if isinstance(lesson, str) else lesson
        self.number = 0
        """The number of the step, from 0."""
        self.text = ""
        """The caption of the step, with the numbers of its start."""
        self.since = Since()
        """What happened in the step."""

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    def turn(self, by: int) -> Outcome:
        """Move by a number of steps, and play the run of that step."""
        self.number = number = min(max(self.number + by, 0), len(self.lesson.steps) - 1)
        self.since, self.text = Since(was_done=True), "Playing the games for this step…"
        step, lab = self.step, self._lab
        if step.address is None:
            self._begin_step()
            return None

        def take(opened: OpenedRun) -> Outcome:
            if lab.guide is not self or self.number != number:
                return None
            outcome: Outcome = lab.resume(opened, Mode(step.mode) if step.mode else None)
            self._begin_step()
            return outcome

        lab.leave_training()
        run, address = lab.session.run, step.address
        same = (str(run.x), str(run.o), run.seed) == (address.x, address.o, address.seed)
        known = run.games if same and run.games <= address.games else 0
        try:
            if address.games <= known + GAMES_AT_ONCE:
                return take(lab.session.opened(address, lab.named))
        except UsageError as error:
            return sentence(error)
        work: Work = lab.playing(address, take)
        return work

    def _begin_step(self) -> None:
        """Start the step at the lab's moment."""
        session = self._lab.session
        try:
            self.text = self.filled(self.step.text)
        except UsageError as error:
            self.text = f"Its numbers are elsewhere: {error}. < goes back a step."
        self.since = Since(session.run.games, len(session.predictions.given))
        self.since.was_done = is_met(self.step.condition, session, self.since)

    def filled(self, text: str) -> str:
        """Return a text with its live numbers."""
        session = self._lab.session
        return LIVE.sub(lambda found: written_out(found[1], found[2], session), text)

    @property
    def verb(self) -> str:
        """The step's first verb that is not done, or its last verb."""
        verbs = [verb for verb, _ in self.step.verbs]
        waiting = (verb for verb in verbs if command_of(verb).name not in self.since.used)
        return next(waiting, (verbs or [""])[-1])

    def waits_for(self, name: str) -> bool:
        """Return whether a command must still be done; while stepping, repeatedly."""
        return name not in self.since.used or self._lab.session.mode is Mode.STEP

    def follow(self) -> Outcome:
        """Move to the next step if the current one is done.

        Earlier work, as after turning back, does not count: then one of the step's verbs must be
        used.
        """
        since, is_last = self.since, self.step is self.lesson.steps[-1]
        is_new = not since.was_done or any(one.name in since.used for one in self.step.commands)
        is_done = is_new and is_met(self.step.condition, self._lab.session, since)
        return self.turn(1) if is_done and not is_last else None

    @property
    def question(self) -> Key | None:
        """The question of the step, if it has one."""
        if self.step.question is None:
            return None
        asked, answer = self.step.question

        def judge(text: str) -> Outcome:
            right = self.filled(answer)
            if not is_same(value_of(text), value_of(right), right):
                raise UsageError("That is not it: try again, or press Esc and > to continue.")
            self.since.used.add("answered")
            return f"Right: {right}."

        return question("answer", asked, judge, usage=f"{asked}: answer ...")

    def view(self, *, is_away: bool = False) -> Text:
        """Return the card of the step, on the lab or another page: what to do below its text."""
        todo = AWAY if is_away else as_keys(self.step.to_do)
        return Text(
            (by_keys(self.text), (("» ", "key"), *todo)),
            title=f"{self.number + 1}/{len(self.lesson.steps)} {self.step.title}",
            right="Esc back" if is_away else f"Enter next  {key_of('tour')} ends",
            rank=-1,
            spot=True,
            height=Room(LESSON_ROWS, LESSON_ROWS),
        )

    # check a lesson by going through it

    def walk(self) -> Generator[str, object]:
        """Yield what to type, or which keys to press, to go through the lesson.

        Each step is checked at its start, and must be done after its verbs.
        """
        lesson = self.lesson
        for number, step in enumerate(lesson.steps):
            kind = "@"
            try:
                if step.address is not None:
                    self._lab.resume(self._lab.session.opened(step.address, ()))
                    self._begin_step()
                for claim in step.claims:
                    kind = claim[0]
                    check_holds(claim, self._lab.session)
                claimed = {claim[3] for claim in step.claims}
                kind = ""
                self._check_text(step.text, TEXT_ROWS, CARD, claimed)
                kind = "?" if step.question else ">"
                self._check_text(step.to_do, 1, CARD - 2, claimed)
            except UsageError as error:
                raise lesson.error(step.lines.get(kind, step.lines["=="]), error) from None
            if step is lesson.steps[-1]:
                return
            verbs = [verb for verb, _ in step.solution or step.verbs] or ["tour next"]
            if step.question is not None:
                verbs = [f"answer {self.filled(step.question[1])}"]
            for verb in (*verbs, *[verbs[-1]] * MOST_TYPED):
                if self.number == number:
                    yield verb
            if self.number == number:
                why = f"{step.condition} is not met by {' and '.join(verbs)}"
                raise lesson.error(step.lines.get("until:", step.lines["=="]), why)

    def _check_text(self, text: str, most: int, columns: int, claimed: set[str]) -> None:
        """Check that a text fits the card, and that its numbers are claimed."""
        shown = ASCII.text(by_keys(self.filled(text)))
        rows = len(textwrap.wrap(shown, columns, break_on_hyphens=False))
        if rows > most:
            raise UsageError(
                f"it takes {rows} lines of {columns} characters; the card has room for {most}"
            )
        said = " ".join(text.split(MARK)[::2])
        for found in DIGITS.finditer(LIVE.sub("", NAMED.sub("", said))):
            number = found[0].rstrip(",")
            if not {number, number.replace(",", "")} & claimed:
                raise UsageError(f"it names {number}, but no claim covers it")


def as_keys(text: str) -> Line:
    """Return a text with keys, or `:` and a word, instead of the verbs between marks."""
    pieces = text.split(MARK)
    for n, verb in enumerate(pieces):
        if n % 2 and not verb.isdecimal():
            command = command_of(verb)
            has_key = verb in (command.line, command.short, command.same)
            pieces[n] = key_of(command.name) if has_key else f":{verb}"
            if command.name == "lesson":
                pieces[n] = "Enter"
    return tuple((piece, "key" if n % 2 else "text") for n, piece in enumerate(pieces) if piece)


def by_keys(text: str) -> str:
    return "".join(piece for piece, _ in as_keys(text))

"""The lab without a screen: its state and commands.

The screen maps a key, plain mode a word, to a command (`tui.lab.commands`), which acts on the lab
and returns an outcome; both front ends show it. Light: the engine comes with the session.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import IllegalMoveError
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.blocks.block import Quantity, Role
from afterstate_lab.tui.lab.commands import BY_NAME
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    Key,
    Open,
    Outcome,
    Work,
    command_key,
)
from afterstate_lab.tui.lab.state import LabState
from afterstate_lab.tui.theme.numerals import games_text

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.lab.scripts.guide import Lessons

KEYPAD: Final = (6, 7, 8, 3, 4, 5, 0, 1, 2)
"""The cell of each digit 1-9, arranged as on a keypad."""
RECENT: Final = 50
"""Number of latest commands in a report of a failure."""


class LabController(LabState):
    """A lab and its commands."""

    def __init__(self, given: Settings, autosave: Autosave | None = None) -> None:
        super().__init__(given, autosave)
        self.experiments: Any = None
        """The state of their page, once opened: they continue under other pages."""
        self.is_light = False
        """Whether the colours are for a light background."""
        self.is_over = False
        """Whether the user leaves."""
        self.trouble = ""
        """What is wrong with the user's settings, until it was shown."""
        self.remark = ""
        """What home says if nothing is more urgent."""
        self.log_offset = 0
        """Lines that the log is scrolled back."""
        self.recent: deque[str] = deque(maxlen=RECENT)
        self.uses_keypad = False
        """Whether digits are arranged as on a keypad."""

    @cached_property
    def lessons(self) -> Lessons:
        """What begins and ends lessons."""
        from afterstate_lab.tui.lab.scripts.guide import Lessons

        return Lessons(self)

    @property
    def guide(self) -> Lessons | None:
        """What leads through the lesson in progress."""
        return self.lessons.guide if "lessons" in self.__dict__ else None

    def note(self, name: str) -> None:
        """Let a lesson note a used command, and the mode afterwards."""
        if self.guide is not None:
            self.guide.note(name)

    def follow(self) -> Outcome:
        """Move to the next step of a lesson if the current one is done."""
        return None if self.guide is None else self.guide.follow()

    def perform(self, name: str, *text: str) -> Outcome:
        """Run a command, with the text after its word if it takes one."""
        self.recent.append(name)
        if self.is_started:
            self.session.note = ""
            film = self.session.film
            if film is not None and film.is_playing:
                film.is_playing = False
                if name in ("run", "film", "give_up"):
                    return None
        known = self.is_started and self.session.predictions.wanted and self.session.timeline
        before = known and (known.place, known.phase)
        outcome: Outcome = BY_NAME[name].do(self, *text)
        return self.asked_first(before, outcome) if before else outcome

    def asked_first(self, before: tuple[TapePosition, int], outcome: Outcome) -> Outcome:
        """Return an outcome, or the question about the backup to which it led, before its write."""
        if isinstance(outcome, Work):
            taken = outcome.taken
            return outcome._replace(then=lambda found: self.asked_first(before, taken(found)))
        if isinstance(outcome, Key) or not self.session.stops_before_write(before):
            return outcome
        return self.question or outcome

    @property
    def question(self) -> Key | None:
        """Return the question of the lesson, or about the next backup."""
        asked = None if self.guide is None else self.guide.question
        if asked is None and self.session.predictions.wanted:
            return self.session.prediction
        return asked

    def end_training(self) -> str | None:
        """Show the last game of a finished training run; report whether anyone can be beaten."""
        session = self.session
        session.end_training()
        last = session.snapshot
        if last is None or not any(last.evaluation):
            return None
        if last.gave_up:
            said = f"{last.beatable} can still be beaten after {last.done:,} games."
            return f"{said} More may not help."
        if last.beatable:
            return None
        games = games_text(session.run.games)
        said = f"Unbeatable now, after {games}: proved, not sampled."
        return f"{said} {command_key('play')} plays against it."

    def clicked(self, name: str, *given: Any) -> Outcome:
        """Handle a digit or a click: a cell, a line of the log, a part of the film."""
        if name == "cell":
            digit = int(given[0])
            name, given = "mark cell", (KEYPAD[digit - 1] if self.uses_keypad else digit - 1,)
        if name == "mark cell":
            return self.mark(*given)
        if name == "film part":
            self.session.go_to_part(*given)
        elif name == "log line":
            self.go_to_log_line(*given)
        return None

    def mark(self, cell: int) -> Outcome:
        """Mark a cell (0-8) for the person who plays."""
        session = self.session
        if session.mode is Mode.PLAY and not session.game_goes_on:
            raise UsageError(f"Game over. Press {command_key('new_game')} for a new game.")
        try:
            session.move(cell)
        except IllegalMoveError as error:
            raise UsageError(str(error)) from None
        return None

    def step_to(self, place: TapePosition, entry: int | None = None) -> None:
        """Step from a moment chosen on a page; an entry replaces what is selected."""
        self.session.is_running = False
        self.session.mode = Mode.STEP
        self.session.timeline.go_to_place(place)
        if entry is not None and self.session.selection is not None:
            self.session.selection = Quantity(Role.ENTRY, entry)

    def open_card(self, entry: int) -> Outcome:
        """Open the card of a value at this moment; between games, at the end of the last."""
        session, timeline = self.session, self.session.timeline
        place = timeline.place
        games = 0
        if timeline.event is None:
            games = timeline.game or session.run.games
            if not games:
                raise UsageError("no game is over yet: train first")
        self.pause()
        session.enter_step_mode()
        if games:
            session.timeline.go_to(games - 1, at_end=True)
        else:
            session.timeline.go_to_place(place)
        session.selection = Quantity(Role.ENTRY, entry)
        return Open("value", entry)

    def go_to_log_line(self, number: int, lines: int) -> None:
        """Go to the moment of a log line, if any: the log may have changed since the click."""
        session = self.session
        if (film := session.played_film) is not None:
            found = film.marks.in_order[number : number + 1]
            if found:
                session.note = session.go_to_mark(film, *found)
            return
        above = lines - 1 - number
        is_event = 0 <= above < len(session.timeline.events_so_far())
        if session.mode in (Mode.WATCH, Mode.STEP) and is_event:
            session.is_running = False
            session.timeline.seek(session.timeline.row - above + 1)

    def or_address(self, question: Key) -> Key:
        """Return the question; an address is also an answer to it."""

        def answer(text: str) -> Any:
            return self.open_address(text) if is_address(text) else question.do(text)

        return replace(question, do=answer)

"""The lab without a screen: its session, where its run is saved, and its commands.

The screen maps a key, plain mode a word, to a command (`tui.lab.commands`), which acts on the lab
and returns an outcome; both front ends show it. Light: the engine comes with the session.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from afterstate_lab.game import IllegalMoveError, Side
from afterstate_lab.learners.errors import StoreError, UsageError, shown, shown_path
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.equation import TermRole
from afterstate_lab.learners.rules.spec import PlayerSpec, runs_code
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.lab.autosave import Autosave, is_worth_saving, store
from afterstate_lab.tui.lab.commands import BY_NAME
from afterstate_lab.tui.lab.modes import SPEEDS, Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    AGREED,
    GIVEN_UP,
    Key,
    Open,
    Outcome,
    Running,
    Work,
    command_key,
    question,
    sentence,
)
from afterstate_lab.tui.theme.numerals import games_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from afterstate_lab.learners.runs.address import Address
    from afterstate_lab.learners.runs.listing import RunInfo, StoredRun
    from afterstate_lab.learners.runs.replay import OpenedRun
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.scripts.guide import Guide
    from afterstate_lab.tui.lab.scripts.script import Script
    from afterstate_lab.tui.lab.session import Session

R = TypeVar("R")
RECENT: Final = 50
"""Number of latest commands in a report of a failure."""


class LabController:
    """A lab: its session, its run and where they are saved, and its commands.

    Light: the engine, numpy and the exact tables take 100 ms and 25 MB. Home shows nothing that
    needs them; the session is created when the lab is shown or a command needs it.

    Args:
        given: the first players and seed.
        autosave: None saves nothing.
    """

    def __init__(self, given: Settings, autosave: Autosave | None = None) -> None:
        self.given, self.autosave = given, autosave
        self.speed = SPEEDS[2]
        """Moves per second in Watch, at first."""
        self.named: tuple[str, ...] = ()
        """Files of players that the user named for addresses."""
        self.hint: RunInfo | None = None
        """The run that a fresh lab can resume."""
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
        self.guide: Guide | None = None
        """What leads through the lesson in progress."""
        self.log_offset = 0
        """Lines that the log is scrolled back."""
        self.recent: deque[str] = deque(maxlen=RECENT)
        self.uses_keypad = False
        """Whether digits are arranged as on a keypad."""

    @cached_property
    def session(self) -> Session:
        from afterstate_lab.tui.lab.session import Session

        session = Session(self.given)
        session.speed = self.speed
        return session

    @property
    def is_started(self) -> bool:
        return "session" in self.__dict__

    @property
    def settings(self) -> Settings:
        """The current players and seed."""
        return self.session.settings if self.is_started else self.given

    @property
    def mode(self) -> Mode:
        return self.session.mode if self.is_started else self.given.mode

    def capture(self, *, at_once: bool = False) -> bool:
        """Copy what must be saved; return whether anything must be written."""
        if not self.is_started or self.autosave is None:
            return False
        return self.autosave.capture(self.session, at_once=at_once)

    def leave_training(self) -> None:
        """End training before another mode begins; keep what was learned."""
        if self.is_started and self.session.training is not None:
            training = self.session.training
            was_over = training.is_over
            training.stop()
            training.wait()
            self.session.end_training()
            if not was_over:
                last = training.snapshot
                of = "" if last.goal.until_unbeatable else f" of {last.goal.games:,}"
                self.session.note = f"Training stopped after {last.done:,}{of} games."

    def pause(self) -> None:
        """End a training run and stop playback before you move elsewhere."""
        self.leave_training()
        self.session.is_running = False

    def leave(self) -> None:
        """Stop and save the current run before another replaces it.

        Training can have begun while the other run was being chosen or read.
        """
        self.leave_training()
        self.capture(at_once=True)

    def set_up(self, settings: Settings, said: str = "") -> Outcome:
        """Begin a new run with these settings, after asking their agents, and report it."""
        self.leave_training()

        def begin(done: object = None) -> Outcome:
            self.leave()
            self.session.start(settings)
            return said or None

        asked = [one.rule.name for one in (settings.x, settings.o) if one.rule.is_asked]
        if not asked:
            return begin()
        return Work(
            partial(self.session.ask_agents, settings),
            says=f"asking {' and '.join(asked)}",
            run=self.session.run,
            then=begin,
        )

    def resume(self, opened: OpenedRun, mode: Mode | None = None) -> Outcome:
        """Resume a saved run, or show the run of an address, and its what-if, if any."""
        self.leave()
        said = self.session.resume(opened, mode)
        if self.autosave is not None:
            self.autosave.adopt(self.session, opened.stored)
        if opened.what_if is not None and opened.address and opened.address.what_if is not None:
            player = opened.address.what_if[0].upper()
            return self.replay_as(player, opened.what_if)
        return said or None

    # the store

    @property
    def stored(self) -> StoredRun | None:
        if self.autosave is None or not self.is_started:
            return None
        return self.autosave.stored(self.session.run)

    @property
    def own_rules(self) -> frozenset[str]:
        """The user's named rules, whose code from files may run."""
        run = self.session.run if self.is_started else self.given
        return frozenset(one.rule.name for one in (self.given.x, self.given.o, run.x, run.o))

    def find_hint(self) -> RunInfo | str | None:
        """Return the latest saved run, or why it cannot be read; can run in any thread.

        It does not load the engine.
        """
        from afterstate_lab.learners.runs.listing import RunList

        try:
            return RunList.open(patience=1.0).latest()
        except StoreError as error:
            return sentence(error)

    def load(self, text: str) -> Work:
        """Return the work that resumes a run by its name, or its number in the list of runs."""
        which: str | int = text
        if text.isascii() and text.isdigit():
            runs = store().list()
            if 1 <= int(text[:9]) <= len(runs):
                which = runs[int(text[:9]) - 1].id
        return with_run(which, self.own_rules, self.resume)

    def open_run(self, info: RunInfo) -> Outcome:
        """Save the current run and resume another."""
        self.pause()
        if self.stored is not None and self.stored.id == info.id:
            raise UsageError(f"{shown(info.name)} is open.")
        self.capture(at_once=True)
        return with_run(info.id, self.own_rules, self.resume)

    # addresses

    def open_address(self, text: str) -> Outcome:
        """Save the current run and open an address; files of its players may follow it."""
        self.pause()
        word, *paths = text.split()
        self.named = (*self.named, *paths)
        return self.playing(self.session.read_address(word), self.resume)

    def playing(self, address: Address, take: Callable[[OpenedRun], Outcome]) -> Work:
        """Play the run of an address, except the games that this run shares with it."""
        session, files = self.session, self.named
        return Work(
            lambda stop: session.opened(address, files, advance=stop.tell, stopped=stop),
            says="opening",
            then=lambda opened: GIVEN_UP if opened is None else take(opened),
            run=session.run,
        )

    def replay_as(self, player: str, spec: PlayerSpec) -> Outcome:
        """Play the current game again with another player and the same random numbers."""
        from afterstate_lab.tui.lab.log import sentences

        spec.rule.check_side(Side.parse(player))
        if spec.rule.human:
            raise UsageError("A learner or an opponent is needed, not a person")
        return self.session.replay_as(player, spec, sentences)

    # commands

    def begin_lesson(self, lesson: Script | str) -> Outcome:
        """Start a lesson, or one of the package by its name, in its own run."""
        from afterstate_lab.tui.lab.scripts.guide import Guide

        was_played = self.is_started and is_worth_saving(self.session)
        self.guide = Guide(self, lesson)
        runs = command_key("runs")
        kept = f"This lesson uses its own run. Yours is saved; press {runs} to find it."
        return self.guide.turn(0) or (kept if was_played and self.autosave else None)

    def note(self, name: str) -> None:
        """Let a lesson note a used command."""
        if self.guide is not None:
            self.guide.since.used.add(name)

    def follow(self) -> Outcome:
        """Move to the next step of a lesson if the current one is done."""
        return None if self.guide is None else self.guide.follow()

    def perform(self, name: str, *text: Any) -> Outcome:
        """Run a command, with the text after its word or the marked cell if it takes one."""
        self.recent.append(name)
        if self.is_started:
            self.session.note = ""
            film = self.session.played_film
            if film is not None:
                film.is_playing = False
                if name in ("run", "film", "give_up"):
                    return None
        do: Callable[..., Outcome] = BY_NAME[name].do
        if name == "predict" or not (self.is_started and self.session.predictions.wanted):
            return do(self, *text)  # `predict .42` is the answer
        timeline = self.session.timeline
        before = timeline.place, timeline.phase
        return self.asked_first(before, do(self, *text))

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

    def mark(self, cell: int) -> Outcome:
        """Mark a cell (0-8) for the person who plays."""
        session = self.session
        if not session.game_goes_on:
            raise UsageError(f"Game over. Press {command_key('new_game')} for a new game.")
        try:
            session.move(cell)
            self.note("cell")
        except IllegalMoveError as error:
            raise UsageError(str(error)) from None
        return None

    def step_to(self, place: TapePosition, entry: int | None = None) -> None:
        """Step from a moment chosen on a page; an entry replaces what is selected."""
        self.session.is_running = False
        self.session.mode = Mode.STEP
        self.session.timeline.go_to_place(place)
        if entry is not None and self.session.selection is not None:
            self.session.selection = Quantity(TermRole.ENTRY, entry)

    def open_card(self, entry: int) -> Outcome:
        """Open the card of a value at this moment; between games, at the end of the last."""
        self.pause()
        session, timeline = self.session, self.session.timeline
        if timeline.event is None:
            games = timeline.game or session.run.games
            if not games:
                raise UsageError("no game is over yet: train first")
            timeline.go_to(games - 1, at_end=True)
        session.mode = Mode.STEP
        session.selection = Quantity(TermRole.ENTRY, entry)
        return Open("value", entry)

    def or_address(self, question: Key) -> Key:
        """Return the question; an address is also an answer to it."""
        return replace(
            question,
            do=lambda text: self.open_address(text) if is_address(text) else question.do(text),
        )


def reading(players: Iterable[str], then: Callable[[], R]) -> R | Work:
    """Return what comes once the files of players have run, which Esc ends."""
    files = [player for player in players if runs_code(player)]

    def work(stop: Running) -> None:
        from afterstate_lab.learners.players.user_rule import in_time

        with in_time(stop):
            for file in files:
                parse_player(file)

    if not files:
        return then()
    return Work(work, says=f"running {' and '.join(files)}", then=lambda _: then())


def with_run(
    which: str | int, own_rules: Collection[str], then: Callable[[OpenedRun], Any]
) -> Work:
    """Return the work that reads a run; asks first, if it needs code of a file that was not named.

    Args:
        which: its name or number.
        own_rules: the rules in files whose code may run.
        then: takes the run.
    """
    from afterstate_lab.learners.runs.listing import OwnRuleError

    def work(stop: Running) -> Any:
        try:
            return store().load(which, own_rules=own_rules).make_ready()
        except OwnRuleError as error:
            path, named = shown_path(error.rule), {*own_rules, error.rule}

        def run(text: str) -> Work:
            if text.strip() not in AGREED:
                raise UsageError("its code did not run: only y runs it")
            return with_run(which, named, then)

        asks = f"This run needs code from a file. Run {path}? y runs it, Esc does not"
        return question("run its code", asks, run, "y")

    return Work(work, then=lambda found: found if isinstance(found, Key) else then(found))

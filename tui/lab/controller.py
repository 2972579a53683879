"""Every command of the lab, once, without a screen: it acts on the session and returns an outcome.

The screen maps a key, plain mode a word, to a command of `tui.lab.commands`; `METHODS` maps the
command to what it does: what needs the session alone has its line in the file of its subject
(`stepping`, `playing`, `searches`), all else at the end of this one. Both front ends then show the
outcome. Light: the engine comes with the session.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from game import Side
from learners.addresses import is_address
from learners.errors import UsageError, shown
from tui.lab import playing, refuting, searches, stepping
from tui.lab.autosave import is_worth_saving
from tui.lab.commands import COMMANDS, Screen
from tui.lab.goal import gave_up, goal_of
from tui.lab.modes import Help, Mode, Settings, speed_words
from tui.lab.outcomes import (
    Copy,
    Message,
    MessageKind,
    Open,
    Outcome,
    Question,
    Request,
    Steps,
    Train,
    command_key,
    refusal,
    sentence,
)
from tui.lab.resume_hint import games_text
from tui.lab.saved_runs import SavedRuns, opened_sentence

if TYPE_CHECKING:
    from learners.addresses.address import Address
    from learners.addresses.lecture import LectureStop
    from learners.addresses.opening import OpenedAddress
    from learners.store import LoadedRun, RunInfo
    from learners.tape.recording import TapePosition
    from tui.lab.autosave import Autosave
    from tui.lab.lazy_session import LazySession
    from tui.lab.lectures import Follower, Recorder
    from tui.lab.lessons.guide import LessonGuide
    from tui.lab.lessons.lesson_file import Lesson
    from tui.lab.lockstep import Lockstep
    from tui.lab.quiz import QuizAnswers
    from tui.lab.session import Session

KEYPAD: Final = (6, 7, 8, 3, 4, 5, 0, 1, 2)
"""The cell of each digit 1-9 where the digits lie as on a keypad."""
SHOWS: Final = {"values": Help.VALUES, "exact": Help.EXACT, "none": Help.OFF}
"""What plain mode can tell before the other side moves, and what the board calls it."""
RECENT: Final = 50
"""Commands that a report of a failure names."""
SCROLLED: Final = 5
"""Lines of the log that a key scrolls."""


STAYS: Final = frozenset(
    ("lecture", "remark", "address", "help", "theme", "meter", "scroll_up", "scroll_down", "quit")
)
"""Commands that leave a lecture where it is."""


class LabController:
    """The commands of a lab.

    Args:
        lazy: the session, from the first command on.
        autosave: saves it; None saves nothing.
    """

    def __init__(
        self,
        lazy: LazySession,
        autosave: Autosave | None = None,
    ) -> None:
        self.lazy = lazy
        self.autosave = autosave
        self.saved = SavedRuns(lazy, autosave)
        self.guide: LessonGuide | None = None
        """The lesson that goes on."""
        self.current_quiz: QuizAnswers | None = None
        """The quiz that goes on in plain mode."""
        self.lockstep: Lockstep | None = None
        """The two games whose differences plain mode tells."""
        self.log_offset = 0
        """Lines by which the log is scrolled back."""
        self.shows = "values"
        """What plain mode tells before the other side moves."""
        self.named: tuple[str, ...] = ()
        """The files of players of addresses that the user has named."""
        self.recorder: Recorder | None = None
        """Writes down where the lab stops."""
        self.follower: Follower | None = None
        """The lecture that is followed."""
        self.recent: deque[str] = deque(maxlen=RECENT)
        """The latest commands, for a report of a failure."""
        self.uses_keypad = False
        """Whether the digits lie on the board as on a keypad."""

    @property
    def session(self) -> Session:
        """The session; the first to ask for it creates it."""
        return self.lazy.session

    def perform(self, name: str) -> Outcome:
        """Do what a command asks for."""
        self.recent.append(name)
        if name not in STAYS:
            self.step_aside()
        if self.lazy.is_started:
            self.session.clear_messages()
            film = self.session.film
            if film is not None and film.is_playing:
                film.is_playing = False
                if name in ("run", "film", "give_up"):
                    return None
        return METHODS[name](self)

    def note_for_lesson(self, name: str) -> None:
        """Tell a lesson of a command that was asked for."""
        if self.guide is not None:
            self.guide.note(name)

    def follow_lesson(self) -> Outcome:
        """Go on to the next step of a lesson where the current one is done."""
        return self._turn_lesson(1) if self.guide is not None and self.guide.is_done else None

    def capture(self, *, at_once: bool = False) -> bool:
        """Take down what is to be saved; whether anything has to be written."""
        if not self.lazy.is_started:
            return False
        if self.recorder is not None and self.recorder.note(self.session):
            self.session.say(Message(sentence(self.recorder.trouble)))
        if self.autosave is None:
            return False
        return self.autosave.capture(self.session, at_once=at_once)

    def leave_training(self) -> None:
        """End a training before another mode begins; what was learned stays."""
        if self.lazy.is_started and self.session.training is not None:
            self.session.training.stop()
            self.session.training.wait()
            self.session.end_training()

    def leave_run(self) -> None:
        """End and save what goes on in the current run: another one takes its place.

        A training can have begun while the other one was being chosen or read.
        """
        self.leave_training()
        self.capture(at_once=True)

    def run(self) -> Outcome:
        """Run or pause what is watched or trained."""
        training = self.session.training
        if self.session.mode is Mode.WATCH:
            self.session.is_running = not self.session.is_running
        elif training is None:
            return self.train()
        elif self.session.snapshot is not None and training.is_paused:
            training.resume()
        else:
            training.pause()
        return None

    def end_training(self) -> Message | None:
        """Look at the last game of a training that is over; say so where nobody can be beaten."""
        session = self.session
        session.end_training()
        last = session.snapshot
        if last is None or not any(last.evaluation):
            return None
        if last.beatable:
            return Message(gave_up(last), MessageKind.LOG) if last.gave_up else None
        said = f"Unbeatable after {games_text(session.run.games)}: proved, not sampled."
        return Message(f"{said} {command_key('play')} tries it.", MessageKind.LOG)

    def stop(self) -> Outcome:
        """End a training; without one, watch."""
        if self.session.training is None:
            return self.watch()
        self.session.training.stop()
        return None

    def faster(self) -> Outcome:
        return self._at_speed(1)

    def slower(self) -> Outcome:
        return self._at_speed(-1)

    def _at_speed(self, by: int) -> Outcome:
        self.session.faster(by)
        return Message(f"{speed_words(self.session.speed)}.")

    def move_back(self) -> Outcome:
        """Look at the move before, and what was learned from it."""
        self.session.is_running = False
        return stepping.moved_back(self.session.watch_move_back())

    def event_back(self) -> Outcome:
        """Go to the event before."""
        self.session.is_running = False
        return stepping.event_back(self.session)

    def game_back(self) -> Outcome:
        """Go to the game before."""
        self.session.is_running = False
        return stepping.game_back(self.session)

    def game(self) -> Outcome:
        """Go to the next game; watched, the players play on at the end of the run."""
        session = self.session
        if session.mode is not Mode.WATCH or session.timeline.next_game():
            session.is_running = False
            return None if session.mode is Mode.WATCH else stepping.game(session)
        session.timeline.seek(session.timeline.recording.size)
        return self.one_event()

    def one_event(self) -> Outcome:
        return self._watch(lambda: True)

    def watch_move(self) -> Outcome:
        """Watch the next move, and what is learned from it."""
        return self._watch(lambda: self.session.is_move_watched)

    def watch_game(self) -> Outcome:
        return self._watch(lambda: self.session.is_game_watched)

    def _watch(self, is_enough: Callable[[], bool]) -> Outcome:
        session = self.session
        if session.waits and session.script and session.is_at_end:
            again = command_key("new_game")
            return refusal(
                f"Your game is not over: end it, or {again} begins another, before you watch."
            )
        session.is_running = False
        if session.is_at_end and session.run.games:
            said = stepping.played_sentence(session.run.games + 1)
            session.say(Message(said, MessageKind.LOG))
        if session.mode is not Mode.STEP or session.is_at_end:
            session.leave_seat()
        if session.mode is not Mode.STEP:
            session.mode = Mode.WATCH

        def events() -> Iterator[None]:
            session.watch_event()
            yield
            while not is_enough():
                session.watch_event()
                yield

        return Steps(events())

    def give_up(self) -> Outcome:
        """Give up the selection; without any, leave the microscope."""
        if self.session.mode is Mode.WATCH:
            return None
        return None if searches.unselect(self.session) else self.watch()

    def unselect(self) -> Outcome:
        """Select nothing."""
        self.session.selection = None
        return None

    def cell(self) -> Outcome:
        """Say how a cell is marked: which one, a key or a click says."""
        return Message("A digit from 1 to 9 marks a cell, and so does a click on it.")

    def press_digit(self, digit: int) -> Outcome:
        """Mark the cell of a digit key, 1 to 9."""
        self.step_aside()
        return playing.mark_cell(self.session, KEYPAD[digit - 1] if self.uses_keypad else digit - 1)

    def keypad(self) -> Outcome:
        """Number the cells like a keypad, or like a phone."""
        self.uses_keypad = not self.uses_keypad
        where = "a keypad: 7 8 9" if self.uses_keypad else "a phone: 1 2 3"
        return Message(f"The digits lie as on {where} above.")

    def show(self) -> Outcome:
        """Ask what plain mode tells before the other side moves."""
        three = "show values, show exact or show none."

        def answer(text: str) -> Outcome:
            if text not in SHOWS:
                return refusal(f"{shown(text)} cannot be shown: {three}")
            self.shows, self.session.help = text, SHOWS[text]
            return Message(f"Before the other side moves you are told: {text}.")

        return Question(
            "show", "values, exact or none", answer, usage=f"Now it is show {self.shows}: {three}"
        )

    def scroll_up(self) -> Outcome:
        """Scroll the log back."""
        self.log_offset += SCROLLED
        return None

    def scroll_down(self) -> Outcome:
        """Scroll the log on."""
        self.log_offset = max(0, self.log_offset - SCROLLED)
        return None

    def play(self) -> Outcome:
        """Play against a learner: the game that waits, seen from elsewhere, or a new one."""
        self.leave_training()
        self.session.is_running = False
        if self.session.waits and self.session.mode is not Mode.PLAY:
            return playing.return_to_game(self.session)
        return playing.new_game(self.session)

    def watch(self) -> Outcome:
        """Watch the two players."""
        self.leave_training()
        self.session.leave_seat()
        self.session.mode = Mode.WATCH
        return None

    def step(self) -> Outcome:
        """Step through what is learned; where nothing was played, play what there is to see."""
        self.leave_training()
        session = self.session
        session.is_running = False
        has_tape = session.run.games or session.timeline.recording.size
        session.enter_step_mode()
        return None if has_tape else stepping.first_change(session)

    def train(self) -> Outcome:
        """Ask how long to train."""
        if self.session.is_training:
            return None
        self.session.is_running = False
        usage = "train 20000 or train until unbeatable trains the two learners."
        return Question(
            "train",
            "how many games: 20000, 100k, 1m; or unbeatable",
            self.train_for,
            default="100k",
            kind="number of games",
            hint="20000, 100k or 1m, or the word unbeatable",
            usage=f"How long? {usage}",
            wrong=f"{{text}} is no number of games: {usage}",
            compiles=True,
        )

    def train_for(self, text: str) -> Outcome:
        """Train for as long as a user typed."""
        goal = goal_of(text)
        return refusal("") if goal is None else Train(goal)

    def setup(self) -> Outcome:
        """Choose players, options and seed."""
        self.leave_training()
        self.session.is_running = False
        return Open(Screen.SETUP, self.session.settings)

    def set_up(self, settings: Settings) -> Outcome:
        """Begin a new run with the settings that were chosen; its agents are asked before."""
        from tui.lab.setup import asking

        self.leave_training()
        search = asking(settings, self.session.run, lambda: self._begin(settings))
        return self._begin(settings) if search is None else search

    def _begin(self, settings: Settings) -> Outcome:
        self.leave_run()
        try:
            self.session.start(settings)
        except UsageError as error:
            return refusal(error)
        return None

    def refutation(self, side: Side | None = None) -> Outcome:
        """Show the game that beats a player: this one, or the one that can be beaten."""
        self.leave_training()
        self.session.is_running = False
        if side is None:
            return refuting.refutation(self.session, self._show_game)
        return refuting.refutation_of(self.session, side, self._show_game)

    def quiz(self) -> Outcome:
        """Ask about the games of the run."""
        from tui.lab.quiz import ask_quiz

        self.leave_training()
        self.session.is_running = False
        return ask_quiz(self.session)

    def end_quiz(self) -> Outcome:
        """End the quiz that goes on in plain mode."""
        was, self.current_quiz = self.current_quiz, None
        return refusal("No quiz goes on.") if was is None else Message("The quiz is off.")

    def step_to(self, place: TapePosition | None) -> None:
        """Step from a place that a screen was left for, if any."""
        if place is not None:
            self.session.is_running = False
            self.session.mode = Mode.STEP
            self.session.timeline.go_to_place(place)

    def _show_game(self, game: int, script: dict[int, int]) -> None:
        self.capture(at_once=True)
        self.session.show_game(game, script)
        if self.autosave is not None:
            self.autosave.leave_unsaved(self.session)

    def film(self, name: str) -> Outcome:
        """Play the film of the run, tell its marks, or go to one."""
        from tui.lab import filming

        asked = {
            "film": filming.film,
            "marks": filming.marks,
            "next_mark": filming.next_mark,
            "mark_back": filming.mark_back,
        }
        return asked[name](self.session)

    def review(self) -> Outcome:
        """Review the person's game that is looked at."""
        from tui.lab.review import review

        return review(self.session)

    def matchbox(self) -> Outcome:
        """Show the matchboxes of the game that is looked at."""
        from tui.lab.matchbox import matchbox

        self.session.is_running = False
        return matchbox(self.session)

    def difference(self, by: int) -> Outcome:
        """Tell the next difference of a what-if (1), or the one before (-1)."""
        from tui.lab.lockstep import NO_FURTHER, Lockstep

        session, asked = self.session, self.session.what_if
        if asked is None or not asked.is_about(session.run, session.timeline.game):
            again = command_key("what_if")
            return refusal(
                f"Nothing is beside this game: {again} plays it again with another player."
            )
        if self.lockstep is None or self.lockstep.asked is not asked:
            self.lockstep = Lockstep(asked)
        found = self.lockstep.to_difference(by)
        return Open(Screen.WHAT_IF, self.lockstep) if found else refusal(NO_FURTHER)

    def leave_review(self, answer: TapePosition | str | None) -> Outcome:
        """Step from a move of a review, or begin the next game."""
        if answer == "new_game":
            return playing.new_game(self.session)
        if isinstance(answer, tuple):
            self.go_to_last_write(answer)
        return None

    def go_to_last_write(self, place: TapePosition | None) -> None:
        """Step from the last write of an entry that was chosen in the table."""
        from tui.lab.table.controller import go_to

        if place is not None:
            self.session.is_running = False
            go_to(self.session.timeline, place)
            self.session.mode = Mode.STEP

    def go_to_backup(self, place: TapePosition | None, entry: int) -> None:
        """Go to a backup that was chosen from a list, if any, and follow its entry there."""
        if place is not None:
            self.session.timeline.go_to_place(place)
            searches.select_entry(self.session, entry)

    def go_to_log_line(self, above: int) -> bool:
        """Go to an event so many lines above the last one of the log; False where none is there."""
        session = self.session
        is_event = above < len(session.timeline.events_so_far())
        if session.mode not in (Mode.WATCH, Mode.STEP) or not is_event:
            return False
        session.is_running = False
        session.timeline.seek(session.timeline.row - above + 1)
        return True

    def go_to(self) -> Outcome:
        """Ask for the game, game.ply or address to go to."""
        question = stepping.go_to(self.session)
        return question if isinstance(question, Message) else self._or_address(question)

    def open(self) -> Outcome:
        """Ask which saved run to resume, or which address to open."""
        return self._or_address(self.saved.open(self.resume))

    def _or_address(self, question: Question) -> Question:
        """The same question, which an address answers too."""

        def answer(text: str) -> Outcome:
            return self.open_address(text) if is_address(text) else question.answer(text)

        return question._replace(answer=answer)

    def address(self) -> Outcome:
        """Copy the address of the run and the place."""
        from tui.lab.addresses import session_address

        try:
            return Copy(str(session_address(self.session)))
        except UsageError as error:
            return refusal(sentence(error))

    def open_address(self, text: str) -> Outcome:
        """Open an address; the current run is saved before. Files of its players may follow it."""
        from learners.addresses.opening import PlayerFiles
        from tui.lab.addresses import opening

        self.leave_training()
        self.session.is_running = False
        word, *paths = text.split()
        self.named = (*self.named, *paths)
        return opening(self.session, word, PlayerFiles(self.named), self.take_address)

    def take_address(self, opened: OpenedAddress, mode: Mode | None = None) -> Outcome:
        """Look at the run of an address, and at what would have been, if that is asked."""
        self.leave_run()
        self.session.look_at(opened, mode)
        if self.autosave is not None:
            self.autosave.wait_for_change(self.session)
        if opened.what_if is not None and opened.address.what_if is not None:
            player = opened.address.what_if[0].upper()
            return searches.replay_as(self.session, player, opened.what_if)
        return Message(opened.warning) if opened.warning else None

    def step_aside(self) -> None:
        """Leave the lecture that is followed, until `lecture`."""
        if self.follower is not None and not self.follower.is_aside:
            self.follower.is_aside = True
            self.session.follows = self.follower.words

    def lecture(self) -> Outcome:
        """Come back to the lecture; or go on to its next place without waiting."""
        follower = self.follower
        if follower is None:
            return refusal("No lecture is followed: afterstate follow FILE follows one.")
        if not follower.is_aside:
            follower.skip()
            return self.follow()
        follower.is_aside = False
        self.session.follows = follower.words
        return None if follower.stop is None else self.go_to_stop(follower.stop)

    def follow(self) -> Outcome:
        """Go where the lecture is by now; None where that is the place before.

        A message of what is said there may be empty.
        """
        follower = self.follower
        if follower is None:
            return None
        stop, wrong = follower.advance()
        if follower.is_aside:
            return None
        if stop is not None:
            return self.go_to_stop(stop)
        return refusal(sentence(wrong)) if wrong else None

    def go_to_stop(self, stop: LectureStop) -> Outcome:
        """Go to a place of the lecture."""
        from learners.addresses.opening import PlayerFiles
        from tui.lab.addresses import opening_stop

        self.leave_training()

        def take(opened: OpenedAddress) -> Outcome:
            if self.follower is None or self.follower.is_aside:
                return None
            outcome = self.take_address(opened, Mode(stop.mode) if stop.mode else None)
            self.session.follows = self.follower.words
            return Message(stop.remark) if outcome is None else outcome

        return opening_stop(self.session, stop.address, PlayerFiles(self.named), take)

    def remark(self) -> Outcome:
        """Ask for a remark to record with the place."""
        if self.recorder is None:
            return refusal("Nothing is recorded here: afterstate --record FILE records a lecture.")
        return Question(
            "remark",
            "what those who follow are told here",
            self._remark,
            usage="remark TEXT: those who follow are told it here.",
        )

    def _remark(self, text: str) -> Outcome:
        assert self.recorder is not None
        if self.recorder.remark(self.session, text):
            return refusal(sentence(self.recorder.trouble))
        return Message("Recorded.")

    def runs(self) -> Outcome:
        """List the saved runs."""
        self.capture(at_once=True)
        return Open(Screen.RUNS)

    def go_home(self) -> Outcome:
        """Go home; a training goes on meanwhile, and a game waits."""
        if self.lazy.is_started:
            self.session.is_running = False
        return Open(Screen.HOME)

    def open_run(self, info: RunInfo) -> Outcome:
        """Resume a saved run; the current one is saved before."""
        self.leave_training()
        self.session.is_running = False
        if self.saved.open_id == info.id:
            return refusal(f"{info.name} is open.")
        self.capture(at_once=True)
        return self.saved.load(info.id, self.resume)

    def resume(self, loaded: LoadedRun | str) -> Outcome:
        """Resume a run that was read, or say why it cannot be."""
        if isinstance(loaded, str):
            return Message(loaded, MessageKind.LOG)
        self.leave_run()
        self.session.resume(loaded)
        if self.autosave is not None:
            self.autosave.adopt(loaded.run, loaded.stored)
            self.autosave.note_as_saved(self.session)
        return Message(opened_sentence(loaded))

    def tour(self) -> Outcome:
        """Begin the tour, or end the lesson that goes on."""
        return self.begin_lesson("tour") if self.guide is None else self.end_tour()

    def begin_lesson(self, lesson: Lesson | str, step: int = 0) -> Outcome:
        """Begin a lesson, in a run of its own.

        Args:
            lesson: the lesson, or the name of one of the package.
            step: the number of the step, from 0.
        """
        from tui.lab.lessons.guide import LessonGuide
        from tui.lab.lessons.lesson_file import packaged_lesson

        if isinstance(lesson, str):
            lesson = packaged_lesson(lesson)
        was_played = self.lazy.is_started and is_worth_saving(self.lazy.session)
        self.guide = LessonGuide(lesson, self.lazy)
        outcome = self._turn_lesson(step)
        if outcome is not None or not was_played or self.autosave is None:
            return outcome
        return Message(f"A run of the lesson; yours is saved, {command_key('runs')} lists it.")

    def end_tour(self) -> Outcome:
        """End the lesson that goes on."""
        if self.guide is None:
            return self._turn_lesson(0)
        self.guide = None
        return None

    def lesson(self) -> Outcome:
        """Turn to the next step of the lesson; where none goes on, list the lessons."""
        return self.lessons() if self.guide is None else self._turn_lesson(1)

    def lesson_back(self) -> Outcome:
        """Turn to the step before."""
        return self._turn_lesson(-1)

    def lessons(self) -> Outcome:
        return Open(Screen.LESSONS)

    def _turn_lesson(self, by: int) -> Outcome:
        guide = self.guide
        if guide is None:
            return refusal(f"No lesson goes on: {command_key('tour')} begins the tour.")
        guide.turn_to(guide.number + by)
        if self.autosave is not None:
            from tui.lab.lessons.progress import keep_progress

            keep_progress(guide.lesson.name, guide.number + 1)
        address = guide.step.address
        if address is None or (address.games == 0 and self._is_untouched(address)):
            return self._begin_step()
        from learners.addresses.opening import PlayerFiles
        from tui.lab.addresses import opening_stop

        self.leave_training()
        number = guide.number

        def take(opened: OpenedAddress) -> Outcome:
            if self.guide is not guide or guide.number != number:
                return None
            outcome = self.take_address(opened)
            return self._begin_step() or outcome

        return opening_stop(self.session, address, PlayerFiles(self.named), take)

    def _is_untouched(self, address: Address) -> bool:
        """Whether the lab has the run of an address, and nothing was done in it."""
        lazy = self.lazy
        settings = lazy.session.settings if lazy.is_started else lazy.settings
        mine = (str(settings.x), str(settings.o), settings.seed)
        is_same = mine == (address.x, address.o, address.seed) and lazy.mode is not Mode.PLAY
        return is_same and not (
            lazy.is_started and (lazy.session.run.games or lazy.session.timeline.recording.size)
        )

    def _begin_step(self) -> Outcome:
        guide = self.guide
        assert guide is not None
        guide.begin()
        if self.recorder is not None:
            self.recorder.remark(self.session, f"{guide.step.title}: {guide.text}")
        return None

    def answer(self) -> Outcome:
        """Ask for the answer to the question of the lesson."""
        guide = self.guide
        if guide is None or not guide.step.ask:
            return refusal("Nothing is asked here: the questions of lessons are answered so.")
        return Question(
            "answer", guide.step.ask, guide.take_answer, usage=f"{guide.step.ask}: answer ..."
        )


def nothing(controller: LabController) -> Outcome:
    """For a command that only tells something in plain mode: the screen shows it all the time."""
    return None


def on_session(command: Callable[[Session], Outcome]) -> Callable[[LabController], Outcome]:
    """A command that needs nothing but the session."""
    return lambda lab: command(lab.session)


def opening(screen: Screen) -> Callable[[LabController], Outcome]:
    """A command that opens a screen and does nothing else."""
    return lambda lab: Open(screen)


SUBJECTS: Final = (stepping.METHODS, playing.METHODS, searches.METHODS)

METHODS: Final[Mapping[str, Callable[[LabController], Outcome]]] = {
    **dict.fromkeys(("equation", "values", "exact", "stats", "more", "where", "again"), nothing),
    **{command.name: opening(command.opens) for command in COMMANDS if command.opens is not None},
    **{name: on_session(method) for methods in SUBJECTS for name, method in methods.items()},
    "run": LabController.run,
    "stop": LabController.stop,
    "faster": LabController.faster,
    "slower": LabController.slower,
    "move_back": LabController.move_back,
    "watch_move": LabController.watch_move,
    "one_event": LabController.one_event,
    "event_back": LabController.event_back,
    "game_back": LabController.game_back,
    "game": LabController.game,
    "unselect": LabController.unselect,
    "go_to": LabController.go_to,
    "film": lambda lab: lab.film("film"),
    "marks": lambda lab: lab.film("marks"),
    "next_mark": lambda lab: lab.film("next_mark"),
    "mark_back": lambda lab: lab.film("mark_back"),
    "give_up": LabController.give_up,
    "quiz": LabController.quiz,
    "end_quiz": LabController.end_quiz,
    "matchbox": LabController.matchbox,
    "difference": lambda lab: lab.difference(1),
    "difference_back": lambda lab: lab.difference(-1),
    "refutation": LabController.refutation,
    "refutation_x": lambda lab: lab.refutation(Side.X),
    "refutation_o": lambda lab: lab.refutation(Side.O),
    "cell": LabController.cell,
    "review": LabController.review,
    "keypad": LabController.keypad,
    "show": LabController.show,
    "scroll_up": LabController.scroll_up,
    "scroll_down": LabController.scroll_down,
    "step_through": LabController.step,
    "watch_game": LabController.watch_game,
    "play": LabController.play,
    "watch": LabController.watch,
    "step": LabController.step,
    "train": LabController.train,
    "setup": LabController.setup,
    "runs": LabController.runs,
    "open": LabController.open,
    "address": LabController.address,
    "lecture": LabController.lecture,
    "remark": LabController.remark,
    "save": lambda lab: lab.saved.save(),
    "compare": lambda lab: lab.saved.compare(),
    "note": lambda lab: lab.saved.note(),
    "delete": lambda lab: lab.saved.delete(),
    "restore": lambda lab: lab.saved.restore(),
    "answer": LabController.answer,
    "tour": LabController.tour,
    "lesson_back": LabController.lesson_back,
    "lesson": LabController.lesson,
    "lessons": LabController.lessons,
    "end_tour": LabController.end_tour,
    "theme": lambda lab: Request.THEME,
    "meter": lambda lab: Request.METER,
    "zoom": lambda lab: Request.ZOOM,
    "next_pane": lambda lab: Request.NEXT_PANE,
    "go_home": LabController.go_home,
    "quit": lambda lab: Request.QUIT,
}
"""What each command does."""

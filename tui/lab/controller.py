"""Every command of the lab, once, without a screen: it acts on the session and returns an outcome.

The screen maps a key, plain mode a word, to a command of `tui.lab.commands`; `METHODS` maps the
command to what it does: what needs the session alone has its line in the file of its subject
(`stepping`, `playing`, `searches`), all else at the end of this one. Both front ends
then show the outcome. Light: the engine comes with the session.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import shown
from afterstate_lab.learners.runs import is_address
from afterstate_lab.tui.lab import playing, refuting, searches, stepping
from afterstate_lab.tui.lab.commands import COMMANDS, Screen
from afterstate_lab.tui.lab.current_run import CurrentRun
from afterstate_lab.tui.lab.goal import gave_up, goal_of
from afterstate_lab.tui.lab.modes import Help, Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    Message,
    MessageKind,
    Open,
    Outcome,
    Question,
    Request,
    Train,
    command_key,
    refusal,
)
from afterstate_lab.tui.lab.resume_hint import games_text
from afterstate_lab.tui.lab.saved_runs import SavedRuns
from afterstate_lab.tui.lab.scripts.guide import Lessons, Walkthroughs

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.lab.lazy_session import LazySession
    from afterstate_lab.tui.lab.session import Session
    from afterstate_lab.tui.lab.what_if import Lockstep

KEYPAD: Final = (6, 7, 8, 3, 4, 5, 0, 1, 2)
"""The cell of each digit 1-9 where the digits lie as on a keypad."""
SHOWS: Final = {"values": Help.VALUES, "exact": Help.EXACT, "none": Help.OFF}
"""What plain mode can tell before the other side moves, and what the board calls it."""
RECENT: Final = 50
"""Commands that a report of a failure names."""
SCROLLED: Final = 5
"""Lines of the log that a key scrolls."""


STAYS: Final = frozenset(
    ("lecture", "remark", "address", "help", "theme", "scroll_up", "scroll_down", "quit")
)
"""Commands that leave a walkthrough where it is."""


class LabController:
    """The commands of a lab.

    Args:
        lazy: the session, from the first command on.
        autosave: saves it; None saves nothing.
    """

    def __init__(self, lazy: LazySession, autosave: Autosave | None = None) -> None:
        self.lazy = lazy
        self.current = CurrentRun(lazy, autosave)
        self.saved = SavedRuns(self.current)
        self.lessons = Lessons(self.current)
        self.lectures = Walkthroughs(self.current)
        self.experiments: Any = None
        """The state of their page, once it was opened: they continue behind other pages."""
        self.current_quiz: Any = None
        """The quiz that goes on in plain mode."""
        self.lockstep: Lockstep | None = None
        """The two games whose differences plain mode tells."""
        self.log_offset = 0
        """Lines by which the log is scrolled back."""
        self.shows = "values"
        """What plain mode tells before the other side moves."""
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
            self.lectures.step_aside()
        if self.lazy.is_started:
            self.session.clear_messages()
            film = self.session.film
            if film is not None and film.is_playing:
                film.is_playing = False
                if name in ("run", "film", "give_up"):
                    return None
        return METHODS[name](self)

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
        games = games_text(last.unbeatable_after or session.run.games)
        said = f"Unbeatable after {games}: proved, not sampled."
        return Message(f"{said} {command_key('play')} tries it.", MessageKind.LOG)

    def stop(self) -> Outcome:
        """End a training; without one, watch."""
        if self.session.training is None:
            return self.watch()
        self.session.training.stop()
        return None

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

    def clicked(self, name: str, *given: Any) -> Outcome:
        """Do what a digit or a click asks for: a cell, a line of the log, a part of the film."""
        self.lectures.step_aside()
        if name == "cell":
            return self.press_digit(int(given[0]))
        if name == "mark cell":
            return playing.mark_cell(self.session, *given)
        if name == "film part":
            from afterstate_lab.tui.lab.film import go_to_part

            go_to_part(self.session, *given)
        elif name == "log line":
            self.go_to_log_line(*given)
        return None

    def press_digit(self, digit: int) -> Outcome:
        """Mark the cell of a digit key, 1 to 9."""
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
        self.current.leave_training()
        self.session.is_running = False
        if self.session.waits and self.session.mode is not Mode.PLAY:
            return playing.return_to_game(self.session)
        return playing.new_game(self.session)

    def watch(self) -> Outcome:
        """Watch the two players."""
        self.current.leave_training()
        self.session.leave_seat()
        self.session.mode = Mode.WATCH
        return None

    def step(self) -> Outcome:
        """Step through what is learned; where nothing was played, play what there is to see."""
        self.current.leave_training()
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

    def set_up(self, settings: Settings | None) -> Outcome:
        """Begin a new run with the settings that were chosen on a page, if any were."""
        return None if settings is None else self.current.set_up(settings)

    def setup(self) -> Outcome:
        """Choose players, options and seed."""
        self.current.leave_training()
        self.session.is_running = False
        return Open(Screen.SETUP, self.session.settings)

    def refutation(self, side: Side | None = None) -> Outcome:
        """Show the game that beats a player: this one, or the one that can be beaten."""
        self.current.leave_training()
        self.session.is_running = False
        if side is None:
            return refuting.refutation(self.session, self.current.show_game)
        return refuting.refutation_of(self.session, side, self.current.show_game)

    def quiz(self) -> Outcome:
        """Ask about the games of the run."""
        from afterstate_lab.tui.lab.quiz import ask_quiz

        self.current.leave_training()
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

    def film(self, name: str) -> Outcome:
        """Play the film of the run, tell its marks, or go to one."""
        from afterstate_lab.tui.lab import film

        asked: Callable[[Session], Outcome] = getattr(film, name)
        return asked(self.session)

    def review(self) -> Outcome:
        """Review the person's game that is looked at."""
        from afterstate_lab.tui.lab.review import review

        return review(self.session)

    def matchbox(self) -> Outcome:
        """Show the matchboxes of the game that is looked at."""
        from afterstate_lab.tui.lab.matchbox import matchbox

        self.session.is_running = False
        return matchbox(self.session)

    def difference(self, by: int) -> Outcome:
        """Tell the next difference of a what-if (1), or the one before (-1)."""
        from afterstate_lab.tui.lab.what_if import NO_FURTHER, Lockstep

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
        if place is not None:
            self.session.is_running = False
            stepping.go_to_event(self.session.timeline, place)
            self.session.mode = Mode.STEP

    def go_to_backup(self, entry: int, place: TapePosition | None) -> None:
        """Go to a backup that was chosen from a list, if any, and follow its entry there."""
        if place is not None:
            self.session.timeline.go_to_place(place)
            searches.select_entry(self.session, entry)

    def go_to_log_line(self, number: int, lines: int) -> bool:
        """Go to what a line of the log is about, of so many; False where it is about no place.

        The log may have changed since the line was pointed at.
        """
        from afterstate_lab.tui.lab.film import at_mark, played_film

        session = self.session
        if (film := played_film(session)) is not None:
            found = film.marks.in_order[number : number + 1]
            if found:
                session.say(at_mark(session, film, *found))
            return bool(found)
        above = lines - 1 - number
        is_event = 0 <= above < len(session.timeline.events_so_far())
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
        return self._or_address(self.saved.open())

    def _or_address(self, question: Question) -> Question:
        """The same question, which an address answers too."""

        def answer(text: str) -> Outcome:
            return self.current.open_address(text) if is_address(text) else question.answer(text)

        return question._replace(answer=answer)

    def runs(self) -> Outcome:
        """List the saved runs."""
        self.current.capture(at_once=True)
        return Open(Screen.RUNS)

    def go_home(self) -> Outcome:
        """Go home; a training goes on meanwhile, and a game waits."""
        if self.lazy.is_started:
            self.session.is_running = False
        return Open(Screen.HOME)


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
    **dict.fromkeys(
        ("equation", "values", "exact", "stats", "more", "own_game", "where", "again"), nothing
    ),
    **{command.name: opening(command.opens) for command in COMMANDS if command.opens is not None},
    **{name: on_session(method) for methods in SUBJECTS for name, method in methods.items()},
    "run": LabController.run,
    "stop": LabController.stop,
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
    "play": LabController.play,
    "watch": LabController.watch,
    "step": LabController.step,
    "train": LabController.train,
    "setup": LabController.setup,
    "runs": LabController.runs,
    "open": LabController.open,
    "address": lambda lab: lab.current.address(),
    "lecture": lambda lab: lab.lectures.come_back(),
    "remark": lambda lab: lab.lectures.remark(),
    "answer": lambda lab: lab.lessons.answer(),
    "tour": lambda lab: lab.lessons.tour(),
    "lesson": lambda lab: lab.lessons.next(),
    "lessons": opening(Screen.LESSONS),
    "lesson_back": lambda lab: lab.lessons.turn(-1),
    "end_tour": lambda lab: lab.lessons.end(),
    "save": lambda lab: lab.saved.save(),
    "compare": lambda lab: lab.saved.compare(),
    "note": lambda lab: lab.saved.note(),
    "delete": lambda lab: lab.saved.delete(),
    "restore": lambda lab: lab.saved.restore(),
    "theme": lambda lab: Request.THEME,
    "zoom": lambda lab: Request.ZOOM,
    "next_pane": lambda lab: Request.NEXT_PANE,
    "go_home": LabController.go_home,
    "quit": lambda lab: Request.QUIT,
}
"""What each command does."""

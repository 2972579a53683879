"""What each command of the lab does; the screen shows what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from game import IllegalMoveError
from tui.lab.goal import goal_of
from tui.lab.lazy_session import Opening
from tui.lab.modes import Mode, Settings

if TYPE_CHECKING:
    from textual.app import App

    from learners.tape.events import Backup
    from learners.tape.recording import TapePosition
    from learners.training import Goal
    from tui.lab.experiments.controller import ExperimentsController
    from tui.lab.session import Session
    from tui.screens.lab_panes import LabPanes

KEYPAD = (6, 7, 8, 3, 4, 5, 0, 1, 2)
"""The cell of each digit 1-9 where the digits lie as on a keypad."""


class Asking:
    """The commands, one method each, by the names in `tui.lab.commands`."""

    opening: Opening
    panes: LabPanes
    offset_of_log: int
    app: App[Any]
    keep: Any
    """Saves what has happened."""
    experiments: ExperimentsController | None = None
    """The experiments, from when they are first looked at."""
    uses_keypad = False

    @property
    def session(self) -> Session:
        """What goes on."""
        raise NotImplementedError

    def start_training(self, goal: Goal) -> None:
        """Train in the background."""
        raise NotImplementedError

    def leave_training(self) -> None:
        """End a training before another mode begins; what was learned stays."""
        if self.opening.is_over and self.session.training is not None:
            self.session.training.stop()
            self.session.training.wait()
            self.session.end_training()

    def leave_run(self) -> None:
        """End and save what goes on in the run of now: another one takes its place.

        A training can have begun while the other one was being chosen or read.
        """
        self.leave_training()
        self.keep(at_once=True)

    def ask_run(self) -> None:
        training = self.session.training
        if self.session.mode is Mode.WATCH:
            self.session.is_running = not self.session.is_running
        elif training is None:
            self.ask_train()
        elif self.session.snapshot is not None and training.is_paused:
            training.resume()
        else:
            training.pause()

    def ask_stop(self) -> None:
        if self.session.training is not None:
            self.session.training.stop()
        else:
            self.ask_watch()

    def ask_faster(self) -> None:
        self.session.faster(1)

    def ask_slower(self) -> None:
        self.session.faster(-1)

    def ask_one_event(self) -> None:
        self.session.is_running = False
        self.session.watch_event()

    def moved(self, moved: bool, edge: str) -> None:
        """Say so where the tape goes no further."""
        if not moved:
            self.session.note = f"This is the {edge} of the tape."

    def ask_phase(self) -> None:
        backup = self.session.backup_to_predict
        if backup is not None:
            self.ask_for_a_prediction(backup)
            return
        self.moved(self.session.timeline.step_phase(), "end")

    def ask_for_a_prediction(self, event: Backup) -> None:
        """Let the user say what will be written, before it is shown."""

        def answer(text: str) -> str:
            said = self.session.predictions.judge(text, event.old, event.new)
            if said is None:
                return "a number such as .42, or + for more, - for less, = for the same"
            self.session.timeline.step_phase()
            self.session.note = said
            self.redraw()
            return ""

        self.question("predict", "the value to be written, or +, - or =", answer)

    def question(
        self, title: str, hint: str, answer: Callable[[str], str], value: str = ""
    ) -> None:
        """Ask for one line."""
        from tui.screens.ask import Ask

        look, card = self.panes.keys.look, self.panes.rows_of_tour
        self.app.push_screen(Ask(title, hint, answer, value=value, look=look, above=card))

    def ask_predict(self) -> None:
        predictions = self.session.predictions
        predictions.wanted = not predictions.wanted
        self.session.note = (
            "You are asked before every write." if predictions.wanted else "No more predictions."
        )

    def ask_fork(self) -> None:
        def answer(text: str) -> str:
            if text.strip() not in list("123456789"):
                return "a cell from 1 to 9"
            try:
                self.session.fork(int(text) - 1)
            except IllegalMoveError as error:
                return str(error)
            self.session.note = "A line of its own; F goes back to the old one."
            self.redraw()
            return ""

        self.question("fork", "the cell to mark instead, 1 to 9", answer)

    def ask_other_line(self) -> None:
        if not self.session.other_line():
            self.session.note = "There is no other line; f forks one."

    def ask_phase_back(self) -> None:
        self.moved(self.session.timeline.step_phase_back(), "start")

    def ask_event(self) -> None:
        self.moved(self.session.timeline.step(), "end")

    def ask_event_back(self) -> None:
        self.moved(self.session.timeline.step_back(), "start")

    def ask_game(self) -> None:
        self.moved(self.session.timeline.next_game(), "end")

    def ask_game_back(self) -> None:
        self.moved(self.session.timeline.previous_game(), "start")

    def ask_home(self) -> None:
        if self.session.run.games:
            self.session.timeline.go_to(0)

    def ask_end(self) -> None:
        if self.session.run.games:
            self.session.timeline.go_to(self.session.run.games - 1, at_end=True)

    def ask_go_to(self) -> None:
        self.session.is_running = False
        games = max(1, self.session.run.games)
        self.question("go to", f"a game from 1 to {games:,}, or game.ply", self.go_to)

    def go_to(self, text: str) -> str:
        """Go to the game, or game.ply, that a user typed; the sentence that says what is wrong."""
        game, _, ply = text.replace(",", "").partition(".")
        try:
            number = int(game) - 1
            if ply:
                self.session.timeline.go_to_ply(number, int(ply))
            else:
                self.session.timeline.go_to(number)
        except ValueError:
            return "a number such as 424, or 424.5 for its fifth move"
        except IndexError as error:
            return str(error)
        self.session.note = ""
        self.redraw()
        return ""

    def redraw(self) -> None:
        """Show the session as it is."""
        raise NotImplementedError

    def ask_cell(self, key: str) -> None:
        if not key:
            self.session.note = "A digit from 1 to 9 marks a cell, and so does a click on it."
            return
        digit = int(key) - 1
        self.play_cell(KEYPAD[digit] if self.uses_keypad else digit)

    def play_cell(self, cell: int) -> None:
        """Mark a cell for the person who plays."""
        try:
            self.session.move(cell)
        except IllegalMoveError as error:
            self.session.note = str(error)

    def move_cursor(self, columns: int, rows: int) -> None:
        """Choose another cell with the arrow keys."""
        at = 4 if self.session.cursor is None else self.session.cursor
        row, column = divmod(at, 3)
        if self.session.cursor is not None:
            row, column = (row + rows) % 3, (column + columns) % 3
        self.session.cursor = 3 * row + column

    def ask_cursor_left(self) -> None:
        self.move_cursor(-1, 0)

    def ask_cursor_right(self) -> None:
        self.move_cursor(1, 0)

    def ask_cursor_up(self) -> None:
        self.move_cursor(0, -1)

    def ask_cursor_down(self) -> None:
        self.move_cursor(0, 1)

    def ask_mark(self) -> None:
        if self.session.game_goes_on and self.session.cursor is not None:
            self.play_cell(self.session.cursor)
        elif not self.session.game_goes_on:
            self.session.new_game()

    def ask_keypad(self) -> None:
        self.uses_keypad = not self.uses_keypad
        self.session.note = (
            "The digits lie as on a keypad: 7 8 9 above." if self.uses_keypad
            else "The digits lie as on a phone: 1 2 3 above."
        )  # fmt: skip

    def ask_take_back(self) -> None:
        if not self.session.take_back():
            self.session.note = "There is no move of yours to take back."

    def ask_new_game(self) -> None:
        self.session.new_game()

    def ask_swap(self) -> None:
        self.session.swap_sides()

    def ask_help_level(self) -> None:
        self.session.help = self.session.help.next()
        self.session.note = f"Help: {self.session.help.value}."

    def ask_learning(self) -> None:
        self.session.toggle_learning()
        does = "learns from your games" if self.session.learner_learns else "is frozen"
        when = ", from the next game on" if self.session.script else ""
        self.session.note = f"The learner {does}{when}."

    def ask_scroll_up(self) -> None:
        self.offset_of_log += 5

    def ask_scroll_down(self) -> None:
        self.offset_of_log = max(0, self.offset_of_log - 5)

    def ask_play(self) -> None:
        self.leave_training()
        self.session.is_running = False
        self.session.new_game()

    def ask_watch(self) -> None:
        self.leave_training()
        self.session.stand_up()
        self.session.mode = Mode.WATCH

    def ask_step(self) -> None:
        self.leave_training()
        self.session.is_running = False
        self.session.look_closely()

    def ask_train(self) -> None:
        if self.session.is_training:
            return
        self.session.is_running = False
        hint = "how many games: 20000, 100k, 1m; or unbeatable"
        self.question("train", hint, self.train_for, "100k")
        self.load_compiler()

    def train_for(self, text: str) -> str:
        """Train for as long as a user typed; the sentence that says what is wrong."""
        goal = goal_of(text)
        if goal is None:
            return "a number of games such as 20000, 100k or 1m, or the word unbeatable"
        self.start_training(goal)
        return ""

    def ask_setup(self) -> None:
        from tui.screens.setup import SetupScreen

        self.leave_training()
        self.session.is_running = False
        self.app.push_screen(
            SetupScreen(self.session.settings, look=self.panes.keys.look), self.set_up
        )

    def set_up(self, settings: Settings | None) -> None:
        """Begin a new run with the settings that were chosen."""
        if settings is not None:
            self.leave_run()
            self.session.start(settings)
            self.redraw()

    def load_compiler(self) -> Any:
        """Make the kernel for the players of now."""
        raise NotImplementedError

    def keep_time(self) -> None:
        """Run the clocks that the session needs now."""
        raise NotImplementedError

    def ask_table(self) -> None:
        from tui.screens.table import TableScreen

        self.app.push_screen(TableScreen(self.session, self.panes.keys.look), self.show_history)

    def show_history(self, place: TapePosition | None) -> None:
        """Step from the last write of an entry that was chosen in the table."""
        from tui.lab.table.controller import go_to

        if place is not None:
            self.session.is_running = False
            go_to(self.session.timeline, place)
            self.session.mode = Mode.STEP
        self.keep_time()
        self.redraw()

    def ask_experiments(self) -> None:
        from tui.lab.experiments.controller import ExperimentsController
        from tui.screens.experiments import ExperimentsScreen

        self.experiments = self.experiments or ExperimentsController()
        self.app.push_screen(
            ExperimentsScreen(self.experiments, self.panes.keys.look), self.open_arm
        )

    def open_arm(self, settings: Settings | None) -> None:
        """Begin a new run with the players of an arm that was chosen in the experiments."""
        if settings is not None:
            self.set_up(settings)
            self.keep_time()

    def ask_theme(self) -> None:
        app: Any = self.app
        app.toggle_light()
        self.panes.wear(app.look)

    def ask_help(self) -> None:
        from tui.screens.help import HelpScreen, help_view

        self.app.push_screen(HelpScreen(help_view(self.session.mode), self.panes.keys.look))

    def ask_quit(self) -> None:
        app: Any = self.app
        app.leave()

"""The quiz: a board, a question, and what came of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.widget import Widget

from learners.ask.questions import QuizAnswers
from learners.tape.recording import TapePosition
from tui.lab.commands import Command
from tui.lab.list_commands import QUIZ_COMMANDS
from tui.lab.quiz_controller import QuizController
from tui.screens.base import RunScreen
from tui.screens.list_screen import ListScreen
from tui.theme.look import Look
from tui.views.lab import ModeView
from tui.widgets.block_pane import BlockPane
from tui.widgets.quiz_pane import QuizPane

if TYPE_CHECKING:
    from tui.screens.lab import LabScreen


class QuizScreen(RunScreen, ListScreen[TapePosition | None]):
    """Asks one question after the other; nothing else is shown that could tell.

    Args:
        answers: the quiz.
        look: colours and characters.
    """

    commands = QUIZ_COMMANDS
    help_title = "quiz"

    def __init__(self, answers: QuizAnswers, look: Look) -> None:
        self.controller = QuizController(answers)
        super().__init__(self.controller, look)
        self._board = BlockPane(look=look)
        self._question = QuizPane(look=look)

    @property
    def available(self) -> Sequence[Command]:
        """The commands of the question, or of one that is answered."""
        return self.controller.available

    def panes(self) -> Iterator[Widget]:
        """The board beside the question."""
        yield Container(self._board, self._question, classes="row")

    def lay_out(self, columns: int, rows: int) -> None:
        """The board has a third, and the height that goes with it."""
        width = columns // 3
        self._board.styles.width = width
        self._board.styles.height = min(rows, width * 9 // 20 + 4)

    def draw(self, columns: int, rows: int) -> None:
        """The question that is asked, or the score."""
        answers, controller = self.controller.answers, self.controller
        fields = [
            ("question", f"{min(controller.number, len(answers.questions))}"),
            ("score", f"{answers.score:.1f}"),
            ("streak", str(answers.streak)),
        ]
        self.mode_line.view = ModeView("QUIZ", fields=tuple(fields), status=controller.note)
        self._board.view = controller.board_view()
        self._question.view = controller.view()

    def on_quiz_pane_choice_clicked(self, message: QuizPane.ChoiceClicked) -> None:
        """A choice was clicked: it is the answer."""
        if self.controller.told is None:
            self.controller.choose(message.number)
            self.action_perform("answer")


def open_on(lab: LabScreen, answers: QuizAnswers) -> None:
    lab.app.push_screen(QuizScreen(answers, lab.look), lab.taking(lab.controller.step_to))

"""What plain mode is made of, each part made when it is first needed: it starts at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tui.lab.modes import Mode
from tui.plain.pages import Pages
from tui.plain.playing import Playing
from tui.plain.saved import Saved
from tui.plain.session import PlainSession

if TYPE_CHECKING:
    from learners.tape.run import Run
    from tui.lab.autosave import Keeper
    from tui.plain.entries import Entries
    from tui.plain.progress_reporter import Tell
    from tui.plain.runs import Filing
    from tui.plain.searching import Searching
    from tui.plain.stepping import Stepping
    from tui.plain.tour import Touring
    from tui.plain.training import Trainer
    from tui.plain.what_if import Supposing

ANSWERS: Final = {
    "undo": "playing.take_back",
    "swap": "playing.swap_sides",
    "values": "here.values",
    "exact": "here.exact",
    "show": "playing.show",
    "learning": "playing.learning",
    "next": "stepping.forth",
    "back": "stepping.back",
    "go": "stepping.go",
    "break": "searching.breakpoint",
    "continue": "searching.onwards",
    "reverse": "searching.backwards",
    "writer": "searching.writer",
    "why": "searching.why",
    "equation": "stepping.equation",
    "predict": "supposing.predict",
    "whatif": "supposing.what_if",
    "fork": "stepping.fork",
    "line": "stepping.line",
    "step": "stepping.step",
    "watch": "stepping.watch",
    "train": "trainer.train",
    "stats": "stepping.stats",
    "table": "entries.table",
    "more": "pages.more",
    "runs": "saved.runs",
    "save": "saved.save",
    "compare": "filing.compare",
    "note": "filing.note",
    "delete": "filing.delete",
    "restore": "filing.restore",
}
"""By the command's word, the part that answers it and its method; the rest the dialogue does."""

Answer = Callable[[str], list[str]]


class Concerns:
    """The parts of a dialogue.

    Args:
        run: the run that goes on at first.
        show: what is told before the other side moves.
        keeper: saves what is played; None saves nothing.
        tell: says a line at once.
    """

    def __init__(self, run: Run, show: str, keeper: Keeper | None, tell: Tell) -> None:
        self.session = PlainSession(run)
        self.pages = Pages()
        self.playing = Playing(self.session, show)
        self.saved = Saved(self.session, keeper, self.pages)
        self._tell = tell

    @property
    def here(self) -> Playing | Stepping:
        """What tells of the board that is looked at."""
        return self.stepping if self.session.mode is Mode.STEP else self.playing

    @cached_property
    def stepping(self) -> Stepping:
        """A walk through the run."""
        from tui.plain.stepping import Stepping

        return Stepping(self.session)

    @cached_property
    def searching(self) -> Searching:
        """Searches through the whole run."""
        from tui.plain.searching import Searching

        return Searching(self.session, self.pages, self._tell)

    @cached_property
    def supposing(self) -> Supposing:
        """Predictions, and what would have been."""
        from tui.plain.what_if import Supposing

        return Supposing(self.session, self._tell)

    @cached_property
    def trainer(self) -> Trainer:
        """Training."""
        from tui.plain.training import Trainer

        return Trainer(self.session, self._tell, self._keep)

    @cached_property
    def entries(self) -> Entries:
        """The tables."""
        from tui.plain.entries import Entries

        return Entries(self.session, self.pages)

    @cached_property
    def filing(self) -> Filing:
        """The saved runs, but for opening them."""
        from tui.plain.runs import Filing

        return Filing(self.session, self.saved, self.pages)

    @cached_property
    def touring(self) -> Touring:
        """The tour."""
        from tui.plain.tour import Touring

        return Touring(self.session)

    @property
    def is_touring(self) -> bool:
        """Whether a tour may go on."""
        return "touring" in self.__dict__

    def answer_to(self, word: str) -> Answer:
        """What answers a command."""
        concern, _, method = ANSWERS[word].partition(".")
        answer: Answer = getattr(getattr(self, concern), method)
        return answer

    def _keep(self) -> None:
        for line in self.saved.keep():
            self._tell(line)

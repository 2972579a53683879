"""A page: a title, blocks, and what can be asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Block, Part, Window, leaves
from afterstate_lab.tui.lab.commands import Screen, key_of
from afterstate_lab.tui.lab.outcomes import Message, MessageKind, Work
from afterstate_lab.tui.views.words import Words

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.outcomes import Open, Outcome, Question

PAGES = frozenset(
    {
        Screen.RUNS,
        Screen.COMPARISON,
        Screen.SETUP,
        Screen.TABLE,
        Screen.VALUE,
        Screen.EXPERIMENTS,
        Screen.LESSONS,
        Screen.REVIEW,
        Screen.MATCHBOX,
        Screen.HELP,
        Screen.QUIZ,
        Screen.FILM,
        Screen.WHAT_IF,
        Screen.PROVENANCE,
    }
)
"""What opens as a page: its file in `tui.pages` has `open_on`."""


class Leave(NamedTuple):
    """The page is left, with an answer to whoever opened it."""

    answer: Any = None


@dataclass(frozen=True)
class Key:
    """What can be asked for: by a key, or by its word and what stands behind it.

    `do` returns a sentence, `Copy`, `Work`, `Leave`, another `Key` that is asked first, a page's
    function to open, or nothing. A `UsageError` is a refusal.
    """

    key: str
    word: str
    do: Callable[..., Any]
    help: str = ""
    asks: str = ""
    """What may be typed behind the word; the screen asks for it, and `do` takes it."""
    given: str = ""
    """What stands in the line at first."""
    is_proposal: bool = False
    """Whether that is replaced by the first character that is typed."""
    hidden: bool = False
    """Not told in the footer."""
    signs: str = ""
    """The keys as the footer writes them, where they are not the first one's name."""


def asking(question: Question, then: Callable[[Any], Any] = lambda outcome: outcome) -> Key:
    """A question of the lab as a key that asks for its line; `then` takes what comes of it."""

    def answer(text: str) -> Any:
        outcome = question.answer(text)
        if isinstance(outcome, Message) and outcome.kind is MessageKind.REFUSAL:
            raise UsageError(outcome.named(key_of).text or question.refused(text))
        return then(outcome)

    return Key("", question.title, answer, asks=question.prompt,
               given=question.default, is_proposal=True)  # fmt: skip


BACK = Key("escape q", "back", Leave, "back to the lab")


@dataclass(frozen=True)
class Page:
    """What is shown of a state."""

    name: str
    body: Part
    keys: Sequence[Key] = ()
    title: Sequence[tuple[str, str]] = ()
    """Label and value, the most important first."""
    right: Words = ""
    tabs: Sequence[tuple[str, str]] = ()
    """Keys and names of the pages at its side, its own among them."""
    note: str = ""
    work: Work | None = None
    """What the page still waits for; it is made again when that is done."""
    typing: Typing | None = None
    kept: int = 0
    """Rows at the bottom of the body that neither a note nor a typed line covers."""
    select: Callable[[Any], Any] | None = None
    """Takes what stands behind a number that was clicked."""
    of_run: bool = False
    """Whether it is left when another run takes the place of the one in the lab."""
    blocks: tuple[Block, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(leaves(self.body)))

    @property
    def window(self) -> Window | None:
        """The first window: the arrow keys move in it."""
        return next((block.window for block in self.blocks if block.window is not None), None)


@dataclass(frozen=True)
class Typing:
    """A line that any character begins to type, at the row under the cursor."""

    label: str
    text: str
    """What stands in it."""
    is_open: bool
    begin: Callable[[str], None]
    """Takes the character that began it."""
    type: Callable[[str], None]
    """Takes all that stands in it by now."""


Opened = tuple[Callable[[], Page], "Callable[[Any], Outcome] | None"]
"""What makes a page, and what takes its answer."""


def page_of(lab: LabController, opened: Open) -> Opened:
    """The page that a command opens."""
    module: Any = import_module(f"afterstate_lab.tui.pages.{opened.screen.value}")
    found: Opened = module.open_on(lab, opened.data, opened.text)
    return found

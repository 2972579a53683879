"""A page: a title, blocks, and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.blocks.block import Block, Part, Window, leaves
from afterstate_lab.tui.lab.commands import Screen, key_of
from afterstate_lab.tui.lab.outcomes import Work, is_refusal
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
        Screen.TURN,
    }
)
"""The screens that are pages: their files in `tui.pages` have `open_on`."""


class Leave(NamedTuple):
    """Leaves the page, with an answer to its opener."""

    answer: Any = None


@dataclass(frozen=True)
class Key:
    """A command of a page, by a key or by its word and the text after it.

    `do` returns a sentence, `Copy`, `Work`, `Leave`, another `Key` to ask first, a page's function
    to open, or nothing. A `UsageError` is a refusal.
    """

    key: str
    word: str
    do: Callable[..., Any]
    help: str = ""
    asks: str = ""
    """A prompt for the text after the word, which `do` takes."""
    given: str = ""
    """The initial text of the line."""
    is_proposal: bool = False
    """Whether the first typed character replaces it."""
    hidden: bool = False
    """Whether the footer hides it."""
    signs: str = ""
    """The keys in the footer, if not the first key's name."""


def asking(question: Question, then: Callable[[Any], Any] = lambda outcome: outcome) -> Key:
    """Return a question of the lab as a key; `then` takes its outcome."""

    def answer(text: str) -> Any:
        outcome = question.answer(text)
        if is_refusal(outcome):
            raise UsageError(outcome.named(key_of).text or question.refused(text))
        return then(outcome)

    return Key("", question.title, answer, asks=question.prompt,
               given=question.default, is_proposal=True)  # fmt: skip


BACK = Key("escape q", "back", Leave, "back to the lab")


@dataclass(frozen=True)
class Page:
    """What to show of a state."""

    name: str
    body: Part
    keys: Sequence[Key] = ()
    title: Sequence[tuple[str, str]] = ()
    """Labels and values, the most important first."""
    right: Words = ""
    tabs: Sequence[tuple[str, str]] = ()
    """Keys and names of the pages at its side, its own among them."""
    note: str = ""
    work: Work | None = None
    """Work that the page waits for; the page is made again afterwards."""
    typing: Typing | None = None
    kept: int = 0
    """Rows at the bottom of the body that stay visible."""
    select: Callable[[Any], Any] | None = None
    """Called with the meaning of a clicked number."""
    of_run: bool = False
    """Whether it closes when the lab changes to another run."""
    blocks: tuple[Block, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(leaves(self.body)))

    @property
    def window(self) -> Window | None:
        """The first window, which the arrow keys move."""
        return next((block.window for block in self.blocks if block.window is not None), None)


@dataclass(frozen=True)
class Typing:
    """A line to type, started by any character, at the row under the cursor."""

    label: str
    text: str
    """Its text."""
    is_open: bool
    begin: Callable[[str], None]
    """Called with its first character."""
    type: Callable[[str], None]
    """Called with its whole text."""


Opened = tuple[Callable[[], Page], "Callable[[Any], Outcome] | None"]
"""A page's maker, and the receiver of its answer."""


def page_of(lab: LabController, opened: Open) -> Opened:
    module: Any = import_module(f"afterstate_lab.tui.pages.{opened.screen.value}")
    found: Opened = module.open_on(lab, opened.data, opened.text)
    return found

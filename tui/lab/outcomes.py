"""The outcome of a command: a message, a question, work, a screen to open, an answer.

Controllers return outcomes; the screens and plain mode show them. Light: the first paint needs
them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from afterstate_lab.learners import lean_dataclass

if TYPE_CHECKING:
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.learners.training import Goal


NO_VALUE: Final = "No value is shown here."
GIVEN_UP: Final = "Given up."
MARK: Final = "\0"
"""Encloses the name of a command in a message; user text never has it."""


def command_key(name: str) -> str:
    """Return a mark that a message replaces with a command's key, or its word in plain mode."""
    return f"{MARK}{name}{MARK}"


def with_keys(message: str, names: Callable[[str], str]) -> str:
    """Return a message with commands replaced by their keys or words."""
    pieces = enumerate(message.split(MARK))
    return "".join(names(piece) if place % 2 else piece for place, piece in pieces)


@lean_dataclass
class Key:
    """A command, by a key or by its word and the text after it; a question waits for that text.

    `do` returns an outcome. A `UsageError` leaves the question open.
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
    usage: str = ""
    """What plain mode prints if nothing follows the word."""
    compiles: bool = False
    """Whether the compiler can load while the user thinks."""


def question(
    word: str, asks: str, do: Callable[[str], Outcome], given: str = "", **more: Any
) -> Key:
    """Return a question with a proposed answer."""
    return Key("", word, do, asks=asks, given=given, is_proposal=True, **more)


AGREED: Final = ("y", "yes")
"""What agrees to a question whose proposed answer is one of them."""
REFUSED: Final = ("", "n", "no")
"""What refuses it; plain mode does another line as it does any line."""


class Train(NamedTuple):
    """A training run in the background."""

    goal: Goal


class Work(NamedTuple):
    """Work in a thread; its result is handled like an outcome."""

    do: Callable[[Running], Any]
    after: float = 0.0
    """Seconds without a key before it starts."""
    says: str = ""
    then: Callable[[Any], Any] | None = None
    """Takes the result on the page's thread: only there the state changes."""
    run: Run | None = None
    """The run that it searches: the result is void for another run."""

    def taken(self, result: Any) -> Any:
        return result if self.then is None else self.then(result)


def search(run: Run, title: str, look: Callable[..., Any], found: Callable[[Any], Outcome]) -> Work:
    """Return a search of a run; `look` gets `progress` and `stop`."""
    return Work(lambda stop: look(progress=stop.tell, stop=stop), says=title, then=found, run=run)


class Open(NamedTuple):
    """A page to open; plain mode describes its content."""

    page: str
    """The name of its file in `tui.pages`, which has `open_on`."""
    data: Any = None
    text: str = ""
    """The text after the word that opens it."""


class Copy(str):
    """A text to show, and to copy if the terminal can."""


BAR: Final = 20
Outcome = str | Key | Train | Work | Open | None


def sentence(text: object) -> str:
    """Return a message with a capital and a full stop; file names are unchanged."""
    said = str(text)
    if said.partition(" ")[0].strip(".,:;?!").isalpha():
        said = said[0].upper() + said[1:]
    return said if said.endswith((".", "?", "!", "…")) else f"{said}."


class Running:
    """Work that is running; called, it returns whether to stop.

    Args:
        work: what is done.
        is_asked: whether a key began it, which then waits for its end.
        say: gets the progress in words, if nothing looks at it.
    """

    def __init__(
        self, work: Work, *, is_asked: bool = False, say: Callable[[str], None] = lambda line: None
    ) -> None:
        self.work, self.is_asked, self._say = work, is_asked, say
        self.part = 0.0
        """Progress, 0 to 1."""
        self._looks = 0
        self._stop = threading.Event()
        self._rewinds = 0 if work.run is None else work.run.rewinds

    def __call__(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()

    def tell(self, part: float) -> None:
        self.part = part
        self._say(f"{part:.0%} searched; Ctrl-C gives up.")

    def is_outdated(self, run: Run) -> bool:
        """Return whether another run, or other games, replaced the searched run."""
        return self.work.run is not run or self._rewinds != run.rewinds

    def look(self) -> str:
        """Return the progress; where none is known, a mark that moves with every look."""
        bar, share = "━" * round(BAR * self.part), f"{self.part:.0%}"
        if not self.part:
            self._looks += 1
            bar, share = f"{'━━':·>{2 + self._looks % (BAR - 1)}}", ""
        return f"{self.work.says or 'working'}  {bar:·<{BAR}} {share}  Esc gives up"

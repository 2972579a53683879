"""The desk: the open pages, and the one place where an outcome is taken apart."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from afterstate_lab.tui.lab.outcomes import Key, Open, Running, Train, Work
from afterstate_lab.tui.pages.page import LabController, Leave, Opened, Page


class Sheet:
    """An open page with its note, its question and its work.

    Args:
        make: makes the page of the current state.
    """

    def __init__(self, make: Opened) -> None:
        self.make = make
        self.page: Page | None = None
        self.note = ""
        self.asked: Key | None = None
        """The key whose question is open."""
        self.running: Running | None = None
        self.worker: Any = None
        """The thread of its work, which can be cancelled."""
        self.said: list[tuple[str, ...]] = []
        """What plain mode said of it last."""
        self.row = 0
        """The first row of a table that plain mode printed last."""

    def stop(self) -> None:
        """Stop its work."""
        if self.running is not None:
            self.running.stop()
        if self.worker is not None:
            self.worker.cancel()


class Desk:
    """The open pages; what else is here the screen and plain mode do differently."""

    controller: LabController
    sheets: list[Sheet]
    """The open pages: the lab first, the front page last."""

    @property
    def front(self) -> Sheet:
        return self.sheets[-1]

    def push(self, page: Open | Opened) -> None:
        """Open a page in front; the caller shows it."""
        match page:
            case Open("help"):
                self.help(page.text)
            case Open("explain"):
                self.explain(page.text)
            case Open():
                file: Any = import_module(f"afterstate_lab.tui.pages.{page.page}")
                self.sheets.append(Sheet(file.open_on(self.controller, page.data, page.text)))
            case _:
                self.sheets.append(Sheet(page))

    def tell(self, told: str, sheet: Sheet) -> None:
        """Show a message on a page."""

    def ask(self, question: Key) -> None:
        """Ask a question on the front page."""

    def run(self, work: Work | Train, sheet: Sheet) -> None:
        """Do work of a page, and take its outcome."""

    def help(self, word: str) -> None:
        """Show the help on a word, or on all."""

    def explain(self, asked: str) -> None:
        """Explain what is asked, or what is shown."""


def take(desk: Desk, outcome: Any, sheet: Sheet) -> None:
    """Hand an outcome of a command, a key or work of a page to the desk."""
    match outcome:
        case str():
            desk.tell(outcome, sheet)
        case Key() if outcome.asks:
            desk.ask(outcome)
        case Key():
            take(desk, outcome.do(), sheet)
        case Work() | Train():
            desk.run(outcome, sheet)
        case Leave():
            close(desk, sheet)
            take(desk, outcome.outcome, desk.sheets[-1])
        case Open():
            desk.push(outcome)
        case _ if callable(outcome):
            desk.push(outcome)


def close(desk: Desk, sheet: Sheet) -> None:
    """Close a page, and the pages in front of it; the lab itself stays."""
    at = desk.sheets.index(sheet) if sheet in desk.sheets[1:] else len(desk.sheets)
    for one in desk.sheets[at:]:
        one.stop()
    del desk.sheets[at:]

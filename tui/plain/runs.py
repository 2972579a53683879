"""What is done with saved runs besides opening them: compared, noted, deleted, brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import Board
from learners.errors import UsageError
from learners.files import store_file
from learners.store import Store, compared
from learners.store.listing import checked_note
from tui.plain.sentences import board_words
from tui.plain.speech import figure, sentence

if TYPE_CHECKING:
    from learners.store import Difference, RunComparison
    from tui.plain.pages import Pages
    from tui.plain.saved import Saved
    from tui.plain.session import PlainSession

NOTHING_SAVED = "This run is not saved yet: play or train first."


class Filing:
    """Answers about the saved runs.

    Args:
        session: what goes on.
        saved: knows the run of now and the list told last.
        pages: takes long lists.
    """

    def __init__(self, session: PlainSession, saved: Saved, pages: Pages) -> None:
        self._session = session
        self._saved = saved
        self._pages = pages

    def compare(self, text: str) -> list[str]:
        """The run of now beside a saved one: what differs, and where they disagree most."""
        if not text:
            return ["Compare with which? runs lists them; compare 2 or compare NAME."]
        loaded = self._saved.read(text)
        if isinstance(loaded, str):
            return [loaded]
        found = compared(self._session.run.state(), loaded.run.state())
        heading = [f"Of each two, this run's is first, then that of {loaded.stored.name}."]
        heading += [f"{name}: {ours} and {theirs}." for name, ours, theirs in found.settings]
        if not found.settings:
            heading.append("Both have the same settings.")
        if not found.entries:
            return [*heading, agreement(found)]
        heading.append("Their values differ most here:")
        return self._pages.begin(heading, [entry_words(entry) for entry in found.entries])

    def note(self, text: str) -> list[str]:
        """What this run is for."""
        self._saved.keep(at_once=True)
        stored = self._saved.stored
        if stored is None:
            return [NOTHING_SAVED]
        try:
            with Store.open() as store:
                if not text:
                    said = store.info(stored.id).note
                    return [sentence(said) if said else "It has no note; note TEXT gives it one."]
                note = "" if text == "off" else checked_note(text)
                info = store.set_note(stored.id, note)
        except UsageError as error:
            return [sentence(str(error))]
        return [f"Noted with {info.name}." if info.note else f"{info.name} has no note any more."]

    def delete(self, text: str) -> list[str]:
        """Delete a saved run, but not the one of now."""
        if not text:
            return ["Delete which? runs lists them; delete 2 or delete NAME."]
        try:
            with Store.open() as store:
                info = store.info(self._saved.meant(text))
                if self._saved.stored is not None and info.id == self._saved.stored.id:
                    return [f"{info.name} is the run that goes on: open another one first."]
                store.delete(info.id)
        except UsageError as error:
            return [sentence(str(error))]
        return [f"{info.name} is deleted; restore brings it back."]

    def restore(self, text: str) -> list[str]:
        """Bring back the run that was deleted last."""
        if text:
            return ["restore alone brings back the run that was deleted last."]
        if not store_file().exists():
            return ["Nothing is deleted."]
        try:
            with Store.open() as store:
                deleted = [info for info in store.list(deleted=True) if info.deleted is not None]
                if not deleted:
                    return ["Nothing is deleted."]
                info = store.undelete(max(deleted, key=lambda run: (run.deleted, run.id)).id)
        except UsageError as error:
            return [sentence(str(error))]
        return [f"{info.name} is back."]


def agreement(found: RunComparison) -> str:
    """What is to be said where no value differs."""
    if found.is_same_memory:
        return "Both have learned the same, bit by bit."
    return "Their entries mean different things: no value can be compared."


def entry_words(entry: Difference) -> str:
    """An entry in both runs."""
    board = board_words(Board.parse(entry.board)).removesuffix(".")
    where = board + (f"; move {entry.cell}" if entry.cell is not None else "")
    return f"{entry.player}, {where}: {figure(entry.a)} and {figure(entry.b)}."

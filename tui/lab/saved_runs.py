"""The commands about saved runs: resumed, named, compared, noted, deleted, restored."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from learners.errors import StoreError, UsageError, printable
from learners.files import store_file
from tui.lab.commands import Screen
from tui.lab.outcomes import (
    Background,
    Message,
    Open,
    Outcome,
    Question,
    command_key,
    refusal,
    refusing,
    sentence,
)
from tui.lab.resume_hint import own_rule_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from learners.store import LoadedRun, RunInfo, Store, StoredRun
    from tui.lab.autosave import Autosave
    from tui.lab.lazy_session import LazySession

    Taken = Callable[[LoadedRun | str], Outcome]
    """Resumes a run that was read, or says why it cannot be."""

T = TypeVar("T")
NO_AUTOSAVE = refusal("Nothing is saved here.")


class SavedRuns:
    """The saved runs, and what the store holds of the current one.

    Args:
        lazy: the lab.
        autosave: saves it; None where nothing is saved.
    """

    def __init__(self, lazy: LazySession, autosave: Autosave | None) -> None:
        self._lazy = lazy
        self._autosave = autosave
        self.hint: RunInfo | None = None
        """The run that a lab just opened can resume."""
        self.listed: list[RunInfo] = []
        """The list that was shown last: plain mode names a run by its number there."""

    @property
    def stored(self) -> StoredRun | None:
        """What the store holds of the current run."""
        if self._autosave is None or not self._lazy.is_started:
            return None
        return self._autosave.stored(self._lazy.session.run)

    @property
    def open_id(self) -> int | None:
        """The current run's number in the store."""
        return None if self.stored is None else self.stored.id

    @property
    def own_rules(self) -> frozenset[str]:
        """The rules that the user has named: where they are in files, their code may be run."""
        chosen = [self._lazy.settings]
        if self._lazy.is_started:
            chosen.append(self._lazy.session.settings)
        return frozenset(spec.rule.name for one in chosen for spec in (one.x, one.o))

    def find_hint(self) -> RunInfo | str | None:
        """The run that was saved last, or why that is not known; the engine is not loaded for it.

        To be called in any thread.
        """
        from learners.store.listing import last_run

        try:
            return last_run()
        except StoreError as error:
            return sentence(error)

    def meant(self, text: str) -> str | int:
        """The run of a number of the list shown last, or of a name."""
        if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(self.listed):
            return self.listed[int(text[:9]) - 1].id
        return text

    def read(self, which: str | int) -> LoadedRun | str:
        """Read a run; why it cannot be had, in a sentence. To be called in any thread."""
        try:
            return load_run(which, self.own_rules)
        except StoreError as error:
            return sentence(error)

    def load(self, which: str | int, take: Taken) -> Background:
        """Read a run to resume it."""

        def read(stop: Callable[[], bool]) -> LoadedRun | str:
            found = self.read(which)
            return found if isinstance(found, str) else found.make_ready()

        return Background(read, take, exclusive=True)

    def open(self, take: Taken) -> Question:
        """Ask which run to resume."""
        return Question(
            "open",
            "the name of a run",
            lambda text: self.load(self.meant(text), take),
            usage="Open which? runs lists them; open 1, open NAME or open ADDRESS.",
        )

    def save(self) -> Outcome:
        """Save the current run now, and give it a name."""
        return Question("save", "a name", refusing(self._save_as))

    def _save_as(self, text: str) -> Outcome:
        autosave, name = self._autosave, text.removeprefix("as ").strip()
        if autosave is None:
            return NO_AUTOSAVE
        known = autosave.trouble
        autosave.save_as(self._lazy.session, name)
        autosave.write()
        if known and known == autosave.trouble:
            return refusal(f"Not saved: {known}.")
        if self.stored is None and not autosave.trouble:
            return refusal("Nothing has been played yet, so there is nothing to save.")
        if self.stored is None or autosave.trouble or autosave.notice:
            return None
        if not name:
            return Message(f"Saved as {printable(self.stored.name)}.")
        number = self.stored.id
        info = with_store(lambda store: store.rename(number, name))
        return Message(f"Saved as {info.name}.")

    def compare(self) -> Outcome:
        """Ask which run to compare the current one with."""
        return Question(
            "compare",
            "the name of a run",
            self._compare_with,
            usage="Compare with which? runs lists them; compare 2 or compare NAME.",
        )

    def _compare_with(self, text: str) -> Outcome:
        from learners.store import compared

        loaded = self.read(self.meant(text))
        if isinstance(loaded, str):
            return refusal(loaded)
        found = compared(self._lazy.session.run.state(), loaded.run.state())
        return Open(Screen.COMPARISON, (found, loaded.stored.name))

    def note(self) -> Outcome:
        """Ask what the current run is for."""
        autosave, session = self._autosave, self._lazy.session
        if autosave is not None and autosave.capture(session, at_once=True):
            autosave.write()
        number = self.open_id
        if number is None:
            return refusal("This run is not saved yet: play or train first.")
        try:
            now = with_store(lambda store: store.info(number)).note
        except UsageError as error:
            return refusal(error)
        usage = sentence(now) if now else "It has no note; note TEXT gives it one."
        return note_question(refusing(self._set_note), now, usage)

    def _set_note(self, text: str) -> Outcome:
        from learners.store.listing import checked_note

        note = "" if text == "off" else checked_note(text)
        info = with_store(lambda store: store.set_note(self.open_id or 0, note))
        said = f"Noted with {info.name}." if info.note else f"{info.name} has no note any more."
        return Message(said)

    def delete(self) -> Outcome:
        """Ask which run to delete."""
        return Question(
            "delete",
            "the name of a run",
            refusing(self._delete),
            usage="Delete which? runs lists them; delete 2 or delete NAME.",
        )

    def _delete(self, text: str) -> Outcome:
        info = with_store(lambda store: store.info(self.meant(text)))
        if info.id == self.open_id:
            return refusal(f"{info.name} is the run that goes on: open another one first.")
        with_store(lambda store: store.delete(info.id))
        return Message(deleted_sentence(info, command_key("restore")))

    def restore(self) -> Outcome:
        """Bring back the run that was deleted last."""
        try:
            info = restore_latest()
        except UsageError as error:
            return refusal(error)
        said = restored_sentence(info)
        return refusal(said) if info is None else Message(said)


def note_question(answer: Callable[[str], Outcome], note: str | None, usage: str = "") -> Question:
    """Ask for a note to a run."""
    return Question("note", "a line on what this run is for", answer, note or "", usage=usage)


def deleted_sentence(run: RunInfo, restore: str, *, is_open: bool = False) -> str:
    """What is said of a run just deleted.

    Args:
        run: the run.
        restore: the key or the word that brings it back.
        is_open: whether it is the current run.
    """
    comes_back = "; it is open, and the next game saves it again" if is_open else ""
    return f"{run.name} is deleted{comes_back}; {restore} brings it back."


def restored_sentence(run: RunInfo | None) -> str:
    """What is said of a run just brought back, or of none."""
    return "Nothing is deleted." if run is None else f"{run.name} is back."


def with_store(job: Callable[[Store], T]) -> T:
    """Do something with the user's store.

    Raises:
        StoreError: it cannot be done.
    """
    from learners.store import Store

    with Store.open() as store:
        return job(store)


def runs_with(text: str, runs: Iterable[RunInfo]) -> list[RunInfo]:
    """The runs in whose name, note or players a text occurs, whatever its case."""
    text = text.casefold()
    return [run for run in runs if text in "\n".join((run.name, run.note, run.x, run.o)).casefold()]


def load_run(which: str | int, own_rules: Collection[str]) -> LoadedRun | str:
    """A run by its name or number; a sentence where code from a file is needed.

    Raises:
        StoreError: it cannot be read.
    """
    return with_rules(which, lambda store: store.load(which, own_rules=own_rules))


def with_rules(which: str | int, job: Callable[[Store], T]) -> T | str:
    """Do something for which a run is loaded; a sentence where code from a file is needed."""
    from learners.store import OwnRuleError

    def work(store: Store) -> T | str:
        try:
            return job(store)
        except OwnRuleError:
            return own_rule_sentence(store.info(which))

    return with_store(work)


def restore_latest() -> RunInfo | None:
    """Bring back the run that was deleted last; None where none was.

    Raises:
        StoreError: the store cannot be read or written.
    """

    def restore(store: Store) -> RunInfo | None:
        deleted = [info for info in store.list(deleted=True) if info.deleted is not None]
        if not deleted:
            return None
        return store.undelete(max(deleted, key=lambda info: (info.deleted, info.id)).id)

    return with_store(restore) if store_file().exists() else None


def opened_sentence(loaded: LoadedRun) -> str:
    """What is said of a run just opened."""
    from learners.store.verification import other_files

    if loaded.is_same_engine:
        files = "".join(f" {told}." for told in other_files(loaded.run))
        return f"Going on with {loaded.stored.name}.{files}"
    return (
        f"Going on with {loaded.stored.name}, which another version played: "
        f"V in the list of runs ({command_key('runs')}) plays it again and compares."
    )

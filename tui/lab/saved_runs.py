"""The commands about saved runs: resume, name, compare, annotate, delete and restore."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from afterstate_lab.learners.errors import StoreError, UsageError, printable
from afterstate_lab.tui.lab.commands import Screen
from afterstate_lab.tui.lab.outcomes import (
    Key,
    Message,
    Open,
    Outcome,
    Work,
    command_key,
    question,
    refusal,
    refusing,
    sentence,
)
from afterstate_lab.tui.lab.resume_hint import own_rule_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from afterstate_lab.learners.runs.listing import LoadedRun, RunInfo, StoredRun
    from afterstate_lab.learners.runs.store import Store
    from afterstate_lab.tui.lab.current_run import CurrentRun

T = TypeVar("T")


class SavedRuns:
    """The saved runs, and the current run's row in the store.

    Args:
        current: the run of the lab.
    """

    def __init__(self, current: CurrentRun) -> None:
        self._current = current
        self.hint: RunInfo | None = None
        """The run that a fresh lab can resume."""
        self.listed: list[RunInfo] = []
        """The latest list: plain mode names a run by its number there."""

    @property
    def stored(self) -> StoredRun | None:
        if self._current.autosave is None or not self._current.lazy.is_started:
            return None
        return self._current.autosave.stored(self._current.session.run)

    @property
    def open_id(self) -> int | None:
        """The current run's number in the store."""
        return None if self.stored is None else self.stored.id

    @property
    def own_rules(self) -> frozenset[str]:
        """The user's named rules, whose code from files may run."""
        chosen = [self._current.lazy.settings]
        if self._current.lazy.is_started:
            chosen.append(self._current.session.settings)
        return frozenset(spec.rule.name for one in chosen for spec in (one.x, one.o))

    def find_hint(self) -> RunInfo | str | None:
        """Return the latest saved run, or why it cannot be read; can run in any thread.

        It does not load the engine.
        """
        from afterstate_lab.learners.runs.store import last_run

        return refused_as_sentence(last_run)

    def meant(self, text: str) -> str | int:
        """Resolve a number of the latest list, or a name."""
        if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(self.listed):
            return self.listed[int(text[:9]) - 1].id
        return text

    def read(self, which: str | int) -> LoadedRun | str:
        """Read a run, in any thread; return a sentence if it cannot be read."""
        return refused_as_sentence(lambda: load_run(which, self.own_rules))

    def load(self, which: str | int) -> Work:
        """Return the work that reads a run and resumes it."""

        def read(stop: object) -> LoadedRun | str:
            found = self.read(which)
            return found if isinstance(found, str) else found.make_ready()

        return Work(read, then=self._current.resume)

    def open_run(self, info: RunInfo) -> Outcome:
        """Save the current run and resume another."""
        self._current.leave_training()
        self._current.session.is_running = False
        if self.open_id == info.id:
            return refusal(f"{info.name} is open.")
        self._current.capture(at_once=True)
        return self.load(info.id)

    def open(self) -> Key:
        return question(
            "open",
            "the name of a run",
            lambda text: self.load(self.meant(text)),
            usage="Open which? runs lists them; open 1, open NAME or open ADDRESS.",
        )

    def save(self) -> Outcome:
        """Save the current run now, and name it."""
        return question("save", "a name", refusing(self._save_as))

    def _save_as(self, text: str) -> Outcome:
        autosave, name = self._current.autosave, text.removeprefix("as ").strip()
        if autosave is None:
            return refusal("Nothing is saved here.")
        known = autosave.trouble
        autosave.save_as(self._current.session, name)
        autosave.write()
        if known and known == autosave.trouble:
            return refusal(f"Not saved: {known}.")
        if autosave.trouble:
            return None
        if self.stored is None:
            return refusal("Nothing has been played yet, so there is nothing to save.")
        if autosave.notice:
            return None
        saved = store().rename(self.stored.id, name).name if name else printable(self.stored.name)
        return Message(f"Saved as {saved}.")

    def compare(self) -> Outcome:
        return question(
            "compare",
            "the name of a run",
            self._compare_with,
            usage="Compare with which? runs lists them; compare 2 or compare NAME.",
        )

    def _compare_with(self, text: str) -> Outcome:
        loaded = self.read(self.meant(text))
        return refusal(loaded) if isinstance(loaded, str) else Open(Screen.COMPARISON, loaded)

    def note(self) -> Outcome:
        autosave, session = self._current.autosave, self._current.session
        if autosave is not None and autosave.capture(session, at_once=True):
            autosave.write()
        number = self.open_id
        if number is None:
            return refusal("This run is not saved yet: play or train first.")
        try:
            now = store().info(number).note
        except UsageError as error:
            return refusal(error)
        usage = sentence(now) if now else "It has no note; note TEXT gives it one."
        prompt = "a line on what this run is for"
        return question("note", prompt, refusing(self._set_note), now or "", usage=usage)

    def _set_note(self, text: str) -> Outcome:
        info = store().set_note(self.open_id or 0, "" if text == "off" else text)
        said = f"Noted with {info.name}." if info.note else f"{info.name} has no note any more."
        return Message(said)

    def delete(self) -> Outcome:
        return question(
            "delete",
            "the name of a run",
            refusing(self._delete),
            usage="Delete which? runs lists them; delete 2 or delete NAME.",
        )

    def _delete(self, text: str) -> Outcome:
        info = store().info(self.meant(text))
        if info.id == self.open_id:
            return refusal(f"{info.name} is open: open another run first.")
        store().delete(info.id)
        return Message(deleted_sentence(info, command_key("restore")))

    def restore(self) -> Outcome:
        """Restore the run deleted last."""
        try:
            info = store().undelete_last()
        except UsageError as error:
            return refusal(error)
        said = restored_sentence(info)
        return refusal(said) if info is None else Message(said)


def store() -> Store:
    from afterstate_lab.learners.runs.store import Store

    return Store.open()


def refused_as_sentence(read: Callable[[], T]) -> T | str:
    """Read from the store; return a sentence if that fails."""
    try:
        return read()
    except StoreError as error:
        return sentence(error)


def deleted_sentence(run: RunInfo, restore: str, *, is_open: bool = False) -> str:
    """Return the message about a deleted run; `restore` is the key or word that brings it back."""
    comes_back = "; it is open, and the next game saves it again" if is_open else ""
    return f"{run.name} is deleted{comes_back}; {restore} brings it back."


def restored_sentence(run: RunInfo | None) -> str:
    """Return the message about a restored run, or about none."""
    return "Nothing is deleted." if run is None else f"{run.name} is back."


def runs_with(text: str, runs: Iterable[RunInfo]) -> list[RunInfo]:
    """Return the runs whose name, note or players contain a text, ignoring case."""
    text = text.casefold()
    return [run for run in runs if text in "\n".join((run.name, run.note, run.x, run.o)).casefold()]


def load_run(which: str | int, own_rules: Collection[str]) -> LoadedRun | str:
    """Return a run by its name or number; a sentence if it needs code from a file."""
    from afterstate_lab.learners.runs.listing import OwnRuleError

    found = store()
    try:
        return found.load(which, own_rules=own_rules)
    except OwnRuleError:
        return own_rule_sentence(found.info(which))

"""The list of saved runs: walked through, searched, opened, renamed, deleted, compared, exported.

What is done with the store is in `tui.lab.saved_runs`. Light: a list of runs needs no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from learners.errors import UsageError
from learners.files import path_of
from tui.lab.commands import Screen
from tui.lab.list_controller import ListController
from tui.lab.outcomes import Background, Close, Message, Open, Outcome, Question, refusing
from tui.lab.resume_hint import games_text
from tui.lab.saved_runs import (
    deleted_sentence,
    load_run,
    note_question,
    restore_latest,
    restored_sentence,
    runs_with,
    with_rules,
    with_store,
)

if TYPE_CHECKING:
    from learners.store import LoadedRun, RunInfo, Store, Verification


class RunsController(ListController):
    """A list of runs, what of it is shown, and one method for each command.

    Args:
        open_id: the run that is open in the lab; None where it is not saved yet.
        own_rules: rules in files, `file.py:Class`, whose code may be run.
    """

    def __init__(self, open_id: int | None = None, own_rules: Collection[str] = ()) -> None:
        super().__init__(
            {
                "open": self.on_selected(self.open),
                "search": self.search,
                "all": lambda: self.search_for(""),
                "rename": self.on_selected(self.rename),
                "note": self.on_selected(self.write_note),
                "mark": self.on_selected(self.mark),
                "delete": self.on_selected(self.delete),
                "undo": self.undo,
                "export": self.on_selected(self.export),
                "verify": self.on_selected(self.verify),
            }
        )
        self.open_id = open_id
        self.own_rules = own_rules
        self.runs: tuple[RunInfo, ...] = ()
        self.shown: tuple[RunInfo, ...] = ()
        self.search_text = ""
        self.marked: int | None = None
        """The run that another one is to be compared with."""
        self.is_reading = True

    @property
    def selected(self) -> RunInfo | None:
        """The run under the cursor."""
        return self.shown[self.window.cursor] if self.shown else None

    def on_selected(self, handler: Callable[[RunInfo], Outcome]) -> Callable[[], Outcome]:
        """A handler for the run under the cursor; without one it does nothing."""
        return lambda: None if self.selected is None else handler(self.selected)

    def read(self, select: int | None = None, message: str = "") -> Background:
        """Read the list from the store, and select a run."""
        from learners.store import saved_runs

        return Background(lambda _: saved_runs(), lambda runs: self.take(runs, select), message)

    def take(self, runs: Sequence[RunInfo], select: int | None = None) -> None:
        """Show these runs; the cursor goes to the one with this id, or stays where it was."""
        selected = self.selected
        self.is_reading = False
        self.runs = tuple(runs)
        if all(run.id != self.marked for run in runs):
            self.marked = None
        wanted = select if select is not None else None if selected is None else selected.id
        self._arrange(wanted)

    def fail(self, sentence: str) -> None:
        """Work in the background failed."""
        self.is_reading = False
        super().fail(sentence)

    def search(self) -> Question:
        """Ask for what the runs shown have in them."""
        prompt = "in a name, a note or a player; nothing shows all"
        return Question("search", prompt, self.search_for, self.search_text)

    def search_for(self, text: str) -> None:
        """Show the runs in whose name, note or players a text occurs, whatever its case."""
        selected = self.selected
        self.search_text = " ".join(text.split())
        self._arrange(None if selected is None else selected.id)

    def _arrange(self, wanted: int | None) -> None:
        self.shown = tuple(runs_with(self.search_text, self.runs))
        self.window.hold(len(self.shown))
        places = [place for place, run in enumerate(self.shown) if run.id == wanted]
        if places:
            self.window.go_to(places[0])

    def open(self, run: RunInfo) -> Outcome:
        """Resume a run in the lab."""
        if run.id == self.open_id:
            return Close()

        def work(_: object) -> LoadedRun | str:
            loaded = load_run(run.id, self.own_rules)
            return loaded if isinstance(loaded, str) else loaded.make_ready()

        def done(loaded: LoadedRun | str) -> Outcome:
            return Message(loaded) if isinstance(loaded, str) else Close(loaded)

        return Background(work, done)

    def rename(self, run: RunInfo) -> Question:
        """Ask for another name."""

        def answer(text: str) -> Outcome:
            from learners.store.listing import checked_name

            name = checked_name(text)
            if any(other.name == name and other is not run for other in self.runs):
                raise UsageError("another run has this name")
            return self._change(lambda store: store.rename(run.id, name))

        return Question("rename", "a name that no other run has", refusing(answer), run.name)

    def write_note(self, run: RunInfo) -> Question:
        def answer(text: str) -> Outcome:
            from learners.store.listing import checked_note

            note = checked_note(text)
            return self._change(lambda store: store.set_note(run.id, note))

        return note_question(refusing(answer), run.note)

    def _change(self, change: Callable[[Store], RunInfo]) -> Background:
        """Change a run in the store, and read the list again."""
        return Background(lambda _: with_store(change), lambda info: self.read(info.id))

    def delete(self, run: RunInfo) -> Background:
        """Delete a run; the cursor goes to the one after it."""
        message = deleted_sentence(run, "u", is_open=run.id == self.open_id)
        self.window.move(1)
        if self.selected is run:
            self.window.move(-1)
        following = None if self.selected is None or self.selected is run else self.selected.id
        return Background(
            lambda _: with_store(lambda store: store.delete(run.id)),
            lambda _: self.read(following, message),
        )

    def undo(self) -> Background:
        """Bring back the run that was deleted last."""

        def done(info: RunInfo | None) -> Outcome:
            return self.read(None if info is None else info.id, restored_sentence(info))

        return Background(lambda _: restore_latest(), done)

    def export(self, run: RunInfo) -> Question:
        """Ask for a file, and write what both players know to it."""

        def answer(text: str) -> Outcome:
            from learners.players.policy_file import check_place

            path = export_path(text)
            check_place(path)
            if path.exists():
                raise UsageError(f"there is a file {path.name} already: take another name")

            def work(_: object) -> str:
                wrong = with_rules(
                    run.id,
                    lambda store: store.export_policy(run.id, path, own_rules=self.own_rules),
                )
                return wrong or f"{run.name} is written to {path.name}."

            return Background(work, Message)

        name = "".join(c if c.isalnum() or c in "-_" else "-" for c in run.name)
        prompt = "a file for what both players know"
        return Question("export", prompt, refusing(answer), f"{name}.npz")

    def mark(self, run: RunInfo) -> Outcome:
        """Mark a run, or compare it with the one that is marked."""
        other = next((info for info in self.runs if info.id == self.marked), None)
        if other is not None and other is not run:
            return self.compare(other, run)
        if other is run:
            self.marked = None
            return None
        self.marked = run.id
        return Message("This is A: A on another run compares the two.")

    def compare(self, a: RunInfo, b: RunInfo) -> Background:
        """Lay two runs beside each other."""

        def done(loaded: tuple[LoadedRun | str, LoadedRun | str]) -> Outcome:
            for found in loaded:
                if isinstance(found, str):
                    return Message(found)
            self.marked = None
            return Open(Screen.COMPARISON, loaded)

        return Background(
            lambda _: (load_run(a.id, self.own_rules), load_run(b.id, self.own_rules)), done
        )

    def verify(self, run: RunInfo) -> Background:
        """Play a run again, and compare it bit by bit."""

        def work(stop: Callable[[], bool]) -> Verification | str:
            from learners.store import verify

            loaded = load_run(run.id, self.own_rules)
            return loaded if isinstance(loaded, str) else verify(loaded, stop)

        def done(result: Verification | str) -> Message:
            said = result if isinstance(result, str) else verified_sentence(run, result)
            return Message(said)

        return Background(work, done, f"Playing {games_text(run.games)} of {run.name} again…")


def export_path(text: str) -> Path:
    """The file that a user typed, which ends in .npz where it was not said.

    Raises:
        UsageError: it is none.
    """
    path = path_of(text)
    if not path.name:
        raise UsageError("a name for the file is needed")
    return path if path.suffix else path.with_suffix(".npz")


def verified_sentence(run: RunInfo, result: Verification) -> str:
    """What came of playing a run again."""
    if result.is_same:
        notes = "".join(f" {note}." for note in result.differs)
        return f"{run.name} replays to the same bits: sha256 {result.sha256[:12]}.{notes}"
    return f"{run.name}: {'; '.join(result.differs)}."

"""What each command of the list of runs does; the screen shows what came of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learners.errors import UsageError
from learners.files import path_of, store_file
from tui.lab.resume_hint import games_text, own_rule_sentence
from tui.lab.runs.commands import RUNS_COMMANDS
from tui.screens.ask import Ask
from tui.screens.base import DismissOnce
from tui.screens.help import HelpScreen
from tui.widgets.help_pane import HelpView

if TYPE_CHECKING:
    from textual.app import App

    from learners.store import LoadedRun, RunInfo, Store, Verification
    from tui.lab.runs.browser import RunsBrowser
    from tui.theme.look import Look


def with_store(job: Callable[[Store], Any]) -> Any:
    """Do something with the user's store.

    Raises:
        StoreError: it cannot be done.
    """
    from learners.store import Store

    with Store.open() as store:
        return job(store)


def saved_runs() -> list[RunInfo]:
    """All saved runs; none, and no file is made, where there is no store yet.

    Raises:
        StoreError: the store cannot be read.
    """
    return with_store(lambda store: store.list()) if store_file().exists() else []


class RunsAsking(DismissOnce):
    """The commands, one method each, by the names in `tui.lab.runs.commands`."""

    browser: RunsBrowser
    look: Look
    own_rules: Collection[str]
    app: App[Any]
    is_left: bool
    """Whether nobody waits any more for what is being played again."""

    def redraw(self) -> None:
        """Show the list as it is."""
        raise NotImplementedError

    def do(self, job: Callable[[], Any], then: Callable[[Any], None]) -> Any:
        """Do something in the background."""
        raise NotImplementedError

    def read(self, select: int | None = None) -> None:
        """Read the list, and select a run."""
        self.do(saved_runs, lambda runs: self.browser.take(runs, select))

    def change(self, job: Callable[[Store], RunInfo], note: Callable[[RunInfo], str]) -> None:
        """Change a run in the store, say what was done, and read the list again."""

        def then(info: RunInfo) -> None:
            self.browser.note = note(info)
            self.read(info.id)

        self.do(lambda: with_store(job), then)

    def question(self, title: str, hint: str, answer: Callable[[str], str], value: str) -> None:
        """Ask for one line."""
        self.app.push_screen(Ask(title, hint, answer, value=value, look=self.look))

    def ask_up(self) -> None:
        self.browser.window.move(-1)

    def ask_down(self) -> None:
        self.browser.window.move(1)

    def ask_page_up(self) -> None:
        self.browser.window.turn(-1)

    def ask_page_down(self) -> None:
        self.browser.window.turn(1)

    def ask_home(self) -> None:
        self.browser.window.go_to(0)

    def ask_end(self) -> None:
        self.browser.window.go_to(len(self.browser.shown) - 1)

    def ask_open(self) -> None:
        run = self.browser.selected
        if run is None:
            return
        if run.id == self.browser.open_id:
            self.dismiss(None)
            return

        def then(loaded: LoadedRun | str) -> None:
            if isinstance(loaded, str):
                self.say(loaded)
            elif not self.is_left:
                self.dismiss(loaded)

        def job() -> LoadedRun | str:
            loaded = self.load(run)
            return loaded if isinstance(loaded, str) else loaded.make_ready()

        self.do(job, then)

    def ask_search(self) -> None:
        def answer(text: str) -> str:
            self.browser.look_for(text)
            self.redraw()
            return ""

        hint = "in a name, a note or a player; nothing shows all"
        self.question("search", hint, answer, self.browser.search)

    def ask_all(self) -> None:
        self.browser.look_for("")

    def ask_rename(self) -> None:
        run = self.browser.selected
        if run is None:
            return

        def answer(text: str) -> str:
            from learners.store.listing import checked_name

            try:
                name = checked_name(text)
            except UsageError as error:
                return str(error)
            if self.browser.is_taken(name):
                return "another run has this name"
            self.change(lambda store: store.rename(run.id, name), lambda _: "")
            return ""

        self.question("rename", "a name that no other run has", answer, run.name)

    def ask_note(self) -> None:
        run = self.browser.selected
        if run is None:
            return

        def answer(text: str) -> str:
            from learners.store.listing import checked_note

            try:
                note = checked_note(text)
            except UsageError as error:
                return str(error)
            self.change(lambda store: store.set_note(run.id, note), lambda _: "")
            return ""

        self.question("note", "a line on what this run is for", answer, run.note)

    def ask_delete(self) -> None:
        run = self.browser.selected
        if run is None:
            return
        comes_back = "; it is open, and the next game saves it again"
        note = f"{run.name} is deleted{comes_back if run.id == self.browser.open_id else ''}"
        self.browser.window.move(1)
        following = self.browser.selected
        if following is run:
            self.browser.window.move(-1)
            following = self.browser.selected

        def then(_: RunInfo) -> None:
            self.browser.note = f"{note}; u brings it back."
            self.read(None if following is None else following.id)

        self.do(lambda: with_store(lambda store: store.delete(run.id)), then)

    def ask_undo(self) -> None:
        def job(store: Store) -> RunInfo | None:
            deleted = [info for info in store.list(deleted=True) if info.deleted is not None]
            if not deleted:
                return None
            return store.undelete(max(deleted, key=lambda info: (info.deleted, info.id)).id)

        def then(info: RunInfo | None) -> None:
            self.browser.note = "Nothing is deleted." if info is None else f"{info.name} is back."
            self.read(None if info is None else info.id)

        self.do(lambda: with_store(job) if store_file().exists() else None, then)

    def ask_export(self) -> None:
        run = self.browser.selected
        if run is None:
            return

        def answer(text: str) -> str:
            from learners.players.policy_file import check_place

            try:
                path = export_path(text)
                check_place(path)
            except UsageError as error:
                return str(error)
            if path.exists():
                return f"there is a file {path.name} already: take another name"
            self.do(
                lambda: self.needing(
                    run,
                    lambda store: store.export_policy(run.id, path, own_rules=self.own_rules),
                ),
                lambda wrong: self.say(wrong or f"{run.name} is written to {path.name}."),
            )
            return ""

        name = "".join(c if c.isalnum() or c in "-_" else "-" for c in run.name)
        self.question("export", "a file for what both players know", answer, f"{name}.npz")

    def needing(self, run: RunInfo, job: Callable[[Store], Any]) -> Any:
        """Do something for which a run is loaded; a sentence where code from a file is needed."""
        from learners.store import OwnRuleError

        try:
            return with_store(job)
        except OwnRuleError:
            return own_rule_sentence(run)

    def load(self, run: RunInfo) -> LoadedRun | str:
        """A run; a sentence where code from a file is needed."""
        found: LoadedRun | str = self.needing(
            run, lambda store: store.load(run.id, own_rules=self.own_rules)
        )
        return found

    def say(self, note: str) -> None:
        """Say something in the frame of the list."""
        self.browser.note = note

    def ask_mark(self) -> None:
        browser = self.browser
        run, marked = browser.selected, browser.marked
        if run is None:
            return
        other = next((info for info in browser.runs if info.id == marked), None)
        if other is None or other.id == run.id:
            browser.toggle_mark()
            if browser.marked is not None:
                browser.note = "This is A: m on another run compares the two."
            return
        self.compare(other, run)

    def compare(self, a: RunInfo, b: RunInfo) -> None:
        """Lay two runs beside each other."""

        def show(loaded: tuple[LoadedRun | str, LoadedRun | str]) -> None:
            first, second = loaded
            if isinstance(first, str):
                self.say(first)
            elif isinstance(second, str):
                self.say(second)
            else:
                from tui.screens.compare import CompareScreen

                self.browser.marked = None
                self.app.push_screen(CompareScreen(first, second, self.look))

        self.do(lambda: (self.load(a), self.load(b)), show)

    def ask_verify(self) -> None:
        run = self.browser.selected
        if run is None:
            return

        def job() -> Verification | str:
            from learners.store import verify

            loaded = self.load(run)
            return loaded if isinstance(loaded, str) else verify(loaded, lambda: self.is_left)

        def then(result: Verification | str) -> None:
            self.say(result if isinstance(result, str) else verified_sentence(run, result))

        self.say(f"Playing {games_text(run.games)} of {run.name} again…")
        self.do(job, then)

    def ask_help(self) -> None:
        keys = tuple((command.shown, command.help) for command in RUNS_COMMANDS)
        self.app.push_screen(HelpScreen(HelpView((("runs", keys),)), self.look))

    def ask_back(self) -> None:
        self.dismiss(None)


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

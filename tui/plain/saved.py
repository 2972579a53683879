"""The saved runs: listed, opened, named; and what is played, saved by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learners.errors import StoreError, printable, shown
from learners.store.store import saved_runs
from tui.lab.autosave import mark_of
from tui.lab.resume_hint import ago, games_text, own_rule_sentence, players_of
from tui.plain.pages import Pages
from tui.plain.speech import sentence

if TYPE_CHECKING:
    from learners.store import LoadedRun, RunInfo, StoredRun
    from tui.lab.autosave import Keeper, Mark
    from tui.plain.session import PlainSession

NO_KEEPER = "Nothing is saved here."


class Saved:
    """Saves the run of a session, and opens others.

    Args:
        session: what goes on.
        keeper: saves it; None where nothing is saved.
        pages: takes long lists.
    """

    def __init__(self, session: PlainSession, keeper: Keeper | None, pages: Pages) -> None:
        self._session = session
        self._keeper = keeper
        self._pages = pages
        self._untouched: Mark | None = mark_of(session)
        self._listed: list[RunInfo] = []
        self._trouble = ""

    @property
    def stored(self) -> StoredRun | None:
        """What the store holds of the run."""
        return None if self._keeper is None else self._keeper.stored(self._session.run)

    @property
    def name(self) -> str:
        """What the run is called; empty where it is not saved."""
        return "" if self.stored is None else printable(self.stored.name)

    def keep(self, *, at_once: bool = False) -> list[str]:
        """Save what was done, once anything was; what is to be said of it."""
        keeper, session = self._keeper, self._session
        if keeper is None:
            return []
        if self._untouched is not None and mark_of(session) == self._untouched:
            return []
        self._untouched = None
        if keeper.look(session, at_once=at_once):
            keeper.work()
        before, self._trouble = self._trouble, keeper.trouble
        told, keeper.told = keeper.told, ""
        lines = [told] if told else []
        if keeper.trouble and not before:
            lines.append(sentence(f"not saved: {keeper.trouble}; it is tried again"))
        elif before and not keeper.trouble:
            lines.append("Saved.")
        return lines

    def close(self) -> None:
        """Save what is not saved yet."""
        if self._keeper is not None and self._untouched is None:
            self._keeper.finish(self._session)

    def runs(self, text: str) -> list[str]:
        """The saved runs, the latest first."""
        try:
            found = saved_runs()
        except StoreError as error:
            return [sentence(str(error))]
        word = text.casefold()
        self._listed = [
            run for run in found if word in "\n".join((run.name, run.note, run.x, run.o)).casefold()
        ]
        if not self._listed:
            return [f"No run has {shown(text)} in it." if found else "No run is saved yet."]
        many = "1 run" if len(self._listed) == 1 else f"{len(self._listed):,} runs"
        lines = [
            f"{number}. {run_words(run)}{' This one is open.' * (run.name == self.name)}"
            for number, run in enumerate(self._listed, 1)
        ]
        heading = f"{many}{', the latest first' * (len(lines) > 1)}; open 1 goes on with the first."
        return self._pages.begin([heading], lines)

    def meant(self, text: str) -> str | int:
        """The run of a number of the list told last, or of a name."""
        if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(self._listed):
            return self._listed[int(text[:9]) - 1].id
        return text

    def read(self, text: str) -> LoadedRun | str:
        """The run of a name, or of a number of the list; why it cannot be had, in a sentence."""
        from learners.store import OwnRuleError, Store

        session = self._session
        rules = {session.run.x.rule.name, session.run.o.rule.name}
        which = self.meant(text)
        try:
            with Store.open() as store:
                try:
                    return store.load(which, own_rules=rules)
                except OwnRuleError:
                    return sentence(own_rule_sentence(store.info(which)))
        except StoreError as error:
            return sentence(str(error))

    def load(self, text: str) -> LoadedRun | str:
        """The same, to go on with it."""
        if not text:
            return "Open which? runs lists them; open 1 or open NAME."
        found = self.read(text)
        return found if isinstance(found, str) else found.make_ready()

    def take(self, loaded: LoadedRun) -> list[str]:
        """Go on with a run that was read; the one of now is saved before."""
        lines = self.keep(at_once=True)
        self._session.go_on(loaded)
        if self._keeper is not None:
            self._keeper.adopt(loaded.run, loaded.stored)
            self._keeper.note_as_saved(self._session)
        self._untouched = None
        run = loaded.run
        lines.append(f"Going on with {printable(loaded.stored.name)}, {games_text(run.games)}.")
        lines.append(f"X is {run.x}. O is {run.o}.")
        if not loaded.is_same_engine:
            lines.append("Another version of the program played its games.")
        return lines

    def save(self, text: str) -> list[str]:
        """Save the run now, and give it a name."""
        from learners.store import Store

        keeper, session = self._keeper, self._session
        name = text.removeprefix("as ").strip()
        if keeper is None:
            return [NO_KEEPER]
        self._untouched = None
        if name and keeper.stored(session.run) is None:
            keeper.name = name
        lines = self.keep(at_once=True)
        stored = keeper.stored(session.run)
        if stored is None:
            return lines or ["Nothing has been played yet, so there is nothing to save."]
        if not name or lines:
            return lines or [f"Saved as {printable(stored.name)}."]
        try:
            with Store.open() as store:
                info = store.rename(stored.id, name)
        except StoreError as error:
            return [sentence(str(error))]
        return [f"Saved as {info.name}."]


def run_words(run: RunInfo) -> str:
    """A run of the list in a line."""
    game = ", in the middle of a game" if run.in_game else ""
    note = f" {sentence(run.note)}" if run.note else ""
    return (
        f"{run.name}: {players_of(run)}, {games_text(run.games)}{game}, {ago(run.updated)}.{note}"
    )

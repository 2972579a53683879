"""What the lab does about saved runs: it saves by itself, and goes on with one when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import work
from textual.worker import Worker, WorkerState

from learners.errors import StoreError
from tui.lab.autosave import RETRY_SECONDS
from tui.lab.resume_hint import offer_sentence, own_rule_sentence, sentence
from tui.screens.base import RunScreen

if TYPE_CHECKING:
    from textual.app import App
    from textual.timer import Timer

    from learners.store import LoadedRun, RunInfo
    from tui.lab.autosave import Keeper
    from tui.lab.lazy_session import Opening
    from tui.lab.session import Session
    from tui.screens.lab_panes import LabPanes

GROUPS = ("saving", "offer", "loading")
"""The groups of the workers that are started here."""


class Keeping:
    """Saving and opening runs; the screen shows what came of it."""

    opening: Opening
    panes: LabPanes
    app: App[Any]
    keeper: Keeper
    set_timer: Any
    offered: RunInfo | None = None
    """The run with which one can go on."""
    _retrying: Timer | None = None

    @property
    def session(self) -> Session:
        """What goes on."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Show the session as it is."""
        raise NotImplementedError

    def keep_time(self) -> None:
        """Run the clocks that the session needs now."""
        raise NotImplementedError

    def leave_training(self) -> None:
        """End a training before something else begins."""
        raise NotImplementedError

    def leave_run(self) -> None:
        """End and save what goes on in the run of now."""
        raise NotImplementedError

    @property
    def own_rules(self) -> frozenset[str]:
        """The rules that the user has named: where they are in files, their code may be run."""
        chosen = [self.opening.settings]
        if self.opening.is_over:
            chosen.append(self.session.settings)
        return frozenset(spec.rule.name for one in chosen for spec in (one.x, one.o))

    def keep(self, *, at_once: bool = False) -> None:
        """Save what has happened, in the background, where anything has."""
        if self.opening.is_over and self.keeper.look(self.session, at_once=at_once):
            self.save()

    @work(thread=True, group="saving", exit_on_error=False)
    def save(self) -> bool:
        """Write what was taken down."""
        return self.keeper.work()

    @work(thread=True, group="offer", exit_on_error=False)
    def look_for_offer(self) -> RunInfo | str | None:
        """Which run was saved last, or why that cannot be told; the engine is not loaded for it."""
        from learners.store.listing import last_run

        try:
            return last_run()
        except StoreError as error:
            return sentence(error)

    def open_run(self, info: RunInfo) -> None:
        """Go on with a saved run; the one of now is saved before."""
        self.leave_training()
        self.session.is_running = False
        stored = self.keeper.stored(self.session.run)
        if stored is not None and stored.id == info.id:
            self.session.note = f"{info.name} is open."
            return
        self.keep(at_once=True)
        self.load_run(info)

    @work(thread=True, group="loading", exclusive=True, exit_on_error=False)
    def load_run(self, info: RunInfo) -> LoadedRun | str:
        """Read a run; why it cannot be had, in a sentence, where it cannot."""
        from learners.store import OwnRuleError, Store

        try:
            with Store.open() as store:
                return store.load(info.id, own_rules=self.own_rules).make_ready()
        except OwnRuleError:
            return own_rule_sentence(info)
        except StoreError as error:
            return sentence(error)

    def ask_go_on(self) -> None:
        if self.offered is None:
            self.session.note = "There is no other run to go on with; R lists all."
        else:
            self.open_run(self.offered)

    def ask_runs(self) -> None:
        from tui.screens.runs import RunsScreen

        self.keep(at_once=True)
        stored = self.keeper.stored(self.session.run) if self.opening.is_over else None
        open_id = None if stored is None else stored.id
        screen = RunsScreen(self.panes.keys.look, open_id, self.own_rules)
        self.app.push_screen(screen, self.leave_runs)

    def leave_runs(self, loaded: LoadedRun | None) -> None:
        """Go on with the run that was opened in the list; the one of now is saved before."""
        if loaded is not None:
            self.take_run(loaded)

    def take_kept(self, event: Worker.StateChanged) -> None:
        """A run was saved, found or read, or could not be."""
        group, failed = event.worker.group, event.state is WorkerState.ERROR
        result: Any = event.worker.result
        if event.state is WorkerState.CANCELLED:
            return
        if group == "saving":
            self.take_save(event.worker.error if failed else None)
        elif group == "offer":
            self.take_offer(None if failed else result)
        elif failed:
            self.session.note = f"The run cannot be opened: {event.worker.error}"
            self.redraw_here()
        else:
            self.take_run(result)

    def take_offer(self, found: RunInfo | str | None) -> None:
        """Say with which run one can go on, or why the saved ones cannot be read."""
        if found is None:
            return
        if isinstance(found, str):
            self.opening.offer = found
        else:
            self.offered = found
            self.opening.offer = offer_sentence(found)
        self.redraw_here()

    def take_save(self, error: BaseException | None) -> None:
        """Say once what is wrong with saving, and when all is well again."""
        session, keeper = self.session, self.keeper
        if error is not None:
            keeper.trouble = f"saving failed ({error})"
        before = session.trouble
        session.trouble = trouble_sentence(keeper.trouble)
        if self._retrying is not None:
            self._retrying.stop()
            self._retrying = None
        if session.trouble:
            self._retrying = self.set_timer(RETRY_SECONDS, self.save_again)
            session.note = session.note if before else "Not saved; the log says why."
        elif before:
            session.note = "Saved."
        if keeper.told:
            session.note, keeper.told = keeper.told, ""
        if session.trouble != before or session.note:
            self.redraw_here()

    def redraw_here(self) -> None:
        """Show the session, unless another screen is in front of it."""
        if self.app.screen is self:  # type: ignore[comparison-overlap]
            self.redraw()

    def save_again(self) -> None:
        """Try again to save what could not be saved."""
        if self.keeper.trouble:
            self.save()

    def take_run(self, loaded: LoadedRun | str) -> None:
        """Go on with a run that was read."""
        if isinstance(loaded, str):
            self.session.note, self.session.told = "Not opened: see the log.", loaded
        else:
            self.leave_run()
            self.leave_views()
            self.session.go_on(loaded)
            self.keeper.adopt(loaded.run, loaded.stored)
            self.keeper.note_as_saved(self.session)
            self.session.note = opened_sentence(loaded)
        self.keep_time()
        self.redraw()

    def leave_views(self) -> None:
        """Leave all screens that look at the run of now, and what is in front of them."""
        for screen in tuple(self.app.screen_stack):
            if isinstance(screen, RunScreen):
                screen.dismiss(None)


def trouble_sentence(trouble: str) -> str:
    """Why nothing is saved; empty where all is well."""
    return f"Not saved: {trouble}. It is tried again." if trouble else ""


def opened_sentence(loaded: LoadedRun) -> str:
    """What is to be said of a run just opened."""
    if loaded.is_same_engine:
        return f"Going on with {loaded.stored.name}."
    return (
        f"Going on with {loaded.stored.name}, which another version played: "
        "v in the list of runs (R) plays it again and compares."
    )

"""Autosave: what is saved, and when. The screen and plain mode share it.

`capture` is called after every command, on the thread of the user interface: if something must be
saved, it copies the state of the run, a few hundred kilobytes. `write` saves it, in any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.errors import StoreError, shown

if TYPE_CHECKING:
    from afterstate_lab.learners.judge.curve import Point
    from afterstate_lab.learners.runs.listing import StoredRun
    from afterstate_lab.learners.runs.store import Store
    from afterstate_lab.learners.tape.run import Run
    from afterstate_lab.tui.lab.session import Session

SAVE_SECONDS: Final = 3.0
"""Seconds between saves while the learners train or are watched: with what a busy machine adds, at
most five seconds are lost."""
RETRY_SECONDS: Final = 15.0
"""Seconds until a failed save is repeated."""
PATIENCE: Final = 0.5
"""Seconds to wait for another process that holds the store."""

Mark = tuple[object, ...]
"""Identifies a moment of a run."""


def store(**how: Any) -> Store:
    """Open the store; nothing is imported for it before."""
    from afterstate_lab.learners.runs.store import Store

    return Store.open(**how)


@lean_dataclass(frozen=False)
class SavedRun:
    """A run of the lab, and what the store has of it."""

    stored: StoredRun | None = None
    name: str | None = None
    """The name for the first save; None names the run after its players."""
    mark: Mark = ()
    """The last captured moment."""


@lean_dataclass(frozen=False)
class Autosave:
    """Saves the runs of a lab.

    Args:
        open_store: opens the store when something is saved first.
        clock: seconds, for tests.
    """

    open_store: Callable[[], Store] = partial(store, patience=PATIENCE)
    clock: Callable[[], float] = time.monotonic
    name: str | None = None
    """The name of the first run; None names it after its players."""
    trouble: str = ""
    """Why the latest save failed; empty when all is well."""
    notice: str = ""
    """A warning about the latest save, shown once."""
    _runs: WeakKeyDictionary[Run, SavedRun] = field(default_factory=WeakKeyDictionary)
    """What the store has of the runs that the lab still has."""
    _jobs: dict[SavedRun, Callable[[], None]] = field(default_factory=dict)
    """By run, the save of its last captured moment."""
    _store: Store | None = None
    _captured_at: float = 0.0
    _said: str = ""
    """The failure already reported."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._saving = threading.Lock()
        self._captured_at = self.clock()

    def adopt(self, session: Session, stored: StoredRun | None = None) -> None:
        """Take over a run; save nothing of it until something else happens in it.

        Args:
            session: has the run.
            stored: what was loaded from the store, if it was.
        """
        saved = self._of(session.run)
        saved.mark, saved.stored = mark_of(session), stored or saved.stored

    def stored(self, run: Run) -> StoredRun | None:
        return self._of(run).stored

    def capture(self, session: Session, *, at_once: bool = False) -> bool:
        """Copy what must be saved; return whether `write` has work.

        Args:
            at_once: do not wait for the end of a training run or a watched game.
        """
        training = session.training
        goes_on = session.is_running if training is None else not training.is_paused
        saved, mark = self._of(session.run), mark_of(session)
        may_wait = saved.stored is not None or bool(self.trouble)
        is_recent = self.clock() - self._captured_at < SAVE_SECONDS
        if goes_on and not at_once and may_wait and is_recent:
            return False
        if mark != saved.mark and (saved.stored is not None or is_worth_saving(session)):
            if saved.stored is None:
                saved.name, self.name = saved.name or self.name, None
            saved.mark, self._captured_at = mark, self.clock()
            points = tuple(session.history.points)
            if session.is_training and session.snapshot is not None:
                state = session.snapshot.state  # the run belongs to the thread that trains
            else:
                state = session.run.fork()
            save = partial(self._save, saved, state, points, script_of(session))
            with self._lock:
                self._jobs[saved] = save
            return True
        return bool(self._jobs) and not self.trouble

    def write(self) -> bool:
        """Save the copy, in any thread; return whether everything is saved."""
        with self._saving:
            while self._jobs:
                with self._lock:
                    saved = next(iter(self._jobs))
                    save = self._jobs.pop(saved)
                try:
                    save()
                except StoreError as error:
                    self.trouble = str(error)
                    with self._lock:
                        self._jobs.setdefault(saved, save)
                    return False
            self.trouble = ""
            return True

    @property
    def unsaved(self) -> str:
        """The message about a failed save; empty when all is well."""
        return f"Not saved: {self.trouble}. It is tried again." if self.trouble else ""

    def news(self) -> str:
        """Return the message about the last write: a failure or a recovery, each once."""
        changed = (self.unsaved or "Saved.") if self.trouble != self._said else ""
        told = " ".join(filter(None, (changed, self.notice)))
        self._said, self.notice = self.trouble, ""
        return told

    def finish(self, session: Session, *, anyway: bool = False) -> bool:
        """Save the rest now; return whether it worked.

        Args:
            anyway: even if nothing happened since an unsaved run was opened.
        """
        saved = self._of(session.run)
        if anyway and saved.stored is None:
            saved.mark = ()
        self.capture(session, at_once=True)
        return self.write() if self._jobs or self._saving.locked() else True

    def _of(self, run: Run) -> SavedRun:
        return self._runs.setdefault(run, SavedRun())

    def _save(
        self, saved: SavedRun, state: Run, points: tuple[Point, ...], script: dict[int, int] | None
    ) -> None:
        if self._store is None:
            self._store = self.open_store()
        before, name = saved.stored, saved.name
        if before is None and name is not None and self._store.has(name):
            self.notice = f"There is a run called {shown(name)} already: this one has another name."
            name = None
        saved.stored = self._store.save(
            state, into=before, name=name, history=points, script=script
        )
        if saved.stored.is_copy and before is not None:
            self.notice = (
                f"{shown(before.name)} was changed by another process; "
                f"this lab saves your work as {shown(saved.stored.name)}."
            )


def is_worth_saving(session: Session) -> bool:
    return bool(games_of(session)) or session.owes_a_move


def games_of(session: Session) -> int:
    """Return the number of finished games on the learning curve."""
    return session.snapshot.games if session.is_training and session.snapshot else session.run.games


def script_of(session: Session) -> dict[int, int] | None:
    """Return the person's moves in the unfinished game; None before the first."""
    return dict(session.script) if session.owes_a_move else None


def mark_of(session: Session) -> Mark:
    """Return what identifies this moment of the run."""
    run, games = session.run, games_of(session)
    if session.is_training:
        return (games,)
    script = tuple((script_of(session) or {}).items())
    return games, script, session.human, tuple(run.seating_changes), run.scripts.get(games - 1)

"""The state of a lab: begin, open, save and leave its run, and the link to its moment."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from afterstate_lab.learners.errors import StoreError, UsageError, shown, shown_path
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import runs_code
from afterstate_lab.tui.lab.autosave import store
from afterstate_lab.tui.lab.modes import SPEEDS, Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    GIVEN_UP,
    Key,
    Outcome,
    Running,
    Work,
    question,
    sentence,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from afterstate_lab.learners.rules.spec import PlayerSpec
    from afterstate_lab.learners.runs.address import Address
    from afterstate_lab.learners.runs.listing import RunInfo, StoredRun
    from afterstate_lab.learners.runs.replay import OpenedRun
    from afterstate_lab.tui.lab.autosave import Autosave
    from afterstate_lab.tui.lab.session import Session

R = TypeVar("R")
GAMES_AT_ONCE: Final = 200
"""Games that are played in a blink, without a picture in between."""


class LabState:
    """The session of a lab, its run, and where they are saved.

    Light: the engine, numpy and the exact tables take 100 ms and 25 MB. A fresh lab shows nothing
    that needs them, and its first command creates the session.

    Args:
        given: the first players and seed.
        autosave: None saves nothing.
    """

    def __init__(self, given: Settings, autosave: Autosave | None = None) -> None:
        self.given, self.autosave = given, autosave
        self.speed = SPEEDS[2]
        """Moves per second in Watch, at first."""
        self.named: tuple[str, ...] = ()
        """Files of players that the user named for addresses."""
        self.hint: RunInfo | None = None
        """The run that a fresh lab can resume."""

    @cached_property
    def session(self) -> Session:
        from afterstate_lab.tui.lab.session import Session

        session = Session(self.given)
        session.speed = self.speed
        return session

    @property
    def is_started(self) -> bool:
        return "session" in self.__dict__

    @property
    def settings(self) -> Settings:
        """The current players and seed."""
        return self.session.settings if self.is_started else self.given

    @property
    def mode(self) -> Mode:
        return self.session.mode if self.is_started else self.given.mode

    def capture(self, *, at_once: bool = False) -> bool:
        """Copy what must be saved; return whether anything must be written."""
        if not self.is_started:
            return False
        if self.autosave is None:
            return False
        return self.autosave.capture(self.session, at_once=at_once)

    def leave_training(self) -> None:
        """End training before another mode begins; keep what was learned."""
        if self.is_started and self.session.training is not None:
            training = self.session.training
            was_over = training.is_over
            training.stop()
            training.wait()
            self.session.end_training()
            last = training.snapshot
            if not was_over and last.done < last.goal.games:
                of = "" if last.goal.until_unbeatable else f" of {last.goal.games:,}"
                self.session.note = f"Training stopped after {last.done:,}{of} games."

    def pause(self) -> None:
        """End a training run and stop playback before you move elsewhere."""
        self.leave_training()
        self.session.is_running = False

    def leave(self) -> None:
        """Stop and save the current run before another replaces it.

        Training can have begun while the other run was being chosen or read.
        """
        self.leave_training()
        self.capture(at_once=True)

    def set_up(self, settings: Settings, said: str = "") -> Outcome:
        """Begin a new run with these settings, after asking their agents, and report it."""
        self.leave_training()
        asked = self.session.unread_agents(settings)
        if not asked:
            return self._begin(settings, said)

        def work(stop: Running) -> None:
            def tell(done: int, of: int, said: str) -> None:
                stop.tell(min(1.0, done / of))
                if stop():
                    raise UsageError(GIVEN_UP)

            for side, spec, rule in asked:
                rule.moves(side, spec.settings, tell)

        names = " and ".join(rule.name for _, _, rule in asked)
        return Work(
            work,
            says=f"asking {names}",
            run=self.session.run,
            then=lambda _: self._begin(settings, said),
        )

    def _begin(self, settings: Settings, said: str) -> Outcome:
        self.leave()
        self.session.start(settings)
        return said or None

    def resume(self, opened: OpenedRun, mode: Mode | None = None) -> Outcome:
        """Resume a saved run, or show the run of an address, and its what-if, if any."""
        self.leave()
        self.session.resume(opened, mode)
        if self.autosave is not None:
            self.autosave.adopt(self.session, opened.stored)
        if opened.what_if is not None and opened.address and opened.address.what_if is not None:
            player = opened.address.what_if[0].upper()
            return self.replay_as(player, opened.what_if)
        said = self.session.opened_sentence(opened)
        return said or None

    def show_game(self, game: int, script: dict[int, int]) -> None:
        """Show a game with these moves, in an unsaved branch."""
        self.capture(at_once=True)
        self.session.show_game(game, script)
        if self.autosave is not None:
            self.autosave.adopt(self.session)

    # the store

    @property
    def stored(self) -> StoredRun | None:
        if self.autosave is None or not self.is_started:
            return None
        return self.autosave.stored(self.session.run)

    @property
    def open_id(self) -> int | None:
        """The current run's number in the store."""
        return None if self.stored is None else self.stored.id

    @property
    def own_rules(self) -> frozenset[str]:
        """The user's named rules, whose code from files may run."""
        chosen = self.given, self.settings
        return frozenset(spec.rule.name for one in chosen for spec in (one.x, one.o))

    def find_hint(self) -> RunInfo | str | None:
        """Return the latest saved run, or why it cannot be read; can run in any thread.

        It does not load the engine.
        """
        from afterstate_lab.learners.runs.listing import last_run

        try:
            return last_run()
        except StoreError as error:
            return sentence(error)

    def load(self, which: str | int) -> Work:
        """Return the work that reads a run and resumes it."""
        return with_run(which, self.own_rules, lambda run, _: run.make_ready(), self.resume)

    def open_run(self, info: RunInfo) -> Outcome:
        """Save the current run and resume another."""
        self.pause()
        if self.open_id == info.id:
            raise UsageError(f"{shown(info.name)} is open.")
        self.capture(at_once=True)
        return self.load(info.id)

    # addresses

    def open_address(self, text: str) -> Outcome:
        """Save the current run and open an address; files of its players may follow it."""
        self.pause()
        word, *paths = text.split()
        self.named = (*self.named, *paths)
        return self.playing(self.session.read_address(word), self.resume)

    def go_to_stop(self, address: Address, take: Callable[[OpenedRun], Outcome]) -> Outcome:
        """Go to a moment of a script, at once if few games must be played; `take` opens its run."""
        self.leave_training()
        run = self.session.run
        same = (str(run.x), str(run.o), run.seed) == (address.x, address.o, address.seed)
        known = run.games if same and run.games <= address.games else 0
        if address.games > known + GAMES_AT_ONCE:
            return self.playing(address, take)
        try:
            opened = self.session.opened(address, self.named)
            return None if opened is None else take(opened)
        except UsageError as error:
            return sentence(error)

    def playing(self, address: Address, take: Callable[[OpenedRun], Outcome]) -> Work:
        """Play the run of an address, except the games that this run shares with it."""
        session, files = self.session, self.named

        def work(stop: Running) -> OpenedRun | None:
            return session.opened(address, files, advance=stop.tell, stopped=stop)

        def found(opened: OpenedRun | None) -> Outcome:
            return GIVEN_UP if opened is None else take(opened)

        return Work(work, says="opening", then=found, run=session.run)

    def replay_as(self, player: str, spec: PlayerSpec) -> Outcome:
        """Play the current game again with another player and the same random numbers."""
        from afterstate_lab.tui.lab.log import sentences

        return self.session.replay_as(player, spec, sentences)


def reading(players: Iterable[str], then: Callable[[], R]) -> R | Work:
    """Return what comes once the files of players have run, which Esc ends."""
    files = [player for player in players if runs_code(player)]

    def work(stop: Running) -> None:
        from afterstate_lab.learners.players.user_rule import in_time

        with in_time(stop):
            for file in files:
                parse_player(file)

    if not files:
        return then()
    return Work(work, says=f"running {' and '.join(files)}", then=lambda _: then())


def with_run(
    which: str | int,
    own_rules: Collection[str],
    use: Callable[[OpenedRun, Running], Any],
    then: Callable[[Any], Any] = lambda found: found,
    says: str = "",
) -> Work:
    """Return work on a saved run; asks first, if it needs code from a file that was not named.

    Args:
        which: its name or number.
        own_rules: the rules in files whose code may run.
        use: the work.
        then: takes what it returns.
        says: what it does.
    """
    from afterstate_lab.learners.runs.listing import OwnRuleError

    def work(stop: Running) -> Any:
        try:
            return use(store().load(which, own_rules=own_rules), stop)
        except OwnRuleError as error:
            return ask(error.rule)

    def ask(rule: str) -> Key:
        def run(text: str) -> Work:
            if text.strip() not in ("y", "yes"):
                raise UsageError("its code did not run: only y runs it")
            return with_run(which, {*own_rules, rule}, use, then, says)

        asks = f"This run needs code from a file. Run {shown_path(rule)}? y runs it, Esc does not"
        return question("run its code", asks, run, "y")

    def taken(found: Any) -> Any:
        return found if isinstance(found, Key) else then(found)

    return Work(work, says=says, then=taken)

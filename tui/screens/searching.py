"""What the lab looks for in the whole run: breakpoints, who wrote a value, and what if."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from game import Side
from learners.errors import ConditionError, UsageError
from tui.screens.selecting import Selecting

if TYPE_CHECKING:
    from textual.app import App

    from learners.queries.provenance import BackupLink
    from learners.queries.what_if import WhatIf
    from learners.rules.spec import PlayerSpec
    from learners.tape.recording import TapePosition
    from tui.lab.background import Search, Work
    from tui.screens.lab_panes import LabPanes

EXAMPLES = "error > .3, wrote X ....X...., flip, exploratory, first visit, X loses, game 9; and, or"


class Searching(Selecting):
    """The commands that search, one method each, by the names in `tui.lab.commands`."""

    panes: LabPanes
    app: App[Any]
    search: Search | None

    def question(
        self, title: str, hint: str, answer: Callable[[str], str], value: str = ""
    ) -> None:
        """Ask for one line."""
        raise NotImplementedError

    def look_for(self, title: str, work: Work, found: Callable[[Any], None]) -> None:
        """Search in the background."""
        raise NotImplementedError

    def ask_breaks(self) -> None:
        """Ask for the condition; a selected entry's writes are proposed."""
        self.question("break at", EXAMPLES, self.set_break, self.proposed_break())

    def proposed_break(self) -> str:
        """The condition of now, or that the selected entry is written."""
        from tui.lab.microscope.selection import wrote_condition

        scope = self.scope_of_now()
        selected = None if scope is None else scope.selected
        if scope is None or selected is None or selected.entry < 0:
            return self.session.breakpoint
        return (
            wrote_condition(scope.update, scope.timeline, selected.entry) or self.session.breakpoint
        )

    def set_break(self, text: str) -> str:
        """Take the condition that a user typed; the sentence that says what is wrong."""
        if not text.strip():
            self.session.breakpoint = ""
            self.session.note = "No breakpoint."
            return ""
        from learners.queries.condition_parser import parse

        try:
            parse(text).check(self.session.run.layout)
        except ConditionError as error:
            return str(error)
        self.session.breakpoint = text
        self.session.note = f"Break at {text}: c runs on to it, C back."
        self.redraw()
        return ""

    def ask_to_break(self) -> None:
        self.run_to_break(forwards=True)

    def ask_back_to_break(self) -> None:
        self.run_to_break(forwards=False)

    def run_to_break(self, *, forwards: bool) -> None:
        """Search the whole run for the next place where the breakpoint holds, or the last."""
        text = self.session.breakpoint
        if not text:
            self.ask_breaks()
            return
        from learners.queries.condition_parser import parse
        from learners.queries.find import find

        run, start = self.session.run, self.session.timeline.place
        condition = parse(text)

        def found(place: TapePosition | None) -> None:
            if place is None:
                way = "after" if forwards else "before"
                self.session.note = f"{text}: nowhere {way} this place."
            else:
                self.session.timeline.go_to_place(place)

        self.look_for(
            f"to {text}",
            lambda progress, stop: find(
                run, condition, start, forwards=forwards, progress=progress, stop=stop
            ),
            found,
        )

    def entry_of_now(self) -> int | None:
        """The memory entry that is looked at: the selected one, or else that of S_t."""
        scope = self.scope_of_now()
        if scope is None:
            return None
        if scope.selected is not None and scope.selected.entry >= 0:
            return scope.selected.entry
        return None if scope.update.learned is None else scope.update.learned.entry

    def ask_last_writer(self) -> None:
        from learners.queries.provenance import last_write

        entry = self.entry_of_now()
        if entry is None:
            self.session.note = "No value is looked at here."
            return
        run, place = self.session.run, self.session.timeline.place

        def found(writer: TapePosition | None) -> None:
            if writer is None:
                self.session.note = "Nobody had written this value before: it is the initial one."
            else:
                self.session.timeline.go_to_place(writer)
                self.select_entry(entry)
                self.session.note = f"Last written here, in game {writer.game + 1:,}."

        self.look_for(
            "the last writer",
            lambda progress, stop: last_write(run, entry, place, progress=progress, stop=stop),
            found,
        )

    def ask_provenance(self) -> None:
        from learners.queries.provenance import chain, last_write
        from learners.tape.recording import TapePosition

        entry = self.entry_of_now()
        if entry is None:
            self.session.note = "No value is looked at here."
            return
        run, place = self.session.run, self.session.timeline.place

        def work(progress: Any, stop: Any) -> tuple[BackupLink, ...]:
            writer = last_write(
                run, entry, TapePosition(place.game, place.row + 1), progress=progress, stop=stop
            )
            return () if writer is None else chain(run, writer, stop=stop)

        self.look_for("where this value comes from", work, self.show_provenance)

    def show_provenance(self, links: tuple[BackupLink, ...]) -> None:
        """Open the list of the backups that made a value."""
        from tui.screens.provenance import ProvenanceScreen

        if not links:
            self.session.note = "Nobody has written this value yet: it is the initial one."
            return

        entry = links[0].backup.entry

        def leave(place: TapePosition | None) -> None:
            if place is not None:
                self.session.timeline.go_to_place(place)
                self.select_entry(entry)
            self.redraw()

        self.app.push_screen(ProvenanceScreen(links, self.panes.keys.look), leave)

    def ask_what_if(self) -> None:
        from tui.lab.microscope.update import current_update

        session = self.session
        update = current_update(session.timeline)
        if update is None or session.timeline.game >= session.run.games:
            session.note = "What if needs a game that is over."
            return
        was = str(update.table.spec)
        other = "td:exploration=learn" if was.startswith("td") else "td"
        self.question(
            "what if", f"who else plays {update.player} (now {was})", self.set_what_if, other
        )

    def set_what_if(self, text: str) -> str:
        """Play the game again with the player that a user typed; what is wrong with it."""
        from learners.players.resolve import parse_player
        from learners.queries.what_if import replay_game
        from tui.lab.microscope.update import current_update

        update = current_update(self.session.timeline)
        try:
            spec = parse_player(text)
            if update is not None:
                spec.rule.check_side(Side.parse(update.player))
        except UsageError as error:
            return str(error)
        if update is None or spec.rule.human:
            return "a learner or an opponent is needed, no human"
        run, game, player = self.session.run, self.session.timeline.game, update.player
        others = {player.lower(): spec}
        self.look_for(
            f"what if {player} were {text}",
            lambda progress, stop: replay_game(run, game, **others, progress=progress, stop=stop),
            lambda result: self.show_what_if(result, player, spec),
        )
        return ""

    def show_what_if(self, result: WhatIf | None, player: str, spec: PlayerSpec) -> None:
        """Show both games side by side."""
        from tui.lab.what_if import Supposed
        from tui.screens.what_if import WhatIfScreen

        if result is not None:
            self.session.supposed = Supposed.of(result, self.session.run, player, str(spec))
            screen = WhatIfScreen(self.session, result, player, spec, self.panes.keys.look)
            self.app.push_screen(screen)

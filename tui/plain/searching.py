"""Running to a breakpoint, who wrote a value last, and why it is what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from learners.errors import ConditionError
from learners.queries.condition_parser import parse
from learners.queries.find import find
from learners.queries.provenance import BackupLink, chain, last_write
from learners.tape.recording import TapePosition
from tui.lab.microscope.update import current_update
from tui.plain.pages import Pages
from tui.plain.place_sentences import about, places_for, told_place
from tui.plain.progress_reporter import GIVEN_UP, Tell, Work, searched
from tui.plain.speech import figure, sentence
from tui.plain.stepping import NO_VALUE

if TYPE_CHECKING:
    from tui.plain.session import PlainSession


class Searching:
    """Searches the whole run of a session.

    Args:
        session: whose run.
        pages: takes long lists.
        tell: says a line at once.
    """

    def __init__(self, session: PlainSession, pages: Pages, tell: Tell) -> None:
        self._session = session
        self._pages = pages
        self._tell = tell

    def breakpoint(self, text: str) -> list[str]:
        """Set the condition to run to, tell it, or drop it."""
        session = self._session
        if not text:
            now = session.breakpoint
            if not now:
                return ["There is no break: break error > .4 sets one; help break tells more."]
            return [f"Break at {now}: c runs on to it, C back."]
        if text == "off":
            session.breakpoint = ""
            return ["No break."]
        try:
            parse(text).check(session.run.layout)
        except ConditionError as error:
            return [sentence(str(error))]
        session.breakpoint = text
        return [f"Break at {text}: c runs on to it, C back."]

    def onwards(self, text: str) -> list[str]:
        """Run on to the break."""
        return self._run(text, forwards=True)

    def backwards(self, text: str) -> list[str]:
        """Run back to the break."""
        return self._run(text, forwards=False)

    def _run(self, text: str, *, forwards: bool) -> list[str]:
        session = self._session
        if text or not session.breakpoint:
            told = self.breakpoint(text)
            if not session.breakpoint or session.breakpoint != text:
                return told
        run, start, wanted = session.run, session.timeline.place, session.breakpoint
        try:
            found = self._searched(
                lambda progress, stop: find(
                    run, parse(wanted), start, forwards=forwards, progress=progress, stop=stop
                )
            )
        except ConditionError as error:
            return [sentence(str(error))]
        if found is GIVEN_UP:
            return [GIVEN_UP]
        if found is None:
            return [f"{wanted}: nowhere {'after' if forwards else 'before'} this place."]
        return self._gone(found)

    def writer(self, text: str = "") -> list[str]:
        """Go to who last wrote the value that is looked at."""
        entry = self._entry()
        if entry is None:
            return [NO_VALUE]
        run, place = self._session.run, self._session.timeline.place
        found = self._searched(
            lambda progress, stop: last_write(run, entry, place, progress=progress, stop=stop)
        )
        if found is GIVEN_UP:
            return [GIVEN_UP]
        if found is None:
            return ["Nobody had written this value before: it is the initial one."]
        return [f"Last written in game {found.game + 1:,}.", *self._gone(found)]

    def why(self, text: str = "") -> list[str]:
        """The backups that made the value that is looked at, newest first."""
        entry = self._entry()
        if entry is None:
            return [NO_VALUE]
        run, place = self._session.run, self._session.timeline.place

        def work(
            progress: Callable[[float], None], stop: Callable[[], bool]
        ) -> tuple[BackupLink, ...]:
            until = TapePosition(place.game, place.row + 1)
            writer = last_write(run, entry, until, progress=progress, stop=stop)
            return () if writer is None else chain(run, writer, stop=stop)

        links = self._searched(work)
        if links is GIVEN_UP:
            return [GIVEN_UP]
        if not links:
            return ["Nobody has written this value yet: it is the initial one."]
        many = "1 backup" if len(links) == 1 else f"the last {len(links)} backups"
        before = " before this game" if place.game >= run.games else ""
        heading = f"This value of {links[0].backup.player}, {many}{before}, newest first."
        return self._pages.begin(
            [heading, about(links[0].backup)], [link_sentence(link) for link in links]
        )

    def _gone(self, place: TapePosition) -> list[str]:
        timeline = self._session.timeline
        timeline.go_to_place(place)
        return [f"Game {place.game + 1:,}, event {place.row + 1}.", *told_place(timeline)]

    def _entry(self) -> int | None:
        update = current_update(self._session.timeline)
        return None if update is None or update.learned is None else update.learned.entry

    def _searched(self, work: Work) -> Any:
        return searched(self._session.run, self._tell, work)


def link_sentence(link: BackupLink) -> str:
    """A backup of a chain, and what its target was made of."""
    backup, places = link.backup, places_for(link.backup)
    old, new = figure(backup.old, places), figure(backup.new, places)
    change = f"stayed {new}" if backup.old == backup.new else f"{old} to {new}"
    told = f"Game {backup.game + 1:,}, ply {backup.ply}: {change}"
    if link.sources:
        source, place = link.sources[0], link.sources[0].place
        made = "there from the start" if place is None else f"of game {place.game + 1:,}"
        return f"{told}, towards {figure(source.value)}, {made}."
    return f"{told}, towards {figure(backup.target)}."

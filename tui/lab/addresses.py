"""Make and open addresses; an opened run is played in the background."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Outcome, Running, Work, refusal, refusing, sentence

GAMES_AT_ONCE: Final = 200
"""Games that are played in a blink, without a picture in between."""

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.address import Address
    from afterstate_lab.learners.runs.replay import OpenedAddress
    from afterstate_lab.tui.lab.session import Session


def session_address(session: Session, *, with_engine: bool = False) -> Address:
    """Return the address of the current moment.

    Raises:
        UsageError: the file of a player is gone.
    """
    from afterstate_lab.learners.runs.replay import address_of, place_of

    snapshot = session.snapshot if session.training is not None else None
    run = session.run if snapshot is None else snapshot.state
    is_end = session.mode is not Mode.STEP and (session.is_at_end or session.mode is Mode.PLAY)
    place = None if snapshot is not None or is_end else place_of(session.timeline)
    asked, what_if = session.what_if, None
    if asked is not None and place is not None and asked.is_about(session.run, place.game - 1):
        what_if = asked.player.lower(), asked.spec
    return address_of(
        run,
        session.script if session.waits else None,
        place=place,
        what_if=what_if,
        with_engine=with_engine,
    )


def opening(
    session: Session,
    text: str,
    files: Collection[str],
    take: Callable[[OpenedAddress], Outcome],
) -> Outcome:
    """Play the run of an address, in the background.

    Args:
        session: the lab; games that its run shares with the address are not played again.
        text: the address.
        files: the named files of players.
        take: opens the run.
    """
    from afterstate_lab.learners.runs.address import Address

    try:
        address = Address.parse(text)
    except UsageError as error:
        return refusal(sentence(error))
    return playing(session, address, files, take)


def opening_stop(
    session: Session,
    address: Address,
    files: Collection[str],
    take: Callable[[OpenedAddress], Outcome],
) -> Outcome:
    """Go to a moment of a walkthrough; at once if few games must be played."""
    from afterstate_lab.learners.runs.replay import open_address

    run = session.run
    same = (str(run.x), str(run.o), run.seed) == (address.x, address.o, address.seed)
    known = run.games if same and run.games <= address.games else 0
    if address.games > known + GAMES_AT_ONCE:
        return playing(session, address, files, take)
    try:
        opened = open_address(address, files, base=run, with_points=True)
        return None if opened is None else take(opened)
    except UsageError as error:
        return refusal(sentence(error))


def playing(
    session: Session,
    address: Address,
    files: Collection[str],
    take: Callable[[OpenedAddress], Outcome],
) -> Outcome:
    from afterstate_lab.learners.runs.replay import open_address

    run = session.run

    def work(stop: Running) -> OpenedAddress | str | None:
        try:
            return open_address(
                address, files, base=run, advance=stop.tell, stopped=stop, with_points=True
            )
        except UsageError as error:
            return str(error)

    def found(opened: OpenedAddress | str | None) -> Outcome:
        if opened is None:
            return refusal("Given up.")
        if isinstance(opened, str):
            return refusal(sentence(opened))
        return refusing(lambda _: take(opened))("")

    return Work(work, says="opening", then=found, run=run)

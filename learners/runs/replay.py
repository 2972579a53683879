"""Play the run of an address, and give a run its address."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from afterstate_lab.game import IllegalMoveError, Side
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluation import evaluate_memory
from afterstate_lab.learners.kernel.compiler import kernel_hash
from afterstate_lab.learners.kernel.hooks import Hooks, engine_with_hooks, parameters
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.kernel.memory import Layout
from afterstate_lab.learners.players.agent import sha256_of
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs.address import (
    HASHED,
    NONE,
    Address,
    AddressError,
    AddressPlace,
    canonical,
)
from afterstate_lab.learners.tape.run import (
    Progress,
    Run,
    Seating,
    Stop,
    cells_of,
    follow,
    never,
    script_of,
)
from afterstate_lab.learners.tape.timeline import Timeline, first_shown

if TYPE_CHECKING:
    from afterstate_lab.game.exact import Floats
    from afterstate_lab.learners.runs.listing import StoredRun
    from afterstate_lab.learners.tape.recording import Recording

LARGEST_FILE: Final = 64_000_000
"""Maximum number of bytes of a player's file."""
IN_FILE: Final = re.compile(r"(.+?)(\.py:.+|\.npz|\.csv|\.json)", re.DOTALL)
"""The name of a player in a file: the path without its ending, and the rest."""
CURVE_POINTS: Final = 16
"""Number of points of the learning curve per doubling."""


def named_player(spec: str, side: Side, files: Iterable[str]) -> PlayerSpec:
    """Return the player of a side by its spec in an address, which may live in one of the files
    that were named.

    Raises:
        AddressError: it lives in a file that was not named.
        UsageError: it cannot be used.
    """
    if found := HASHED.fullmatch(spec):
        sha256, ending, rest = found.groups()
        for path in files:
            if path.endswith(ending) and sha256_of(path, AddressError, LARGEST_FILE) == sha256:
                spec = path + rest
                break
        else:
            raise AddressError(
                f"{side.mark} of the address is a {ending} file with the SHA-256 {sha256[:12]}…, "
                "and no file that was named has it: name it with --file FILE"
            )
    player = parse_player(spec)
    player.rule.check_side(side)
    return player


@lean_dataclass
class OpenedRun:
    """A saved run, or the run of an address, played."""

    run: Run
    history: tuple[Point, ...] = ()
    """Its learning curve; of an address only if requested."""
    script: Mapping[int, int] = field(default_factory=dict)
    """The moves, cells 0-8 by ply, of a person's unfinished game."""
    warning: str = ""
    """What was damaged, and repaired or omitted; or that another engine wrote the address."""
    stored: StoredRun | None = None
    is_same_engine: bool = True
    """Whether this engine played the games."""
    address: Address | None = None
    what_if: PlayerSpec | None = None
    """The other player of the moment's game."""

    @property
    def name(self) -> str:
        """Its name in the store, if it is there."""
        return "" if self.stored is None else self.stored.name

    @property
    def place(self) -> AddressPlace | None:
        return None if self.address is None else self.address.place

    def make_ready(self) -> OpenedRun:
        """Prepare for the latest game; can take seconds, so call it in a thread."""
        if self.run.games:
            self.run.make_ready(first_shown(self.run.games - 1))
        return self

    def memory(self) -> Floats:
        """Memory of the run at the place, float64[2N], before any what-if."""
        if self.place is None:
            return self.run.memory
        timeline = Timeline(self.run)
        if self.script:
            timeline.show(self.run.play(self.script), at_end=True)
        go_to(timeline, self.place)
        return timeline.v

    def played_instead(self, advance: Progress) -> Recording:
        """Return the game of the place, as the what-if plays it."""
        address = self.address
        assert address is not None and address.what_if is not None and address.place
        x, o = (self.what_if if side == address.what_if[0] else None for side in "xo")
        found = replay_game(self.run, address.place.game - 1, x=x, o=o, progress=advance)
        assert found is not None
        return found.other


def spec_text(spec: PlayerSpec) -> str:
    """Return a player as an address has it: a file by its SHA-256."""
    name = spec.rule.name
    if name.startswith("cmd:"):
        raise AddressError(
            f"this run has no address: {shown(name)} is a program, and an address starts none"
        )
    found = IN_FILE.fullmatch(name)
    if found is None:
        return str(spec)
    stem, rest = found.groups()
    ending, colon, inner = rest.partition(":")
    options = str(spec).removeprefix(name)
    sha256 = sha256_of(stem + ending, AddressError, LARGEST_FILE)
    return f"sha256-{sha256}{ending}{colon}{inner}{options}"


def address_of(
    run: Run,
    script: Mapping[int, int] | None = None,
    *,
    place: AddressPlace | None = None,
    what_if: tuple[str, PlayerSpec] | None = None,
    with_engine: bool = False,
) -> Address:
    """Return the address of a run.

    Args:
        script: the moves, cells 0-8 by ply, of a game that is not over.
        place: a place in it.
        what_if: a side, `x` or `o`, and the player that replaces it in the game of the place.
        with_engine: also name the engine.
    """
    x, o = spec_text(run.x), spec_text(run.o)
    if changed_files(run):
        raise AddressError("this run has no address: the file of a player has changed since")
    changes = canonical(run.seating_changes)
    scripts = {**run.scripts, run.games: script_of(script)} if script else dict(run.scripts)
    engine = engine_hash(run.x, run.o)[:8] if with_engine else ""
    instead = None if what_if is None else (what_if[0], spec_text(what_if[1]))
    return Address(x, o, run.seed, run.games, changes, scripts, engine, place, instead)


def place_of(timeline: Timeline) -> AddressPlace | None:
    """Return the current moment, or None if the run has no event."""
    if not timeline.recording.size:
        return None
    row = timeline.row
    if row < 0:
        return AddressPlace(timeline.game + 1, 0)
    rows = timeline.rows
    game, ply = timeline.game + 1, timeline.event_at(row).ply
    event = 1 + sum(timeline.event_at(k).ply == ply for k in range(rows.start, row))
    phase = timeline.phases_done or None
    if phase is None and row == rows.start:
        return AddressPlace(game)
    if phase is None and event == 1 and ply:
        return AddressPlace(game, ply)
    return AddressPlace(game, ply, event, phase)


def go_to(timeline: Timeline, place: AddressPlace) -> None:
    try:
        timeline.go_to(place.game - 1)
    except IndexError:
        raise AddressError(f"no game {place.game:,}: the run has {timeline.run.games:,}") from None
    if place.ply is not None:
        timeline.seek(events_until(place, timeline.recording))
    if place.phase is not None and not timeline.go_to_phase(place.phase):
        raise AddressError(f"the event at {place} has no phase {place.phase}")


def events_until(place: AddressPlace, recording: Recording) -> int:
    """Return how many events of a recording come up to a place, its own included."""
    rows = recording.rows_of(place.game - 1)
    if place.ply is None or (place.ply == 0 and place.event is None):
        return rows.start + (place.ply is None)
    of_ply = [row for row in rows if recording.event(row).ply == place.ply]
    if not of_ply:
        raise AddressError(f"game {place.game:,} has no move {place.ply}")
    event = 1 if place.event is None else place.event
    if not 1 <= event <= len(of_ply):
        events = "1 event" if len(of_ply) == 1 else f"{len(of_ply)} events"
        raise AddressError(
            f"move {place.ply} of game {place.game:,} has {events}, not event {event}"
        )
    return of_ply[event - 1] + 1


def open_address(
    address: Address,
    files: Collection[str] = (),
    *,
    base: Run | None = None,
    advance: Progress = lambda part: None,
    stopped: Stop = never,
    with_points: bool = False,
) -> OpenedRun | None:
    """Play the run of an address; None where it was stopped.

    Args:
        files: files of players that the user has named.
        base: a run that may be the same, and is not played again then.
        advance: called with the part that is done.
        stopped: is asked whether to give up.
        with_points: take down the learning curve.

    Raises:
        AddressError: a player's file was not named, the address says what cannot be played, or a
            place that does not exist.
        UsageError: a player cannot be used.
    """
    x, o = named_player(address.x, Side.X, files), named_player(address.o, Side.O, files)
    what_if = None
    if address.what_if is not None:
        side, spec = address.what_if
        what_if = named_player(spec, Side.parse(side.upper()), files)
    if x.rule.human or o.rule.human:
        taken = Run.of(x, o, address.seed)
        changes = address.changes
        if changes == ((0, Seating()),):
            changes = canonical(taken.seating_changes)
        x, o = taken.x, taken.o
        address = replace(address, x=spec_text(x), o=spec_text(o), changes=changes)
    run, games = Run(x, o, address.seed), address.games
    if base is not None and (base.x, base.o, base.seed, base.games) == (x, o, run.seed, games):
        over = {game: moves for game, moves in address.scripts.items() if game < games}
        if base.scripts == over and canonical(base.seating_changes) == address.changes:
            run = base
    points: list[Point] = []
    for _ in play_on(run, address):
        if stopped():
            return None
        is_late = not points or run.games - points[-1].games >= run.games // CURVE_POINTS
        if with_points and (is_late or run.games >= games):
            verdict = evaluate_memory(run.layout, run.memory)
            points.append(Point(run.games, recent_results(run.tally), verdict))
        advance(run.games / games)
    script = cells_of(address.scripts.get(games, NONE))
    opened = OpenedRun(run, tuple(points), script, address=address, what_if=what_if)
    if script:
        trial = run.fork()
        play_game(trial, script)
        if trial.games > run.games:
            raise AddressError(
                f"the moves that an address gives end game {run.games + 1:,}, "
                f"and it says that {run.games:,} are over"
            )
    if what_if is None:
        opened.memory()  # refuses a place that does not exist
    if not address.engine or (own := engine_hash(x, o)).startswith(address.engine):
        return opened
    warning = (
        f"Another engine wrote this address ({address.engine}, this one is "
        f"{own[:8] or 'not known'}): its numbers may differ."
    )
    return replace(opened, warning=warning)


def play_on(run: Run, address: Address) -> Iterator[None]:
    """Play the games of an address that a run lacks, in parts."""

    def play(script: Mapping[int, int]) -> None:
        game = run.games
        play_game(run, script)
        if run.games == game:
            raise AddressError(f"an address lacks a move of a person in game {game + 1:,}")

    yield from follow(run, address.changes, address.scripts, address.games, play)
    run.seat(address.changes[-1][1])


def play_game(run: Run, script: Mapping[int, int]) -> None:
    """Play the next game of an address, with the moves that it gives."""
    try:
        run.play(script)
    except IllegalMoveError as error:
        said = printable(str(error)).removesuffix(".")
        raise AddressError(
            f"the moves that an address gives for game {run.games + 1:,}: {said}"
        ) from None


@cache
def engine_hash(x: PlayerSpec, o: PlayerSpec) -> str:
    """A hash of the kernel's sources, the players' rules included; empty without the sources."""
    layout = Layout.of(x, o)
    of_x, of_o = (
        Hooks.of(spec.rule, not spec.learns, parameters(table, layout, not spec.learns))
        for spec, table in ((x, layout.x), (o, layout.o))
    )
    try:
        return kernel_hash(engine_with_hooks(of_x, of_o))
    except OSError:
        return ""


def changed_files(run: Run) -> list[str]:
    """Return the players whose file is gone, or no longer holds what the run began with.

    The run has its own copy. No code of a file is run.
    """
    began, found = run.keyframes[0].memory, []
    for side in Side:
        table = run.layout.table(side)
        spec = table.spec
        if not spec.rule.is_saved:
            continue
        try:
            now = parse_player(spec.rule.name)
            if spec.rule.is_asked:
                is_same = now.settings["sha256"] == spec.settings["sha256"]
            else:
                layout = Layout.of(*(run.x, now) if side else (now, run.o))
                held = layout.table(side).values(layout.fresh())
                is_same = held.tobytes() == table.values(began).tobytes()
        except (UsageError, KeyError):
            is_same = False
        if not is_same:
            found.append(str(spec))
    return found

"""Why a value is what it is: its shares of results and initial values, and a tree of backups.

A row of the tree is a backup, a value that a target read, or an initial value. Each opens to the
backups of the value that its target read, down to results of games and initial values. The weight
of a row is its share of the value at the root, if every value is a mean of targets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from afterstate_lab.learners.ask.beads import bead_sum
from afterstate_lab.learners.ask.why import (
    WEIGHTLESS,
    BackupLink,
    NotLinearError,
    Shares,
    Source,
    chain,
    last_write,
    passing,
    shares_of,
)
from afterstate_lab.learners.rules.equation import TermRole
from afterstate_lab.tui.blocks.text import Share, Split
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.theme.numerals import percents, signed

if TYPE_CHECKING:
    from afterstate_lab.learners.ask.beads import BeadSum
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.recording import TapePosition
    from afterstate_lab.learners.tape.run import Progress, Run, Stop

Links = tuple[BackupLink, ...]
"""The backups of one value, newest first."""
WEIGHTY: Final = 3
"""Maximum number of games named, weightiest first."""


SHOWN: Final = 0.0005
"""Smaller shares are not shown."""
SMALL: Final = 0.0005
"""Two or more backups in a row that move a value by less are one row."""
SOON: Final = 0.1
"""Seconds after which the first shares are shown; the rest is found in the background."""
LOOKS: Final = 24
"""Maximum number of values to unroll while looking for a game that never came through."""


class Part(NamedTuple):
    name: str
    role: str
    number: str
    """Its size, as text."""
    share: float
    """Its share of the value; of beads, of the largest part."""


@dataclass(frozen=True)
class Why:
    """The backups that made a value, newest first, and its shares."""

    links: Links
    shares: Shares | None = None
    instead: str = ""
    """The explanation, if it is not a sum with fixed weights."""
    beads: BeadSum | None = None
    """What each result added or took, for beads."""

    @property
    def _results(self) -> tuple[tuple[str, str, str], ...]:
        """The results for the player: word, role and result."""
        player = self.links[0].backup.player
        other = "O" if player == "X" else "X"
        return ("win", "better", player), ("draw", "text", "draw"), ("loss", "worse", other)

    @property
    def parts(self) -> list[Part]:
        """Return the parts that add up to the value."""
        shares, beads = self.shares, self.beads
        if beads is not None:
            refill = beads.refill
            began = "a new box" if refill is None else f"the refill in game {refill.game + 1:,}"
            added = [(began, "dim", beads.start)]
            for word, role, result in self._results:
                if many := beads.games[result]:
                    words = f"{word}{('es' if word == 'loss' else 's') * (many != 1)}"
                    added.append((f"{many:,} {words}", role, beads.moved[result]))
            most = max(1.0, *(abs(number) for *_, number in added))
            numbers = [f"{beads.start:,.0f}", *(signed(number, 0) for *_, number in added[1:])]
            return [Part(name, role, told, abs(number) / most)
                    for (name, role, number), told in zip(added, numbers, strict=True)]  # fmt: skip
        if shares is None:
            return []
        plurals = ("wins", "draws", "losses")
        told = [(plurals[n], role, shares.results[result])
                for n, (_, role, result) in enumerate(self._results)]  # fmt: skip
        if shares.since > 0 and shares.earlier > SHOWN:
            told.append((f"before game {shares.since + 1:,}", "dim", shares.earlier))
        else:
            told.append(("first guess", "dim", shares.first))
        if shares.discounted:
            told.append(("discounted", "dim", shares.discounted))
        rounded = percents([weight for *_, weight in told], 1)
        return [Part(name, role, f"{percent:.1f}%", weight)
                for (name, role, weight), percent in zip(told, rounded, strict=True)]  # fmt: skip

    @property
    def is_rough(self) -> bool:
        """Whether older games could still be unrolled."""
        shares = self.shares
        return shares is not None and shares.since > 0 and shares.earlier > WEIGHTLESS

    @property
    def whose(self) -> Split | None:
        backup = self.links[0].backup
        is_start = backup.cell is None and not backup.board
        return None if self.shares is None or is_start else whose(self.shares, backup.player)

    @property
    def note(self) -> str:
        """A note on the sum, or the explanation instead of a sum."""
        if self.beads is not None:
            many = self.beads.refills
            if not many:
                return "Beads are a sum, not a mean: early games count as much as late ones."
            times = "once" if many == 1 else f"{many:,} times"
            return f"Refilled {times}: the earlier beads are gone."
        if self.shares is None:
            return sentence(self.instead)
        games = sorted(self.shares.games.items(), key=lambda item: -item[1])[:WEIGHTY]
        told = ", ".join(f"game {game + 1:,} {weight:.1%}" for game, weight in games)
        return f"Most: {told}." if told else "No result is in it yet."


def whose(shares: Shares, player: str) -> Split:
    """Return a bar: the weight of games that came through a board, of others, of first guesses."""
    parts = (
        Share("█", "own", shares.own, player.lower()),
        Share("▒", "borrowed", shares.borrowed, player.lower()),
        Share("░", "first guess", shares.first, "dim"),
        Share("─", "older", shares.earlier, "dim"),
        Share("·", "discounted", shares.discounted, "faint"),
    )
    told = [part for part in parts if part.part > SHOWN or part.fill in "█▒"]
    return Split("whose games", told)


def within(seconds: float) -> Stop:
    """Return what is true after so many seconds."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def explained(
    run: Run, place: TapePosition, *, progress: Progress, stop: Stop, seconds: float = SOON
) -> Why:
    """Explain the value after a backup, by the games that can be unrolled in some seconds."""
    links = chain(run, place, stop=stop)
    entry, value = links[0].backup.entry, links[0].backup.new
    if not run.layout.table_of(entry).spec.rule.estimates:
        return Why(links, beads=bead_sum(run, entry, place, progress=progress, stop=stop))
    try:
        shares = shares_of(run, entry, place, value, progress=progress, stop=stop,
                           enough=within(seconds))  # fmt: skip
        return Why(links, shares)
    except NotLinearError as error:
        return Why(links, instead=str(error))


def weights(links: Sequence[BackupLink]) -> list[float | None]:
    """Return each target's share of the newest value; None if it is not a mean of targets.

    A backup moves its entry by a share a of the way to its target, so a target still counts
    for a times the shares 1 - a of all later backups.
    """
    shares: list[float] = []
    left = 1.0
    for link in links:
        backup = link.backup
        moved, way = backup.new - backup.old, backup.error
        part = moved / way if abs(way) > 1e-12 else backup.step * backup.trace
        shares.append(left * part)
        left *= 1.0 - part
    is_mean = all(0.0 <= share <= 1.0 for share in shares)
    return [share if is_mean else None for share in shares]


def discount(table: Table) -> float:
    """Return the weight of a read value in a target: 1, or the discount rate."""
    options = [term.option for term in table.spec.rule.equation.terms
               if term.role is TermRole.DISCOUNT and term.option]  # fmt: skip
    return float(table.spec.settings[options[0]]) if options else 1.0


@dataclass(eq=False)
class WhyNode:
    depth: int
    weight: float | None
    """Its share of the value at the root, if fixed."""
    of: Links
    """The backups that it belongs to."""
    link: BackupLink | None = None
    source: Source | None = None
    """The value itself, if it is read from the table."""
    reader: BackupLink | None = None
    """The backup that reads it, if that reads several."""
    older: int = 0
    """Number of backups not listed yet."""
    inner: list[WhyNode] | None = None
    """The rows under it; None until they are looked up."""
    is_open: bool = False
    is_fold: bool = False
    """Whether it stands for the small steps inside it."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The values that its target read."""
        if self.source is not None:
            return (self.source,)
        return () if self.link is None else self.link.sources

    @property
    def read(self) -> Source | None:
        """The value that it opens to; None if none or several."""
        return self.sources[0] if len(self.sources) == 1 else None

    @property
    def can_open(self) -> bool:
        """Whether there are rows under it."""
        has_writer = self.read is not None and self.read.place is not None
        return bool(self.older) or self.is_fold or len(self.sources) > 1 or has_writer

    @property
    def place(self) -> TapePosition | None:
        """The moment to step from."""
        if self.is_fold and self.inner:
            return self.inner[0].place
        return self.link.place if self.link else None if self.source is None else self.source.place


class WhyTree:
    """A tree of rows that open and close.

    Args:
        made: the backups of the value at the root.
    """

    def __init__(self, run: Run, made: Links) -> None:
        self.run = run
        self.nodes = self.rows_for(made, 0, 1.0)

    @property
    def rows(self) -> list[WhyNode]:
        """Return the visible rows, from the top."""

        def seen(nodes: Sequence[WhyNode]) -> Iterator[WhyNode]:
            for node in nodes:
                yield node
                if node.is_open and node.inner is not None:
                    yield from seen(node.inner)

        return list(seen(self.nodes))

    def table(self, node: WhyNode) -> Table:
        """Return the learner of a row's value."""
        return self.run.layout.table_of(node.of[0].backup.entry)

    def rows_for(
        self, made: Links, depth: int, weight: float | None, skip: int = 0
    ) -> list[WhyNode]:
        """Return the rows of a value: each backup, then the start or the number of older ones.

        Args:
            skip: leave out the newest rows.
        """
        rule = self.run.layout.table_of(made[0].backup.entry).spec.rule
        is_mean = rule.estimates and not rule.shares_error
        known = weights(made) if is_mean else [None] * len(made)
        parts = [None if part is None or weight is None else part * weight for part in known]
        rows = [WhyNode(depth, part, made, link)
                for link, part in zip(made, parts, strict=True)]  # fmt: skip
        told = [part for part in parts if part is not None]
        left = weight - sum(told) if weight is not None and len(told) == len(rows) else None
        rows = folded(rows[skip:], keep=not skip) if rule.estimates else rows[skip:]
        older, first = made[-1].writes - 1, made[-1].backup
        if older and not made[-1].is_refill:
            rows.append(WhyNode(depth, left, made, older=older))
        elif not older:
            rows.append(WhyNode(depth, left, made, source=Source(first.entry, first.old, None)))
        return rows

    def parent(self, node: WhyNode) -> WhyNode | None:
        """Return the row above a row in the tree."""
        return next((one for one in self.rows if one.inner is not None and node in one.inner), None)

    def look(self, node: WhyNode, stop: Callable[[], bool] = lambda: False) -> Links | None:
        """Find the backups under a row, or older ones, by replaying games."""
        place = None if node.read is None else node.read.place
        if node.older:
            last = node.of[-1]
            place = last_write(self.run, last.backup.entry, last.place, stop=stop)
        if place is None:
            return node.of if node.older else None
        found = chain(self.run, place, stop=stop)
        return (*node.of, *found) if node.older else found

    def take(self, node: WhyNode, made: Links | None) -> list[WhyNode]:
        """Put the found backups under a row, or replace the row of older ones."""
        if node.older:
            assert made is not None
            parent = self.parent(node)
            rows = self.nodes if parent is None else parent.inner
            assert rows is not None
            kept = rows.index(node)
            known = [row.weight for row in rows if row.weight is not None]
            whole = sum(known) if len(known) == len(rows) else None
            rows[kept:] = self.rows_for(made, node.depth, whole, len(node.of))
            return rows[kept:]
        if made is None:
            node.inner = [WhyNode(node.depth + 1, None, node.of, source=source, reader=node.link)
                          for source in node.sources]  # fmt: skip
        else:
            weight = node.weight
            if weight is not None and node.read is not None:
                weight *= discount(self.table(node))
            node.inner = self.rows_for(made, node.depth + 1, weight)
        node.is_open = True
        return node.inner

    def merge(self, stop: Stop) -> list[tuple[WhyNode, list[WhyNode], WhyNode]]:
        """Find where a game comes in that never came through the value's board.

        Returns:
            The rows to open from the top, each with the rows inside it and the one to go to; empty
            if the weightiest rows have no such game.
        """
        entry, looks = self.nodes[0].of[0].backup.entry, 0
        ways: list[tuple[list[WhyNode], list[tuple[WhyNode, list[WhyNode], WhyNode]]]]
        ways = [(unfolded(self.nodes), [])]
        while ways and looks < LOOKS and not stop():
            rows, way = ways.pop(0)
            weighty = sorted((row for row in rows if row.link and row.read and row.can_open),
                             key=lambda row: -(row.weight or 0.0))  # fmt: skip
            for row in weighty:
                looks += 1
                links = self.look(row, stop)
                if not links or stop():
                    break
                inside = self.rows_for(links, row.depth + 1, row.weight)
                for one in unfolded(inside):
                    if one.link is not None:
                        game = one.link.place.game
                        if not passing(self.run.record(game, game + 1), entry):
                            return [*way, (row, inside, one)]
                ways.append((unfolded(inside), [*way, (row, inside, row)]))
        return []


def unfolded(rows: Sequence[WhyNode]) -> list[WhyNode]:
    """Return rows with the small steps themselves."""
    return [one for row in rows for one in (row.inner or () if row.is_fold else (row,))]


def folded(rows: list[WhyNode], *, keep: bool) -> list[WhyNode]:
    """Return rows with small steps in a row as one; `keep` leaves out the newest."""
    found = rows[:keep]

    def is_small(row: WhyNode) -> bool:
        return row.link is not None and abs(row.link.backup.new - row.link.backup.old) < SMALL

    for small, group in groupby(rows[keep:], is_small):
        steps = list(group)
        if not small or len(steps) == 1:
            found += steps
            continue
        parts = [row.weight for row in steps if row.weight is not None]
        weight = sum(parts) if len(parts) == len(steps) else None
        inner = [replace(row, depth=row.depth + 1) for row in steps]
        found.append(WhyNode(steps[0].depth, weight, steps[0].of, inner=inner, is_fold=True))
    return found

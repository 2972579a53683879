"""The tree of a value: the backups that made it, and behind each what its target was read from.

A row is a backup, a value that a target read, or where all began. Each opens to the backups that
wrote the value which its target read, down to results of games and first guesses. The weight of a
row is its share in the value at the root, where every value is a mean of targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from afterstate_lab.game import space
from afterstate_lab.learners.ask.beads import bead_sum
from afterstate_lab.learners.ask.why import BackupLink, Source, chain, last_write
from afterstate_lab.learners.rules.equation import TargetKind, TermRole
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.tui.lab.labels import board_label
from afterstate_lab.tui.lab.microscope.reading import board_of
from afterstate_lab.tui.lab.why import Why, why

if TYPE_CHECKING:
    from afterstate_lab.learners.kernel.memory import Table
    from afterstate_lab.learners.tape.run import Progress, Run, Stop

Links = tuple[BackupLink, ...]
"""The backups of one value, newest first."""


class WhyNode:
    """A row of the tree.

    Args:
        depth: how deep it is.
        weight: its share in the value at the root; None where there is no fixed one.
        of: the backups among which it stands.
        link: the backup.
        source: the value that is read, by itself.
        reader: the backup that reads it, where it reads several.
        older: so many backups are not listed yet.
    """

    def __init__(
        self,
        depth: int,
        weight: float | None,
        *,
        of: Links,
        link: BackupLink | None = None,
        source: Source | None = None,
        reader: BackupLink | None = None,
        older: int = 0,
    ) -> None:
        self.depth = depth
        self.weight = weight
        self.of = of
        self.link = link
        self.source = source
        self.reader = reader
        self.older = older
        self.inner: list[WhyNode] | None = None
        """The rows behind it; None where they were not looked for."""
        self.is_open = False

    @property
    def is_refill(self) -> bool:
        """Whether the backup filled a box anew."""
        return self.link is not None and self.link.is_refill

    @property
    def read(self) -> Source | None:
        """The value to which it opens; None where there is none, or several."""
        if self.source is not None:
            return self.source
        sources = () if self.link is None else self.link.sources
        return sources[0] if len(sources) == 1 else None

    @property
    def can_open(self) -> bool:
        """Whether there is anything behind it."""
        has_writer = self.read is not None and self.read.place is not None
        return bool(self.older) or self.reads_several or has_writer

    @property
    def reads_several(self) -> bool:
        """Whether its target was made of several values."""
        return self.link is not None and len(self.link.sources) > 1

    @property
    def place(self) -> TapePosition | None:
        """Where one steps from it."""
        return self.link.place if self.link else None if self.source is None else self.source.place


def explained(run: Run, place: TapePosition, *, progress: Progress, stop: Stop) -> Why:
    """Why the value is what it is that the backup at a place wrote."""
    links = chain(run, place, stop=stop)
    entry = links[0].backup.entry
    if run.layout.table_of(entry).spec.rule.estimates:
        return why(run, links, progress=progress, stop=stop)
    return Why(links, beads=bead_sum(run, entry, place, progress=progress, stop=stop))


def longer(run: Run, links: Links, stop: Stop) -> Links:
    """The same backups, and some older ones."""
    last = links[-1]
    place = last_write(run, last.backup.entry, last.place, stop=stop)
    return links if place is None else (*links, *chain(run, place, stop=stop))


def weights(links: Sequence[BackupLink]) -> list[float | None]:
    """The share that each target has in the newest value; None where it is no such mean.

    A backup moves its entry by a share a of the way to its target, so a target is still in the
    value with a times the shares 1 - a of all backups after it.
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


def is_mean_of_targets(table: Table) -> bool:
    """Whether a value of a learner is a mean of the targets that it was moved to."""
    rule = table.spec.rule
    return rule.estimates and not rule.shares_error


def discount(table: Table) -> float:
    """What a value that is read counts in a target: 1, or the discount rate."""
    options = [term.option for term in table.spec.rule.equation.terms
               if term.role is TermRole.DISCOUNT and term.option]  # fmt: skip
    return float(table.spec.settings[options[0]]) if options else 1.0


class WhyTree:
    """The rows of a value, opened and closed.

    Args:
        run: the run.
        made: the backups of the value at the root.
    """

    def __init__(self, run: Run, made: Links) -> None:
        self.run = run
        self.nodes = self.rows_for(made, 0, 1.0)

    @property
    def rows(self) -> list[WhyNode]:
        """The rows that are seen, from the top."""
        return list(self._seen(self.nodes))

    def _seen(self, nodes: Sequence[WhyNode]) -> Iterator[WhyNode]:
        for node in nodes:
            yield node
            if node.is_open and node.inner is not None:
                yield from self._seen(node.inner)

    def table(self, node: WhyNode) -> Table:
        """The learner whose value a row is about."""
        entry = node.of[0].backup.entry
        return self.run.layout.table_of(entry)

    def rows_for(self, made: Links, depth: int, weight: float | None) -> list[WhyNode]:
        """The rows of a value: a row a backup, and where it began or how many more there are."""
        table = self.run.layout.table_of(made[0].backup.entry)
        known = weights(made) if is_mean_of_targets(table) else [None] * len(made)
        parts = [None if part is None or weight is None else part * weight for part in known]
        rows = [
            WhyNode(depth, part, of=made, link=link) for link, part in zip(made, parts, strict=True)
        ]
        told = [part for part in parts if part is not None]
        left = weight - sum(told) if weight is not None and len(told) == len(rows) else None
        older = made[-1].writes - 1
        if older and not made[-1].is_refill:
            rows.append(WhyNode(depth, left, of=made, older=older))
        elif not older:
            first = made[-1].backup
            rows.append(WhyNode(depth, left, of=made, source=Source(first.entry, first.old, None)))
        return rows

    def parent(self, node: WhyNode) -> WhyNode | None:
        """The row behind which a row stands."""
        return next((one for one in self.rows if one.inner is not None and node in one.inner), None)

    def look(self, node: WhyNode, stop: Stop) -> Links | None:
        """Find what stands behind a row: games are played again for it."""
        if node.older:
            return longer(self.run, node.of, stop)
        place = None if node.read is None else node.read.place
        return None if place is None else chain(self.run, place, stop=stop)

    def opened(self, node: WhyNode) -> list[WhyNode]:
        """The rows behind a row that can open, looked for now."""
        if node.inner is None and not node.older:
            self.take(node, None if node.reads_several else self.look(node, lambda: False))
        if node.older:
            longer = self.look(node, lambda: False)
            assert longer is not None
            return self.rows_for(longer, node.depth, None)[len(node.of) :]
        assert node.inner is not None
        return node.inner

    def take(self, node: WhyNode, made: Links | None) -> None:
        """Put what was found behind a row, or in its place where it stood for older backups."""
        if made is None:
            assert node.link is not None
            node.inner = [
                WhyNode(node.depth + 1, None, of=node.of, source=source, reader=node.link)
                for source in node.link.sources
            ]
        elif node.older:
            self._lengthen(node, made)
            return
        else:
            weight = node.weight
            if weight is not None and node.read is not None:
                weight *= discount(self.table(node))
            node.inner = self.rows_for(made, node.depth + 1, weight)
        node.is_open = True

    def _lengthen(self, node: WhyNode, made: Links) -> None:
        """More backups in the place of the row that stood for them."""
        parent = self.parent(node)
        rows = self.nodes if parent is None else parent.inner
        assert rows is not None
        kept = rows.index(node)
        whole = sum(row.weight or 0.0 for row in rows)
        weight = whole if all(row.weight is not None for row in rows) else None
        rows[kept:] = self.rows_for(made, node.depth, weight)[kept:]


def ending(tree: WhyTree, node: WhyNode) -> str:
    """Why a row does not open."""
    if node.is_refill:
        return "The box was filled anew: these beads come from nowhere else."
    if node.link is None:
        return "This is what was there before the first backup."
    told = told_source(tree, node)
    if told.startswith("the "):
        return f"This is {told}: it is made of nothing else."
    return f"{told} was a first guess: nobody had written it before."


def told_source(tree: WhyTree, node: WhyNode) -> str:
    """What a row was read from: a result, a value, or the first guess."""
    link, source = node.link, node.read
    if node.older:
        return f"{node.older:,} older backup{'s' * (node.older != 1)}"
    if link is not None and not tree.table(node).spec.rule.estimates:
        return "the refill" if node.is_refill else result_word(link)
    if source is None:
        assert link is not None
        kind = tree.table(node).spec.rule.equation.kind
        is_best = kind in (TargetKind.BEST_PAIR, TargetKind.BEST_REPLY)
        return f"{'best of ' * is_best}{len(link.sources)} values"
    if link is None and node.reader is None:
        rule = tree.table(node).spec.rule
        return "the first guess" if rule.estimates else "a new box"
    table = tree.run.layout.table_of(source.entry)
    where = board_of(table, source.entry)
    if where is None or (where[1] < 0 and space().outcome[where[0]]):
        return "the result" if link is None else result_word(link)
    return f"{'V' if where[1] < 0 else 'Q'}({board_label(*where)})"


def result_word(link: BackupLink) -> str:
    """The result of the game of a backup, as its player sees it."""
    if link.result == "draw":
        return "the draw"
    return "the win" if link.result == link.backup.player else "the loss"

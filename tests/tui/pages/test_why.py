"""Why a value is what it is: its parts are the whole, and so are the rows of its tree, anywhere."""

from math import inf
from types import SimpleNamespace

import numpy as np
import pytest

from afterstate_lab.learners.ask.why import (
    Why,
    discount,
    explained,
    last_write,
    shares_of,
    weights,
)
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.events import Move
from afterstate_lab.learners.tape.recording import TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.lab.outcomes import Work
from afterstate_lab.tui.pages.provenance import WhyNode, WhyPage, note, parts, table_of, unfolded


def made(spec: str, games: int = 60) -> tuple[Run, Why]:
    """Why the value that was written most is what it is, after so many games."""
    run = Run.of(parse_player(spec), parse_player("random"), 4)
    run.train(games)
    entry = run.layout.x.base + int(run.layout.x.visits(run.memory)[0].argmax())
    place = last_write(run, entry, TapePosition(games, -1))
    return run, explained(run, place, progress=lambda part: None, stop=lambda: False, seconds=inf)


def worth(node: WhyNode) -> float:
    """What a row was worth: the target of a backup, or the first guess."""
    if node.link is not None:
        return node.link.backup.target
    assert node.source is not None
    return node.source.value


def opened(tree: WhyPage, rows: list[WhyNode]) -> list[WhyNode]:
    """Rows to the oldest."""
    while rows[-1].older:
        tree.take(rows[-1], tree.look(rows[-1]))
    return rows


def test_the_parts_of_a_value_are_the_whole_and_wins_are_the_learners_own():
    worth = {"wins": 1.0, "draws": 0.5, "losses": 0.0}
    for spec in ("td", "mc:step=1/n"):
        found = made(spec)[1]
        bars = parts(found)
        assert sum(part.share for part in bars) == pytest.approx(1.0, abs=1e-12)
        assert [part.label for part in bars] == [*worth, "first guess"]
        value = sum(worth.get(part.label, 0.5) * part.share for part in bars)
        assert value == pytest.approx(found.shares.value, abs=1e-12)
        assert note(found).startswith("Most: game ")
    assert parts(made("sarsa:gamma=.8", 200)[1])[-1].label == "discounted"


def test_games_that_are_too_many_to_look_at_are_one_part(monkeypatch):
    monkeypatch.setattr("afterstate_lab.learners.ask.why.MOST_GAMES", 200)
    bars = parts(made("td", 700)[1])
    assert [part.label for part in bars] == ["wins", "draws", "losses", "before game 401"]
    assert sum(part.share for part in bars) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("backups", "shares"),
    [
        # .5 → .6 → .75 by halves towards .7 and .9: half of .9, a quarter of .7, a quarter of .5
        ([(0.6, 0.9, 0.75), (0.5, 0.7, 0.6)], [0.5, 0.25]),
        ([(0.5, 0.5, 0.5), (0.5, 0.5, 0.5)], [0.1, 0.09]),  # by the step size
        ([(4.0, 5.0, 7.0)], [None]),  # beads that are added are no mean
    ],
)
def test_a_target_loses_a_share_to_every_backup_after_it(backups, shares):
    """Old, target and new of each, newest first."""
    links = [
        SimpleNamespace(
            backup=SimpleNamespace(old=old, new=new, error=target - old, step=0.1, trace=1.0)
        )
        for old, target, new in backups
    ]
    assert weights(links) == pytest.approx(shares)


@pytest.mark.quick("nstep:n=2", "mc:step=1/n")
@pytest.mark.parametrize(
    "spec", ["td", "mc:step=1/n", "sarsa:gamma=.8,symmetry=on", "nstep:n=2", "chain"]
)
def test_rows_sum_to_the_value_and_those_behind_a_row_to_its_part(spec):
    run, found = made(spec, 250 if "gamma" in spec else 60)
    tree = WhyPage(run, found)
    nodes = opened(tree, tree.root.inner)
    value = found.links[0].backup.new
    assert sum(node.weight for node in nodes) == pytest.approx(1.0, abs=1e-12)
    assert sum(n.weight * worth(n) for n in unfolded(nodes)) == pytest.approx(value, abs=1e-12)
    tried = [node for node in nodes if node.can_open and not node.is_fold][:3]
    for node in tried:
        rows, read = opened(tree, tree.take(node, tree.look(node))), node.read
        part = node.weight * discount(table_of(run.layout, node))
        assert sum(row.weight for row in rows) == pytest.approx(part, abs=1e-12)
        whole = sum(row.weight * worth(row) for row in unfolded(rows))
        assert whole == pytest.approx(part * read.value, abs=1e-12)
    assert tried or spec.startswith("mc")


def press(page: WhyPage, name: str) -> str:
    """Do what a key asks for, and what it leaves to a thread; what comes of it."""
    outcome = getattr(page, name)()
    if isinstance(outcome, Work):
        outcome = outcome.taken(outcome.do(lambda: False))
    return outcome or ""


def test_b_opens_the_tree_where_a_game_comes_in_that_never_came_here():
    run, found = made("td", 60)
    page = WhyPage(run, found)
    assert press(page, "borrowed") == "It borrows nothing: all its games came through this board."
    run = Run.of(parse_player("td"), parse_player("biased"), 1)
    run.train(100)
    entries = [
        run.layout.x.base + entry for entry in np.flatnonzero(run.layout.x.visits(run.memory)[0])
    ]
    shares = [shares_of(run, entry, TapePosition(99, 99), run.memory[entry]) for entry in entries]
    entry = max(zip(shares, entries, strict=True), key=lambda one: one[0].borrowed)[1]
    place = last_write(run, entry, TapePosition(100, -1))
    page = WhyPage(
        run, explained(run, place, progress=lambda part: None, stop=lambda: False, seconds=inf)
    )
    said = press(page, "borrowed")
    game = page.selected.link.place.game
    assert said.startswith(f"Game {game + 1:,} never came here: it merges at V(")
    boards = {
        event.afterstate for event in run.record(game, game + 1).events() if isinstance(event, Move)
    }
    assert entry - run.layout.x.base not in boards
    merged = page.selected.parent
    merged = merged.parent if merged.is_fold else merged
    assert merged.read.entry - run.layout.x.base in boards

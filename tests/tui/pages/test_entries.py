"""The entries of a run: their table, the card of a value, and why it is what it is."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from piloting import Desk, desk_of
from reading import done, lab_of, lines, press, reasons, session_of, trained_lab

from afterstate_lab.learners.ask.why import chain
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.training import Goal
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.labels import board_label
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.pages.page import Leave
from afterstate_lab.tui.pages.table import EntryTable, open_on
from afterstate_lab.tui.pages.value import ValueCard, WhyPage, note, parts

LEARNERS = [
    "td:symmetry=on", "chain:plies=all", "q", "double-q", "negamax", "menace",
]  # fmt: skip


def test_it_opens_at_the_entry_of_the_event_with_the_numbers_of_that_place() -> None:
    session = session_of("td", "td")
    session.timeline.go_to(40)
    while not isinstance(session.timeline.event, Backup):
        session.timeline.step()
    table, many = EntryTable(lab_of(session)), len(session.run.layout.x.entries.boards)
    rows = table.rows
    assert rows.entry(table.selected) % many == session.timeline.event.entry % many
    assert rows.visits.sum() < session.run.layout.x.visits(session.run.memory).sum()
    own = session.run.layout.table(table.side)
    assert np.array_equal(rows.values, session.timeline.v[own.base + rows.entries])


@pytest.mark.parametrize("spec", LEARNERS)
@pytest.mark.parametrize("games", [0, 60])
def test_every_learner_is_shown_sorted_by_every_column(spec: str, games: int) -> None:
    table = EntryTable(trained_lab(spec, "td", games))
    for number, name in enumerate([*table.rows.columns][:9], 1):
        was = table.column
        press(table.page, str(number))
        assert (table.column, table.reverse) == (name, name == was)
        heads = [column.head for column in table.table().columns]
        assert sum(head.endswith(("▲", "▼")) for head in heads) == 1
        assert len(lines(table.page())) == 24
    board, cell = (int(column[table.selected]) for column in (table.rows.boards, table.rows.cells))
    table.filter_by(board_label(board, cell))
    assert len(table.order) == 1
    table.filter_by("visits>999999")
    assert any("No value matches" in line for line in lines(table.page()))
    with pytest.raises(UsageError, match="no value is selected"):
        table.card()


@pytest.mark.quick("double-q", "menace")
@pytest.mark.parametrize("spec", LEARNERS)
def test_enter_opens_the_card_of_the_row_with_its_number(spec: str) -> None:
    lab = trained_lab(spec, "td", 40)
    page = open_on(lab, None, "X visits>0")
    for _ in range(6):
        answer = press(page, "enter")
        row = page().blocks[0].items[page().window.cursor]
        rows = EntryTable(lab).rows
        card = ValueCard(lab, answer.outcome.data)
        assert (card.board, card.cell) == (rows.boards[row], rows.cells[row])
        assert card.now == rows.parts[0, row]
        page().window.move(1)


def test_a_training_is_looked_on() -> None:
    session = session_of("td", "td", 20)
    session.begin_training(Goal(1000))
    table = EntryTable(lab_of(session))
    session.run.train(20)
    table.work.taken(None)
    assert np.array_equal(session.known[0], session.snapshot.state.memory)
    assert table.rows.visits.max() == 20
    with pytest.raises(UsageError, match="after training"):
        press(table.page, "enter")


@desk_of(games=40)
async def test_a_click_and_the_wheel_move_the_cursor(desk: Desk) -> None:
    await desk.finish("w end v")
    table = desk.state
    row = next(n for n, line in enumerate(desk.text.splitlines()) if line.startswith("│▸"))
    await desk.pilot.click(offset=(10, row + 4))
    assert table.list.cursor == 4
    desk.screen.turn_wheel(SimpleNamespace(x=10, y=row))
    assert table.list.cursor == 7


def seen(card: ValueCard) -> ValueCard:
    """The card, once it has found what it looks for."""
    if card.page().work is not None:
        card.take(card.look(lambda: False))
    return card


def lab_at_write(x: str, o: str, games: int, *, asks: bool = False) -> LabController:
    lab = trained_lab(x, o, games)
    lab.session.predictions.wanted = asks
    lab.perform("change_back")
    if asks:
        lab.perform("phase_back")
    return lab


def card_of(lab: LabController) -> ValueCard:
    opened = lab.perform("card")
    assert isinstance(opened, Open)
    return seen(ValueCard(lab, opened.data))


def begun(card: ValueCard, name: str) -> Any:
    """What comes of one of its commands."""
    card.at.cursor = [item[0] for item in card.items].index(name)
    return done(card.begin().outcome)


@pytest.mark.parametrize(
    ("x", "o", "games", "said"),
    [
        ("td", "td", 1, "X expects .450 of this board. It was .500; a loss pulled it down."),
        ("q", "td", 1, "X expects .450 of playing 5 here. It was .500; a loss pulled it down."),
        ("tdlambda", "random", 40,
         "X expects .757 of this board. It was .731; a win pulled it up."),
        ("negamax", "negamax", 50,
         "O expects .451 of this board. It was .500; a later value pulled it down."),
        ("menace", "td", 3, "X holds 1 bead for playing 1 here. It was 2; a loss pulled it down."),
    ],
)  # fmt: skip
def test_it_says_what_is_expected_and_what_moved_it(x: str, o: str, games: int, said: str):
    lab = lab_at_write(x, o, games)
    assert card_of(lab).said == said
    if (x, games) == ("td", 1):
        lab.session.timeline.go_to(0)
        card = card_of(lab)
        assert card.said == "X expects .500 of this board. No game has changed it yet."
        assert next(name for name, *_ in card.items) == "table"


def test_what_is_to_be_predicted_stays_hidden():
    lab = lab_at_write("td", "td", 20, asks=True)
    assert lab.perform("card").word == "predict", "Enter answers what is asked"
    card = seen(ValueCard(lab, lab.session.timeline.event.entry))  # type: ignore[union-attr]
    backup = card.update.backup
    assert card.entry == backup.entry and card.now == backup.old != backup.new
    shown = " ".join(lines(card.page(), 120, 40))
    assert "Hidden until you have said what is written." in shown
    made = begun(card, "provenance").data
    assert made.links[0].backup.new == backup.old, "why is about the value before it"


def test_the_parts_of_a_value_are_the_whole_and_wins_are_the_learners_own():
    worth = {"wins": 1.0, "draws": 0.5, "losses": 0.0}
    for spec in ("td", "mc:step=1/n"):
        found = reasons(spec)[1]
        bars = parts(found)
        assert sum(part.share for part in bars) == pytest.approx(1.0, abs=1e-12)
        assert [part.label for part in bars] == [*worth, "first guess"]
        value = sum(worth.get(part.label, 0.5) * part.share for part in bars)
        assert value == pytest.approx(found.shares.value, abs=1e-12)
        assert note(found).startswith("Most: game ")
    assert parts(reasons("sarsa:gamma=.8", 200)[1])[-1].label == "discounted"


def test_games_that_are_too_many_to_look_at_are_one_part(monkeypatch):
    for limit in ("MOST_GAMES", "AT_ONCE"):
        monkeypatch.setattr(f"afterstate_lab.learners.ask.why.{limit}", 200)
    bars = parts(reasons.__wrapped__("td", 700)[1])
    assert [part.label for part in bars] == ["wins", "draws", "losses", "before game 401"]
    assert sum(part.share for part in bars) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.quick("nstep:n=2", "mc:step=1/n")
@pytest.mark.parametrize("spec", ["mc:step=1/n", "sarsa:gamma=.8,symmetry=on", "nstep:n=2"])
def test_rows_sum_to_the_value_and_enter_opens_the_value_that_a_row_read(spec):
    run, found = reasons(spec, 250 if "gamma" in spec else 60)
    whole = chain(run, found.links[0].place, limit=10_000)
    page = WhyPage(run, replace(found, links=whole), Leave)
    rows, value = page.rows, found.links[0].backup.new
    worths = [row.link.backup.target for row in rows[:-1]] + [page.made.links[-1].backup.old]
    assert sum(row.weight for row in rows) == pytest.approx(1.0, abs=1e-12)
    whole = sum(row.weight * worth for row, worth in zip(rows, worths, strict=True))
    assert whole == pytest.approx(value, abs=1e-12)
    opens = [n for n, row in enumerate(rows) if row.inside]
    for n in opens[:3]:
        page.at.cursor = n
        inside = done(page.open()).__self__
        assert inside.made.links[0].backup.new == rows[n].link.read[1]
        assert inside.step() == Leave(Leave(inside.made.links[0].place))
    assert opens or spec.startswith("mc")

"""Pages and blocks without a screen: what they show, and what comes of a key."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

from made import run_of

from afterstate_lab.game import Side, space
from afterstate_lab.game.exact import minimax_values
from afterstate_lab.learners.ask.be import ByHand
from afterstate_lab.learners.ask.drill import free, state_of
from afterstate_lab.learners.ask.why import Why, chain, explained, last_write
from afterstate_lab.learners.experiments.plan import Plan, find_plan
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.listing import RunInfo
from afterstate_lab.learners.tape.recording import Backup, TapePosition
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import WRITE, Timeline
from afterstate_lab.tui.blocks.block import Block, Part, Quantity, pasted, placed
from afterstate_lab.tui.blocks.lists import Cell
from afterstate_lab.tui.blocks.span import Pen, Words
from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.controller import LabController
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero
from afterstate_lab.tui.lab.microscope.reading import Update, update_at
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Running, Work
from afterstate_lab.tui.lab.session import Session, Settings
from afterstate_lab.tui.pages import turn
from afterstate_lab.tui.pages.be import Quiz
from afterstate_lab.tui.pages.drill import DrillPage
from afterstate_lab.tui.pages.expect import Expectation
from afterstate_lab.tui.pages.experiments import Experiments, PlanEntry
from afterstate_lab.tui.pages.lessons import Lessons
from afterstate_lab.tui.pages.map import MapPage
from afterstate_lab.tui.pages.page import Leave, Page
from afterstate_lab.tui.pages.review import Review
from afterstate_lab.tui.pages.runs import Runs
from afterstate_lab.tui.pages.setup import Setup
from afterstate_lab.tui.pages.table import EntryTable
from afterstate_lab.tui.pages.turn import Knob
from afterstate_lab.tui.pages.value import ValueCard, WhyPage
from afterstate_lab.tui.plain import Dialogue
from afterstate_lab.tui.screens.page import footer, top
from afterstate_lab.tui.screens.paper import visible
from afterstate_lab.tui.theme.glyphs import ASCII, UNICODE

PEN, BARE = Pen(UNICODE), Pen(ASCII, paints=False, colours=False)
NUMBER = re.compile(r"[\d.,]*\d[\d.,]*")
MORE = re.compile(r"\d+ more")
"""Tells how many rows are left out."""


def framed(part: Part, columns: int, rows: int, pen: Pen = PEN) -> list[str]:
    """The lines of a block, or of several, in their frames."""
    lines = pasted(list(placed(part, columns, rows, pen)), rows, pen)
    return [visible(joined(line), pen.glyphs) for line in lines]


def numbers(lines: Sequence[str]) -> set[str]:
    return set(NUMBER.findall(MORE.sub("", "\n".join(lines))))


def cut_numbers(part: Part, *widths: int) -> Iterator[tuple[int, int, str]]:
    """What is drawn in rooms of these widths and is a part of a number that a large one shows."""
    whole = numbers(framed(part, 400, 100))
    for columns in widths:
        for rows in (6, 7, 9, 11, 24):
            for found in numbers(framed(part, columns, rows)) - whole:
                if any(found in other for other in whole):
                    yield columns, rows, found


def compare(found: str, kept: Path) -> None:
    """Compare a text with a file; with `AFTERSTATE_NEW_SNAPSHOTS=1` keep it there, to be read."""
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        kept.write_text(found, encoding="utf-8")
    assert found == kept.read_text(encoding="utf-8")


def picked(block: Block, columns: int = 118, rows: int = 28) -> list[str]:
    """The texts that are underlined."""
    pieces = (piece for line in block.draw(columns, rows, PEN) for piece in line)
    return [text for text, role in pieces if role.startswith("picked ")]


def lines_of(block: Block, columns: int = 118, rows: int = 28) -> list[str]:
    return ["".join(text for text, _ in line) for line in block.draw(columns, rows, PEN)]


def at_backup(x: str, phase: int = WRITE, games: int = 60, game: int = 30) -> Timeline:
    """A backup of X in the middle of a game against chance, at a phase."""
    timeline = Timeline(run_of(x, "random", games, 3))
    timeline.go_to(game)
    while not (
        isinstance(timeline.event, Backup)
        and timeline.event.ply >= 3
        and timeline.phase == phase
        and timeline.event.player == "X"
    ):
        assert timeline.step_phase()
    return timeline


@cache
def update_of(x: str, phase: int = WRITE) -> Update:
    return update_at(at_backup(x, phase))


def panes_at(x: str, chosen: Quantity | None = None) -> tuple[Block, ...]:
    u = update_of(x)
    return choice_of(u), Hero(update=u, chosen=chosen, rows=24, is_full=True)


def walk(x: str, o: str, games: int = 40, phases: int = 110) -> Iterator[Update]:
    """Go through the first games of a trained run, phase by phase."""
    timeline = Timeline(run_of(x, o, games, 3))
    timeline.go_to(3)
    timeline.seek(timeline.rows.start)
    for _ in range(phases):
        if not timeline.step_phase():
            return
        if (update := update_at(timeline)) is not None:
            yield update


def session_of(x: str = "td", o: str = "td", games: int = 60, seed: int = 7) -> Session:
    """A session that looks at the last of some games."""
    session = Session(Settings(parse_player(x), parse_player(o), seed))
    if games:
        session.run.train(games)
        session.timeline.go_to(games - 1, at_end=True)
    return session


def trained_lab(x: str = "td", o: str = "td", games: int = 60) -> LabController:
    lab = lab_of(session_of(x, o, games))
    lab.session.mode = Mode.STEP
    return lab


def lab_of(session: Session) -> LabController:
    lab = LabController(session.settings)
    lab.session = session
    return lab


def sit(o: str = "td") -> Dialogue:
    """A dialogue that has told its first lines, of a person against a learner."""
    dialogue = Dialogue(run_of("human", o))
    dialogue.begin()
    return dialogue


def stepping(x: str, o: str, games: int) -> Dialogue:
    """A dialogue that steps through a run of two players."""
    dialogue = Dialogue(run_of(x, o, games, 3))
    dialogue.answer("step")
    return dialogue


def lines(page: Page, columns: int = 80, rows: int = 24, pen: Pen = PEN) -> list[str]:
    body = pasted(list(placed(page.body, columns, rows - 2, pen)), rows - 2, pen)
    shown = (top(page, columns, pen), *body, footer(page, columns, pen))
    return [visible(joined(line), pen.glyphs).rstrip() for line in shown]


def text_of(cell: Cell | Words) -> str:
    return joined(cell.words if isinstance(cell, Cell) else cell)


def done(outcome: Any) -> Any:
    """What comes of work that is done at once."""
    while isinstance(outcome, Work):
        outcome = outcome.taken(outcome.do(Running(outcome)))
    return outcome


def do(make: Callable[[], Page], key: str, *text: str) -> Any:
    """What comes of a key, or of a word."""
    found = next(one for one in make().keys if key in one.key.split() or key == one.word)
    return done(found.do(*text))


def do_work(make: Callable[[], Page]) -> None:
    while (work := make().work) is not None:
        done(work)


def press(make: Callable[[], Page], *keys: str) -> Any:
    return [do(make, key) for key in keys][-1]


def runs_page(spec: str) -> Runs:
    """Runs that were saved at noon of days of long ago."""
    runs, infos = Runs(trained_lab(games=0)), []
    runs.open_id = 2
    for n in range(1, 5):
        day, games = datetime(2026, 3, n, 12, tzinfo=UTC), 10 ** (n + 1)
        note, learned = "for Tuesday" * (n % 2), (games, games - 20, 12, 8, n % 2)
        begun = day.replace(year=2025)
        infos.append(RunInfo(n, f"run {n}", note, begun, day, spec, "td", n, *learned, "0" * 64))
    runs.runs = tuple(infos)
    return runs


def setup_page(spec: str) -> Setup:
    lab = trained_lab(spec, games=0)
    return Setup(lab, lab.session.settings)


@cache
def over(plan: Plan) -> Experiment:
    run = Experiment(plan)
    run.work()
    return run


def experiments_page(stage: str) -> Experiments:
    """The list of plans, a plan before its first run, or one whose run is over."""
    shown = Experiments(trained_lab(games=0))
    if stage != "list":
        plan = find_plan("exploration").resized(2, 60)
        shown.entries = [PlanEntry(plan, prediction="B, by a little")]
        shown.open()
    if stage == "over":
        shown.entry.run = over(plan)
        done(shown.look())
        shown.results = replace(shown.results, seconds=2.0)
    return shown


@cache
def played(spec: str) -> Run:
    """A run in which a person has played a game against a learner, and lost."""
    run = run_of("human", spec, seed=1)
    run.play({1: 0, 2: 1, 3: 4, 4: 2, 5: 8})
    return run


@cache
def reasons(spec: str, games: int = 120) -> tuple[Run, Why]:
    """A run, and why its most visited value is what it is."""
    run = run_of(spec, "random", games, 3)
    entry = run.layout.x.base + int(run.layout.x.visits(run.memory)[0].argmax())
    return run, explained(run, chain(run, last_write(run, entry, TapePosition(games, -1))))


def value_card(spec: str) -> ValueCard:
    lab = trained_lab(spec, spec)
    lab.session.timeline.go_to(30)
    card = ValueCard(lab, lab.session.entry or 0)
    card.take(card.look(lambda: False))
    return card


def expect_page(spec: str) -> Expectation:
    """The page of a run among six seeds."""
    page = Expectation(session_of(spec, spec).run, seeds=6)
    do_work(page.page)
    return page


def knob_page(spec: str) -> Knob:
    """Turned once, after the players as they are."""
    player = parse_player(spec)
    knob = Knob(LabController(Settings(player, player, 7)), size=(4, 120))
    with patch.object(turn, "SECONDS", inf):
        do_work(knob.page)
        press(knob.page, "right")
        do_work(knob.page)
    return knob


def drill_page(stage: str) -> DrillPage:
    """After some safe answers, after one that loses, or proved."""
    page = DrillPage(Side.O)
    for _ in range(2 if stage == "asked" else 99 if stage == "proved" else 0):
        if page.question is not None:
            press(page.page, safe(page.question))
    if stage == "lost":
        press(page.page, "2")
    return page


def safe(path: tuple[int, ...]) -> str:
    """The first cell that does not lose."""
    states, state = space(), state_of(path)
    keep = minimax_values()[states.successor[state]] <= 0
    return str(next(cell for cell in free(state) if keep[cell]) + 1)


PAGES: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "runs": (runs_page, ("td",)),
    "table": (lambda spec: EntryTable(lab_of(session_of(spec))), ("td", "q", "menace")),
    "value": (value_card, ("td", "q", "menace")),
    "setup": (setup_page, ("td", "q", "menace")),
    "experiments": (experiments_page, ("list", "plan", "over")),
    "review": (
        lambda spec: Review(Dialogue(played(spec)).controller, played(spec), 0),
        ("td", "q", "menace"),
    ),
    "map": (lambda spec: MapPage(trained_lab(spec, games=200)), ("td", "q")),
    "provenance": (lambda spec: WhyPage(*reasons(spec), Leave), ("td", "q", "menace")),
    "be": (lambda spec: Quiz(ByHand(parse_player(spec), 1)), ("td", "menace")),
    "turn": (knob_page, ("td", "menace")),
    "expect": (expect_page, ("td", "menace")),
    "drill": (drill_page, ("asked", "lost", "proved")),
    "lessons": (lambda _: Lessons(trained_lab(games=0)), ("all",)),
}
"""How the state of each page is made, and of what: a player, or how far it is."""
SAMPLES = [f"{name}-{spec}" for name, (_, specs) in PAGES.items() for spec in specs]


def sample(name: str) -> Callable[[], Page]:
    page, _, spec = name.partition("-")
    make: Callable[[], Page] = PAGES[page][0](spec).page
    return make

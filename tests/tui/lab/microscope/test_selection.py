"""One selection, several views: the marked numbers are the same number, for every learner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.tape.events import Backup, GameOver, Move
from afterstate_lab.learners.tape.timeline import CHOICE, TARGET, VALUES, WRITE
from afterstate_lab.tui.blocks.equation import Equation
from afterstate_lab.tui.blocks.meaning import Quantity, Role
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import Kind
from afterstate_lab.tui.lab.microscope.selection import following
from afterstate_lab.tui.theme.numerals import compact, decimals
from afterstate_lab.tui.views.words import Words

LEARNERS = (
    "td",
    "td:symmetry=on,step=1/n,exploration=learn",
    "chain:plies=all,exploration=forget",
    "chain",
    "mc",
    "nstep:n=3",
    "tdlambda",
    "negamax",
    "negamax:gamma=1,symmetry=on",
    "q",
    "q:gamma=0.9,symmetry=on,win=1,draw=0,loss=-1",
    "sarsa",
    "expected-sarsa",
    "double-q",
    "menace",
    "menace:beads=1,empty=refill",
    "menace-article",
    "menace-code",
)
PLAYERS = [
    *((learner, "random") for learner in LEARNERS),
    ("td", "td"),
    ("negamax", "negamax"),
    ("menace-code", "menace-code"),
    ("td", "menace:beads=1"),
    ("perfect:epsilon=0.2", "double-q"),
]
KINDS = (("td", "random"), ("menace", "random"), ("negamax", "negamax"))
"""Learners of one value, of beads, and of moves; the views of all the others take long."""
KINDS_FIRST = [
    pytest.param(*pair, marks=[] if pair in KINDS else pytest.mark.slow) for pair in PLAYERS
]


def selecting(scope: Microscope, quantity: Quantity) -> Microscope:
    """The same place with something selected."""
    return Microscope(scope.timeline, scope.update, quantity)


def text(words: Words) -> str:
    return words if isinstance(words, str) else "".join(piece for piece, _ in words)


def numbers(
    scope: Microscope, equation: Equation
) -> Iterator[tuple[Quantity | None, float | None]]:
    """Every number of boards, rows and the number line, with what it stands for."""
    yield from ((means, mark.value) for mark in equation.marks for means in mark.quantities)
    yield from ((each.quantity, each.number) for each in equation.sums)
    for board in (scope.afterstate(), scope.next_afterstate()):
        yield from ((value.quantity, value.value) for value in board.values)
    for row in scope.choice().rows:
        yield row.quantity, row.value
        yield from ((detail.quantity, detail.value) for detail in row.details)
    yield from ((row.quantity, row.value) for row in scope.diagram().rows)
    for change in scope.entries().rows:
        yield from ((change.old_quantity, change.old), (change.new_quantity, change.new))


def expected(scope: Microscope, quantity: Quantity) -> float | None:
    """What the event, or memory, says of a quantity; None where the formula alone has it."""
    backup, v = scope.update.backup, scope.timeline.v
    if quantity.role in (Role.STEP, Role.DISCOUNT, Role.BEADS, Role.TRACE):
        return None
    if quantity.role is Role.MEAN:
        other = quantity.entry + len(scope.update.table.entries.boards)
        return 0.5 * float(v[quantity.entry] + v[other])
    if quantity.role is Role.OLD and backup is not None:
        return backup.old
    if quantity.role is Role.REWARD:
        return float(v[quantity.entry]) if quantity.entry >= 0 else 0.0
    if quantity.role in (Role.OLD, Role.ENTRY) or (
        quantity.role is Role.READ and quantity.entry >= 0
    ):
        return float(v[quantity.entry])
    assert backup is not None
    if quantity.role is Role.NEW:
        return backup.new
    if quantity.role is Role.READ:
        return scope.context.inputs.value
    if quantity.role is Role.ERROR:
        return scope.update.error
    return backup.target if quantity.role is Role.TARGET else backup.new - backup.old


@pytest.mark.quick("menace-random")
@pytest.mark.parametrize(("x", "o"), KINDS_FIRST, ids=lambda spec: spec)
def test_all_marked_numbers_are_the_number_of_the_event(walk, x, o):
    seen = set()
    for scope in walk(x, o, phases=60):
        for quantity in scope.quantities:
            seen.add(quantity.role)
            picked = selecting(scope, quantity)
            assert picked.selected == quantity
            number, equation = expected(scope, quantity), picked.equation()
            same = [value for means, value in numbers(picked, equation) if means == quantity]
            if number is not None:
                assert same == [number] * len(same)
            terms = [term for term in equation.terms if term.quantity == quantity]
            assert equation.chosen == quantity
            assert same or any(quantity in term.means for term in equation.terms)
            told = [term.number.strip().strip("()") for term in terms]
            check_terms(scope, told, number)
            check_words(equation.selection, quantity, number, told)
    assert Role.OLD in seen
    assert Role.NEW in seen


def check_terms(scope: Microscope, told: list[str], number: float | None) -> None:
    """The terms show the number that is marked elsewhere."""
    if number is None:
        return
    places = 0 if scope.update.kind is Kind.BEADS else 6
    shown = {decimals(number, places), compact(number), compact(number, 6), compact(abs(number))}
    if scope.update.target_kind is TargetKind.BEST_REPLY:
        told = [each.removeprefix("1−").rpartition("×(½−")[2].rstrip(")") for each in told]
    assert set(told) <= shown


def check_words(
    selection: tuple[Words, ...], quantity: Quantity, number: float | None, told: list[str]
) -> None:
    """One line says the name and the number first, and fits a wide terminal."""
    pieces = [text(piece) for piece in selection]
    assert len(pieces[0]) <= 74
    assert len("".join(pieces)) <= 114
    if quantity.role in (Role.STEP, Role.DISCOUNT):
        assert f" {told[0]}: " in pieces[0]
    elif number is not None:
        digits = {decimals(abs(number), 6), decimals(abs(number), 0), compact(abs(number))}
        assert any(each in pieces[0] for each in digits)


@pytest.mark.parametrize(("x", "o"), PLAYERS, ids=lambda spec: spec)
def test_selecting_forth_and_back_is_a_round_trip(walk, x, o):
    for scope in walk(x, o, phases=16):
        assert len(set(scope.quantities)) == len(scope.quantities)
        forth: list[Quantity | None] = [None]
        for _ in scope.quantities:
            forth.append(following(forth[-1], scope.quantities, 1))
        assert forth == [None, *scope.quantities]
        assert following(forth[-1], scope.quantities, 1) is None
        back: list[Quantity | None] = [None]
        for _ in scope.quantities:
            back.append(following(back[-1], scope.quantities, -1))
        assert back[1:] == forth[:0:-1]


@pytest.mark.quick("negamax-negamax")
@pytest.mark.parametrize(("x", "o"), KINDS_FIRST, ids=lambda spec: spec)
def test_nothing_is_selected_before_it_is_known(walk, x, o):
    for scope in walk(x, o, phases=90):
        update, event, phase = scope.update, scope.update.event, scope.context.phase
        roles = {quantity.role for quantity in scope.quantities}
        if not (isinstance(event, Backup) and phase >= TARGET):
            assert Role.CHANGE not in roles
            shown = update.target_kind is TargetKind.TRACE and update.knows_target(phase)
            assert (Role.ERROR in roles) == shown
        if not (isinstance(event, Backup | GameOver) and phase == WRITE):
            assert Role.NEW not in roles
        if not isinstance(event, Move):
            continue
        rows = scope.choice().rows
        if phase < VALUES:
            assert all(row.quantity is None and not row.about for row in rows)
        if phase < CHOICE:
            assert not roles & {Role.READ, Role.TARGET}
            for role in (Role.READ, Role.TARGET, Role.NEW):
                assert selecting(scope, Quantity(role)).selected is None
        later = [step for step in update.steps if step.place > event.ply]
        boards = {space().text(update.path[step.place]) for step in later}
        ahead = [row for row in scope.diagram().rows if row.board[:9] in boards]
        assert all(row.quantity is None and not row.about for row in ahead)


def board_after(board: str, cell: str, player: str) -> str:
    return board[: int(cell) - 1] + player + board[int(cell) :]


@pytest.mark.quick("td")
@pytest.mark.parametrize("opponent", ["td", "random"])
def test_an_afterstate_is_marked_wherever_it_is_shown(walk, opponent):
    shown_twice = 0
    for scope in walk("td:epsilon=0.3", opponent, phases=120):
        move = scope.update.choice
        if scope.update.player != "X" or not isinstance(scope.update.event, Backup):
            continue
        assert move is not None
        before = space().text(move.board)
        for quantity in scope.quantities:
            if not 0 <= quantity.entry < 5478 or quantity.role is Role.CHANGE:
                continue
            board = space().text(quantity.entry)
            picked = selecting(scope, quantity)
            blocks = picked.entries(), picked.diagram(), picked.choice()
            found = [
                [r.about for r in blocks[0].rows if r.board == board and r.role == "x"],
                [row.about for row in blocks[1].rows if row.board == board and row.about],
                [r.about for r in blocks[2].rows if board_after(before, r.cell, "X") == board],
            ]
            rows = [b.points_at(about) for b, of in zip(blocks, found, strict=True) for about in of]
            assert all(rows)
            shown_twice += len(rows) > 1
    assert shown_twice > 5

"""Every learner under the microscope: what the panes say is what the events say."""

from __future__ import annotations

from itertools import pairwise

import pytest

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind, TermRole
from afterstate_lab.learners.tape.events import Backup, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.timeline import CHOICE, REPLY, TARGET, VALUES, WRITE
from afterstate_lab.tui.blocks.equation import Term
from afterstate_lab.tui.lab.microscope.microscope import Microscope
from afterstate_lab.tui.lab.microscope.reading import Kind
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import compact, decimals, signed

LEARNERS = (
    "td",
    "td:symmetry=on,step=1/n,exploration=learn",
    "chain",
    "chain:plies=all,exploration=forget",
    "chain:exploration=skip,symmetry=on",
    "mc",
    "mc:step=1/n,exploration=forget",
    "nstep",
    "nstep:n=3,exploration=learn",
    "tdlambda",
    "tdlambda:traces=dutch,exploration=learn,symmetry=on",
    "negamax",
    "negamax:gamma=1,symmetry=on",
    "q",
    "q:symmetry=on,gamma=0.9",
    "q:win=1,draw=0,loss=-1,initial=0",
    "sarsa",
    "expected-sarsa",
    "double-q",
    "double-q:gamma=0.9,symmetry=on",
    "menace",
    "menace:beads=1,empty=refill",
    "menace-article",
    "menace-article:beads=1,symmetry=on",
    "menace-code",
)
PLAYERS = [
    *((learner, learner) for learner in LEARNERS),
    ("td", "random"),
    ("perfect:epsilon=0.2", "q"),
    ("td", "menace:beads=1"),
    ("menace:beads=2", "tdlambda"),
    ("chain:plies=all", "menace:beads=1"),
    ("td:learn=off", "q"),
    ("random", "winblock"),
]
KINDS = ("td", "chain", "mc", "tdlambda", "negamax", "q", "double-q", "menace")
"""One learner of each kind of equation, against itself; all the others take long."""
ONE_SIDE = [
    *((learner, "random") for learner in LEARNERS),
    *(("perfect:epsilon=0.2", learner) for learner in LEARNERS),
]
"""The same learners on one side only."""


def places(scope: Microscope) -> int:
    """Decimals of the learner's numbers in the formula."""
    return 0 if scope.update.kind is Kind.BEADS else 6


def number(scope: Microscope, symbol: str) -> str:
    """The number below a symbol of the formula, right of the arrow."""
    terms = scope.equation().terms
    found = [term.number for term in terms[1:] if term.symbol == symbol]
    assert found, (symbol, [term.symbol for term in terms])
    return found[0].strip().strip("()")


@pytest.mark.quick("td-td", "q-q", "menace-menace")
@pytest.mark.parametrize(
    ("x", "o"),
    [
        *((learner, learner) for learner in KINDS),
        *(
            pytest.param(*pair, marks=pytest.mark.slow)
            for pair in dict.fromkeys((*PLAYERS, *ONE_SIDE))
            if pair[0] != pair[1] or pair[0] not in KINDS
        ),
    ],
    ids=lambda spec: spec,
)
def test_every_pane_agrees_with_the_event_in_every_phase(walk, x, o):
    seen = set()
    for scope in walk(x, o):
        event = scope.timeline.event
        seen.add((type(event), scope.context.phase))
        check_boards(scope)
        check_choice(scope)
        check_terms(scope)
        check_diagram(scope)
        check_entries(scope)
        check_words(scope)
    assert {(Move, VALUES), (Move, CHOICE), (GameOver, WRITE)} <= seen


def check_boards(scope: Microscope) -> None:
    """Both boards lie on the game's path, or are the best reply to one that does."""
    update = scope.update
    path = [space().text(position) for position in update.path]
    backed_up, looked_at = scope.afterstate(), scope.next_afterstate()
    assert backed_up.cells in path
    assert looked_at.cells in path or update.target_kind is TargetKind.BEST_REPLY
    event = update.event
    if isinstance(event, Backup | NoBackup):
        step, target = update.step, update.target_step
        canonical = space().canonical
        assert canonical[update.path[step.place]] == canonical[event.board]
        assert backed_up.cells == path[step.place]
        assert target is not None
        assert target.place >= step.place
        if event.board != update.path[step.place]:
            assert space().text(event.board) in "".join(text for text, _ in backed_up.note)
        elif event.cell is None:
            assert backed_up.note == ""
        if update.kind is not Kind.STATES:
            assert step.move is not None
            assert backed_up.placed == step.move.cell
    if isinstance(event, Move) and scope.context.phase < CHOICE:
        after = space().text(event.afterstate)
        assert after not in (backed_up.cells, looked_at.cells), "the move is not made yet"


def check_choice(scope: Microscope) -> None:
    """Every candidate is there once; what was taken is known from the choice on."""
    move = scope.update.choice
    view = scope.choice()
    if move is None or "resigns" in str(view.right):
        return
    cells = " ".join(row.cell for row in view.rows).split()
    legal = [cell for cell, mark in enumerate(space().text(move.board)) if mark == "."]
    assert sorted(cells) == [str(cell + 1) for cell in legal]
    taken = [row.cell for row in view.rows if row.taken]
    hidden = scope.update.event is move and scope.context.phase < CHOICE
    assert len(taken) == (0 if hidden else 1)
    if taken:
        assert str(move.cell + 1) in taken[0]
    low, high = view.scale
    values = [row.value for row in view.rows if row.value is not None and row.share is None]
    assert all(low <= value <= high for value in values)
    shares = [row.share for row in view.rows if row.share is not None]
    if shares and sum(shares):
        assert sum(shares) == pytest.approx(1.0)


def check_terms(scope: Microscope) -> None:
    """The numbers are the event's; what is read is lit at the target, what is written then."""
    update, event = scope.update, scope.timeline.event
    view = scope.equation()
    terms = tuple(term for term in view.terms if term.symbol != "×")
    check_signs(view.terms)
    assert "?" not in ASCII.text("".join(term.symbol for term in terms))
    assert ASCII.text("".join(term.symbol for term in terms)).isascii()
    declared = update.equation.terms
    assert len(terms) == len(declared)
    signs = [place for place, term in enumerate(declared) if term.role is TermRole.SIGN]
    assert [terms[place].symbol for place in signs] == [declared[place].symbol for place in signs]
    if not isinstance(event, Backup):
        assert not any(term.lit for term in terms)
        assert view.error is None
        return
    numbers = {id(t): t for t, term in zip(terms, declared, strict=True) if term.is_number}
    lit = [term for term in terms if term.lit]
    if scope.context.phase == REPLY:
        assert not lit
        return
    if scope.context.phase == TARGET:
        assert lit == [term for term in numbers.values() if term is not terms[0]]
        assert terms[0].number.strip() == "?"
    else:
        assert scope.context.phase == WRITE
        assert lit == [terms[0]]
        assert terms[0].number == decimals(event.new, places(scope))
    assert view.step is not None
    assert view.step.number == event.new - event.old
    check_direction(scope, event)
    assert number(scope, terms[0].symbol) == decimals(event.old, places(scope))
    check_target(scope, event, terms)


def check_direction(scope: Microscope, event: Backup) -> None:
    """Green is nearer to v* and red is farther from it, whichever sign the change has."""
    role = scope.equation().step.role
    if scope.update.kind is Kind.BEADS:
        assert role == "text"
        return
    truth = scope.context.truth(event.player)
    board = event.board
    exact = truth[board if event.cell is None else space().successor[board, event.cell]]
    gained = abs(event.old - exact) - abs(event.new - exact)
    assert role == ("better" if gained > 0 else "worse" if gained < 0 else "text")
    if scope.context.phase == WRITE:
        assert ("nearer v*" in str(scope.equation().words)) == (role == "better")
        assert ("farther from v*" in str(scope.equation().words)) == (role == "worse")


def check_signs(terms: tuple[Term, ...]) -> None:
    """No number stands right beside another; a negative one behind a sign is in parentheses."""
    signs = ("[", "]", "(", ")", "←", "+", "−", "×", "±", "max(0,", "max(1,")
    for left, right in pairwise(terms):
        assert left.symbol in signs or right.symbol in signs, (left, right)
        if left.symbol in ("+", "−", "×") and right.symbol not in signs:
            assert not right.number.startswith("−"), right


def check_target(scope: Microscope, event: Backup, terms: tuple[Term, ...]) -> None:
    """What is read makes the event's target, as its rule says."""
    update, inputs = scope.update, scope.context.inputs
    symbols = {term.symbol for term in terms}
    if update.kind is Kind.BEADS:
        if not inputs.is_refill:
            low = float(update.equation.floor or 0)
            sign = next(t.number for t in terms if t.symbol in ("±", "+"))
            amount = number(scope, "n" if "n" in symbols else "R").replace("−", "-")
            change = float(amount) * (-1.0 if sign == "−" else 1.0)
            assert event.new == max(low, event.old + change)
        return
    assert number(scope, "1/N" if "1/N" in symbols else "α") == compact(event.step)
    if update.target_kind is TargetKind.TRACE:
        assert number(scope, "z(s)") == compact(event.trace)
        assert number(scope, "δ") == compact(update.error, 6)
        assert event.new == event.old + event.step * event.trace * update.error
        return
    error = scope.equation().error
    assert error is not None
    assert error.number == event.error
    assert inputs.value is not None
    if update.target_kind is TargetKind.BEST_REPLY:
        target = 0.5 + float(scope.update.spec.settings["gamma"]) * (1.0 - inputs.value - 0.5)
        assert decimals(inputs.value, 6) in "".join(term.number for term in terms)
    elif update.target_kind.is_pair:
        target = inputs.reward + float(scope.update.spec.settings["gamma"]) * inputs.value
        assert number(scope, "R") == compact(inputs.reward)
        assert number(scope, "γ") == compact(float(scope.update.spec.settings["gamma"]))
        assert decimals(inputs.value, 6) in [term.number for term in terms]
    else:
        target = inputs.value
        step = update.target_step
        assert step is not None
        assert scope.context.value_of(step) == event.target
        assert decimals(event.target, 6) in [term.number for term in terms]
    assert event.target == pytest.approx(target, abs=1e-12)


def check_diagram(scope: Microscope) -> None:
    """Arrows lead from later to earlier; each backup of the player is told with its change."""
    view = scope.diagram()
    assert all(0 <= arc.to < arc.source < len(view.rows) for arc in view.arcs)
    event, update = scope.timeline.event, scope.update
    if isinstance(event, Backup) and not scope.context.inputs.is_refill:
        assert sum(row.lit for row in view.rows) == 1
        lit = next(row for row in view.rows if row.lit)
        told = "".join(text for text, _ in lit.words)
        change = signed(event.new - event.old, 0 if update.kind is Kind.BEADS else 4)
        assert f"{change} now" in told
        if update.target_kind is not TargetKind.BEST_REPLY:
            assert [arc.role for arc in view.arcs].count("key") == 1
    boards = [row.board[:9] for row in view.rows if row.value is not None]
    path = [space().text(position) for position in update.path]
    assert all(board in path for board in boards)


def check_entries(scope: Microscope) -> None:
    """The lit entry is the one being written, with its old and new value."""
    event = scope.timeline.event
    view = scope.entries()
    lit = [row for row in view.rows if row.lit]
    if isinstance(event, Backup) and scope.context.phase == WRITE:
        assert [(row.old, row.new) for row in lit] == [(event.old, event.new)]
        assert lit[0].board.startswith(space().text(event.board))
    elif scope.update.target_kind is not TargetKind.TRACE:
        assert not lit
    if isinstance(event, Backup) and scope.update.target_kind is TargetKind.TRACE:
        traces = [float(row.extra) for row in view.rows]
        assert traces == sorted(traces, reverse=True)
        assert decimals(event.trace, 3) in [row.extra for row in view.rows]


def check_words(scope: Microscope) -> None:
    """One sentence, that fits a line of a small terminal and has the sign of the change."""
    words = scope.equation().words
    assert isinstance(words, str)
    assert words[0].isupper() or words[0] == "δ"
    assert words.endswith(".")
    assert len(words) <= 67
    event = scope.timeline.event
    if isinstance(event, Backup) and scope.context.phase == WRITE:
        raised, lowered = event.new > event.old, event.new < event.old
        assert words.startswith(("Raise", "Put in")) == raised
        assert words.startswith(("Lower", "Take out")) == lowered
        assert ("stay" in words) == (event.new == event.old)
    if isinstance(event, NoBackup):
        assert "stay" in words
    code = scope.equation().code
    if isinstance(event, Backup):
        assert "backup(" in code or "write(" in code or "refill(" in code or "back_up(" in code

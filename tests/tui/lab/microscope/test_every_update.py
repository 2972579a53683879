"""Every learner, place by place: what the panes say is what the events say, and one selection
marks the same number in all of them; so for a user's own rule with a target of a new shape."""

import random
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from reading import lines_of, picked, walk

from afterstate_lab.game import space
from afterstate_lab.learners.rules.equation import TargetKind
from afterstate_lab.learners.rules.equation import TermRole as Role
from afterstate_lab.learners.tape.recording import Backup, GameOver, Move, NoBackup
from afterstate_lab.learners.tape.timeline import CHOICE, REPLY, TARGET, VALUES, WRITE
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.blocks.speech import trimmed
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero
from afterstate_lab.tui.lab.microscope.reading import Update
from afterstate_lab.tui.lab.microscope.words import Term, sentence, terms_of, told_terms
from afterstate_lab.tui.theme.glyphs import ASCII
from afterstate_lab.tui.theme.numerals import compact, decimals

PLAYERS = [
    ("td", "random"), ("td:symmetry=on,step=1/n,exploration=learn", "td:learn=off"),
    ("chain:plies=all,exploration=forget", "menace:beads=1"),
    ("chain:exploration=skip,symmetry=on", "mc:step=1/n,exploration=forget"),
    ("mc", "nstep:n=3,exploration=learn"), ("menace:beads=2", "tdlambda"),
    ("tdlambda:traces=dutch,exploration=learn,symmetry=on", "random"),
    ("negamax", "negamax"), ("negamax:gamma=1,symmetry=on", "perfect:epsilon=0.2"),
    ("q", "q"), ("q:win=1,draw=0,loss=-1,initial=0", "sarsa"), ("expected-sarsa", "q:symmetry=on"),
    ("double-q:gamma=0.9,symmetry=on", "double-q"), ("menace", "menace"),
    ("menace:beads=1,empty=refill", "menace-article"), ("random", "winblock"),
    ("menace-article:beads=1,symmetry=on", "menace-code"),
]  # fmt: skip
"""Every learner, every option that changes what is drawn, and who learns nothing."""


@pytest.mark.quick("q-q")
@pytest.mark.parametrize(("x", "o"), PLAYERS)
def test_every_pane_agrees_with_the_event_in_every_phase(x, o):
    seen = set()
    for u in walk(x, o, phases=72):
        seen.add((type(u.event), u.phase))
        for check in CHECKS:
            check(u)
    assert {(Move, VALUES), (Move, CHOICE), (GameOver, WRITE)} <= seen


def check_boards(u: Update) -> None:
    """The boards lie on the game's path, but for a move that is only read."""
    path, hero = [space().text(position) for position in u.path], Hero(update=u, rows=40)
    places = hero._places(118)
    boards = {number: hero.boards[number].cells for number in places}
    assert {n for n, cells in boards.items() if cells not in path} <= {u.looks_at}
    assert u.index in places or not u.steps
    event = u.event
    if isinstance(event, Backup | NoBackup):
        assert space().canonical[u.step.board] == space().canonical[event.board]
        assert u.target is not None and u.target.place >= u.step.place
        assert u.looks_at in places
    if isinstance(event, Move) and u.phase < CHOICE:
        made = max(cells.count("X") + cells.count("O") for cells in boards.values())
        assert made < event.ply, "the move is not made yet"


def check_choice(u: Update) -> None:
    """Every candidate is there once; what was taken is known from the choice on."""
    move, view = u.choice, choice_of(u)
    if move is None:
        return
    cells = [cell for one in view.items for cell in one.cells]
    assert sorted(cells) == [n for n, mark in enumerate(space().text(move.board)) if mark == "."]
    taken = [] if view.at is None else [view.items[view.at.cursor].cells]
    assert len(taken) == (0 if u.event is move and u.phase < CHOICE else 1)
    assert all(move.cell in cells for cells in taken)
    known = [one.value or one.share or 0.0 for one in view.items]
    assert known == sorted(known, reverse=True), "the best first"
    shares = [one.share for one in view.items if one.share is not None]
    assert not any(shares) or sum(shares) == pytest.approx(1.0)


def check_terms(u: Update) -> None:
    """The numbers are the event's; none stands right beside another."""
    event, places = u.event, 0 if u.is_beads else 6
    for left, right in pairwise(terms_of(u)):
        assert left.is_sign or right.is_sign, (left, right)
        if left.symbol in ("+", "−", "×") and not right.is_sign:
            assert not right.number.startswith("−"), "a negative number is in parentheses"
    terms = [term for term in terms_of(u) if term.symbol != "×"]
    symbols = ASCII.text("".join(term.symbol for term in terms))
    assert symbols.isascii() and "?" not in symbols
    declared = u.equation.terms
    assert [term.is_sign for term in terms] == [not term.is_number for term in declared]
    signs = [(a.symbol, b.symbol) for a, b in zip(terms, declared, strict=True) if a.is_sign]
    assert all(one == other for one, other in signs)
    if not isinstance(event, Backup) or u.phase == REPLY:
        return
    new = "?" if u.phase == TARGET else decimals(event.new, places)
    assert terms[0].number == new
    if u.phase == WRITE:
        role = u.role_of_change(event)
        assert ("nearer vπ" in sentence(u)) == (role == "better")
        assert ("farther from vπ" in sentence(u)) == (role == "worse")
    assert number(terms_of(u), terms[0].symbol) == decimals(event.old, places)
    check_target(u, event)


def number(terms: tuple[Term, ...], symbol: str) -> str:
    """The number below a symbol of the formula, right of the arrow."""
    return next(term.number.strip("()") for term in terms[1:] if term.symbol == symbol)


def check_target(u: Update, event: Backup) -> None:
    """What is read makes the event's target, as its rule says."""
    symbols = {term.symbol for term in terms_of(u)}
    if u.is_beads:
        if not u.record.is_refill:
            sign = next(t.number for t in terms_of(u) if t.symbol in ("±", "+"))
            amount = number(terms_of(u), "n" if "n" in symbols else "R").replace("−", "-")
            change = float(amount) * (-1.0 if sign == "−" else 1.0)
            assert event.new == max(float(u.equation.floor or 0), event.old + change)
        return
    assert number(terms_of(u), "1/N" if "1/N" in symbols else "α") == compact(event.step)
    if u.kind is TargetKind.TRACE:
        assert number(terms_of(u), "z(s)") == compact(event.trace)
        assert number(terms_of(u), "δ") == compact(u.error, 6)
        assert event.new == event.old + event.step * event.trace * u.error
        return
    read = next(iter(u.reads.values())).number
    gamma = float(u.table.spec.settings.get("gamma", 1.0))
    told = "".join(term.number for term in terms_of(u))
    assert decimals(read, 6) in told
    target = read
    if u.kind is TargetKind.BEST_REPLY:
        target = 0.5 + gamma * (1.0 - read - 0.5)
    elif u.kind.is_pair:
        target = u.record.reward + gamma * read
        assert number(terms_of(u), "R") == compact(u.record.reward)
        assert number(terms_of(u), "γ") == compact(gamma)
    else:
        assert u.target is not None and u.after[u.target.entry] == event.target
    assert event.target == pytest.approx(target, abs=1e-12)


def check_arrows(u: Update) -> None:
    """Arrows lead from later to earlier; the backup of the moment has the bright one."""
    arcs = Hero(update=u).arcs
    assert all(0 <= arc.to < arc.source < len(u.steps) for arc in arcs)
    if isinstance(u.event, Backup) and not u.record.is_refill:
        assert [arc.role for arc in arcs].count("now") == 1


def check_words(u: Update) -> None:
    """One sentence, that fits a line of a small terminal and has the sign of the change."""
    words, event = sentence(u), u.event
    assert words[0].isupper() or words[0] == "δ"
    assert words.endswith(".") and len(words) <= 67
    if isinstance(event, Backup) and u.phase == WRITE:
        assert words.startswith(("Raise", "Put in")) == (event.new > event.old)
        assert words.startswith(("Lower", "Take out")) == (event.new < event.old)
        assert ("stay" in words) == (event.new == event.old)
    if isinstance(event, NoBackup):
        assert "stay" in words
    if isinstance(event, Backup):
        assert u.code.text.startswith(("backup", "write", "refill(", "back_up("))


def expected(u: Update, quantity: Quantity) -> float | None:
    """What the event, or memory, says of a quantity; None where the formula alone has it."""
    backup, role, entry = u.backup, *quantity
    if role in (Role.STEP, Role.DISCOUNT, Role.BEADS, Role.TRACE):
        return None
    if role is Role.OLD and backup is not None:
        return backup.old
    if role is Role.REWARD and entry < 0:
        return 0.0
    if role in (Role.OLD, Role.ENTRY, Role.REWARD) or (role is Role.READ and entry >= 0):
        return float(u.after[entry])
    if role is Role.READ:
        return next((one.number for one in u.reads.values()), None)
    return {Role.NEW: backup.new, Role.ERROR: u.error, Role.TARGET: backup.target}[role]


SPOKEN = {"a half": ".5", "plus": "+", "minus": "-", "times": "*"}


def check_told(u: Update) -> None:
    """The right-hand side of the told equation comes to what it is told to give."""
    told, event = told_terms(terms_of(u), u.equation.floor), u.event
    if not isinstance(event, Backup) or u.phase != WRITE:
        return
    body, _, new = told.removesuffix(".").partition(": ")[2].partition(", gives ")
    for words, sign in SPOKEN.items():
        body, new = body.replace(words, sign), new.replace(words, sign)
    body, _, floor = body.partition(", never below ")
    body = body.replace(",", "")
    assert re.fullmatch(r"[-+*(). 0-9]+", body), told
    assert float(new.replace(" ", "")) == pytest.approx(event.new, abs=1e-6)
    # Three numbers are told with six decimals, a trace and a step size with four.
    rounding = 2e-6 + 5e-5 * abs(event.error) * (event.trace != 1.0 or event.step != 0.1)
    worked_out = max(float(eval(body)), float(floor or "-inf"))
    assert abs(worked_out - event.new) <= rounding, told


CHECKS = check_boards, check_choice, check_terms, check_told, check_arrows, check_words


@pytest.mark.quick("menace-menace")
@pytest.mark.parametrize(("x", "o"), PLAYERS)
def test_all_marked_numbers_are_the_number_of_the_event(x, o):
    seen, pick = set(), random.Random(5)
    for u in walk(x, o, phases=60):
        check_nothing_is_selected_before_it_is_known(u)
        quantities = Hero(update=u).quantities
        assert len(set(quantities)) == len(quantities)
        of_new_roles = {one.role: one for one in quantities if one.role not in seen}
        chosen = pick.sample(quantities, min(2, len(quantities)))
        for quantity in dict.fromkeys([*chosen, *of_new_roles.values()]):
            seen.add(quantity.role)
            hero = Hero(update=u, chosen=quantity, rows=24, is_full=True)
            assert hero.selected == quantity
            value = expected(u, quantity)
            low = replace(hero, rows=40, is_full=False)
            texts = [*picked(hero, 118, 30), *picked(low, 118, 30)]
            marked = [one for one in texts if one.strip("+−").replace(".", "", 1).isdigit()]
            assert texts, quantity
            said = list(hero.say())[1]
            assert said.startswith("Selected: ")
            if value is not None:
                assert all(same(value, text) for text in marked), (quantity, value, marked)
                numbers = {trimmed(decimals(abs(value), places)) for places in (0, 6)}
                assert said.rstrip(".)").split()[-1].lstrip("-") in numbers
    assert x == "random" or {Role.OLD, Role.NEW} <= seen


def same(value: float, text: str) -> bool:
    text = text.removeprefix("+")
    places = len(text.partition(".")[2])
    return text in (decimals(value, places), decimals(value, places + 1)) or (
        not places and text == decimals(value, 0)
    )


def check_nothing_is_selected_before_it_is_known(u: Update) -> None:
    hero, event = Hero(update=u, rows=40), u.event
    roles = {quantity.role for quantity in hero.quantities}
    if not (isinstance(event, Backup) and u.phase >= TARGET):
        assert (Role.ERROR in roles) == (u.kind is TargetKind.TRACE and u.knows_target)
    if not (isinstance(event, Backup | GameOver) and u.phase == WRITE):
        assert Role.NEW not in roles
    if not isinstance(event, Move):
        return
    if u.phase < CHOICE:
        assert not roles & {Role.READ, Role.TARGET}
        for role in (Role.READ, Role.TARGET, Role.NEW):
            assert Hero(update=u, chosen=Quantity(role)).selected is None
    shown = zip(u.steps, hero.boards, strict=False)
    assert not any(board.means for step, board in shown if step.place > u.event.ply)


HALFWAY = '''"""Each value moves towards the mean of the next value and the result of the game."""
from afterstate_lab import SEVERAL, Equation, Rule, backup_towards, options


class Halfway(Rule):
    summary = "towards the mean of the next value and the result"
    source = "nobody yet"
    equation = Equation("V(Sₜ) ← V(Sₜ) + α [ ½ V(Sₜ₊₁) + ½ G − V(Sₜ) ]")
    options = (options.ALPHA, options.DRAW, options.INITIAL, *options.COMMON)

    def after_game(v, tape, me, steps, greedy, t, over, game):
        g = v[steps[t]]
        for k in range(t):
            s = steps[k]
            backup_towards(v, tape, me, s, SEVERAL, 0.5 * v[steps[k + 1]] + 0.5 * g, me.alpha)
'''


def backups(folder: Path, source: str, phase: int) -> list[Hero]:
    """The pictures of the backups of some games, by a rule of that source."""
    (folder / "own.py").write_text(source, encoding="utf-8")
    updates = walk(f"{folder / 'own.py'}:Halfway", "random", phases=60)
    kept = (u for u in updates if isinstance(u.event, Backup) and u.phase == phase)
    return [Hero(update=u, rows=24, is_full=True) for u in kept]


def numbers(hero: Hero) -> dict[str, str]:
    return {term.symbol: term.number.strip() for term in terms_of(hero.update)[2:]}


def test_its_numbers_and_its_words_are_what_it_read(tmp_path: Path):
    heroes = backups(tmp_path, HALFWAY, TARGET)
    assert len(heroes) >= 3
    for hero in heroes:
        told, backup = numbers(hero), hero.update.backup
        following, result = (hero.update.reads[name].number for name in ("V(Sₜ₊₁)", "G"))
        assert backup.target == 0.5 * following + 0.5 * result
        wanted = {"½": ".5", "V(Sₜ₊₁)": decimals(following, 6), "G": decimals(result, 6)}
        assert wanted.items() <= told.items()
        assert told["V(Sₜ)"] == decimals(backup.old, 6)
        assert any("nobody yet" in line for line in lines_of(hero))
        made = f"V(Sₜ₊₁) {decimals(following)} and G {decimals(result)} make "
        assert hero.words.startswith(f"{made}{decimals(backup.target)}: ")
        assert len(hero.words) <= 67
    for hero in backups(tmp_path, HALFWAY, WRITE):
        assert "of the gap" in hero.words or "stays" in hero.words


def test_without_a_declaration_the_target_is_the_recorded_one(tmp_path: Path):
    source = "\n".join(line for line in HALFWAY.splitlines() if "equation" not in line)
    for hero in backups(tmp_path, source, TARGET):
        backup, step = hero.update.backup, hero.update.target
        assert numbers(hero)["target"] == decimals(backup.target, 6)
        assert ("the target is" in hero.words) == (not step.is_end)


EQUATIONS = (
    "x ← y", "Q(S,A) ← Q(S,A) + α [ R + γ Q(S′,A′) − Q(S,A) ]", "V(s) ← V(s) + α δ z(s)",
    "V(Sₜ) ← V(Sₜ) + α [ B − V(Sₜ) ]", "V(Sₜ) ← V(Sₜ) + α [ ⅓ H + P − R − V(Sₜ) ]",
)  # fmt: skip


@pytest.mark.quick("equation0-True")
@pytest.mark.parametrize(
    ("equation", "by_state"),
    [*((one, True) for one in EQUATIONS), (EQUATIONS[1], False)],
    ids=[*(f"equation{n}-True" for n in range(5)), "equation1-False"],
)
def test_an_equation_that_says_what_is_not_done_harms_nothing(tmp_path: Path, by_state, equation):
    terms = ", ".join(
        f'Term("{symbol}", "", TargetKind.{kind})'
        for symbol, kind in (("B", "BEST_REPLY"), ("H", "HORIZON"), ("P", "BEST_PAIR"))
    )
    source = HALFWAY.replace("Equation, ", "Equation, TargetKind, Term, ")
    line = next(line for line in source.splitlines() if "equation =" in line)
    mine = f'    equation = Equation("{equation}", ({terms}))\n    by_state = {by_state}'
    if not by_state:
        source = source.replace("range(t)", "range(1, t)")
    for phase in (TARGET, WRITE):
        for hero in backups(tmp_path, source.replace(line, mine), phase):
            for quantity in (None, *hero.quantities):
                picked = replace(hero, chosen=quantity)
                assert picked.words and lines_of(picked)
                assert choice_of(hero.update).title

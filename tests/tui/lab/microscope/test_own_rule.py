"""A user's own rule with a target of a new shape has rule, numbers, words and selection."""

from dataclasses import replace
from pathlib import Path

import pytest
from drawing import lines_of

from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.recording import Backup
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.learners.tape.timeline import TARGET, WRITE, Timeline
from afterstate_lab.tui.lab.microscope.choice import choice_of
from afterstate_lab.tui.lab.microscope.picture import Hero
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.microscope.words import terms_of
from afterstate_lab.tui.theme.numerals import decimals

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


def player(folder: Path, source: str, name: str) -> str:
    (folder / "own.py").write_text(source, encoding="utf-8")
    return f"{folder / 'own.py'}:{name}"


def backups(spec: str, phase: int) -> list[Hero]:
    run = Run.of(parse_player(spec), parse_player("random"), 3)
    run.train(30)
    timeline = Timeline(run)
    timeline.go_to(5)
    found = []
    while timeline.game == 5 and timeline.step_phase():
        if isinstance(timeline.event, Backup) and timeline.phase == phase:
            found.append(Hero(update=update_at(timeline), rows=24, is_full=True))
    return found


def numbers(hero: Hero) -> dict[str, str]:
    return {term.symbol: term.number.strip() for term in terms_of(hero.update)[2:]}


def test_its_numbers_and_its_words_are_what_it_read(tmp_path: Path):
    spec = player(tmp_path, HALFWAY, "Halfway")
    heroes = backups(spec, TARGET)
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
    for hero in backups(spec, WRITE):
        assert "of the gap" in hero.words or "stays" in hero.words


def test_without_a_declaration_the_target_is_the_recorded_one(tmp_path: Path):
    source = "\n".join(line for line in HALFWAY.splitlines() if "equation" not in line)
    for hero in backups(player(tmp_path, source, "Halfway"), TARGET):
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
        for hero in backups(player(tmp_path, source.replace(line, mine), "Halfway"), phase):
            for quantity in (None, *hero.quantities):
                picked = replace(hero, chosen=quantity)
                assert picked.words and lines_of(picked)
                assert choice_of(hero.update).title

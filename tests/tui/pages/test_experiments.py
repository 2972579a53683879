"""The experiments: what they show of a run that is over, and their keys with a plan of a blink."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from made import TINY
from piloting import at
from reading import do, done, lines, press, text_of, trained_lab

from afterstate_lab.learners.experiments.plan import Plan, find_plan
from afterstate_lab.learners.experiments.run import Experiment
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.pages.experiments import Experiments, PlanEntry, number_told

ENDLESS = 2_000_000
"""Games that take the interpreter half a minute."""


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., str]:
    """Writes a plan with so many games."""

    def write(games: int = 300) -> str:
        text = TINY.replace("games = 300", f"games = {games}")
        (tmp_path / "tiny.toml").write_text(f'prediction = "Which expects more?"\n{text}')
        return str(tmp_path / "tiny.toml")

    return write


def small(name: str = "exploration", seeds: int = 2, games: int = 60) -> Plan:
    """A plan of the package, small enough for the interpreter."""
    return find_plan(name).resized(seeds, games)


def looked(shown: Experiments) -> Experiments:
    done(shown.look())
    return shown


def run_through(plan: Plan) -> Experiments:
    shown = Experiments(trained_lab(games=0))
    shown.entries = [PlanEntry(plan)]
    shown.open()
    shown.entry.run = run = Experiment(plan)
    run.work()
    return looked(shown)


def test_table_and_curves_are_of_the_metric_that_a_key_turns_to():
    shown = run_through(small(seeds=3))
    for _ in shown.plan.metrics:
        press(shown.page, "right")
        table, chart = shown.verdicts(shown.results), shown.chart()
        for item, series, arm in zip(table.items, chart.series, shown.results.arms, strict=True):
            final = arm.figure(shown.metric, False).mean
            assert text_of(table.cells(item)[1]) == number_told(final)
            assert [y for _, y in series.points] == arm.curve(shown.metric).y.tolist()


def test_of_many_variants_the_selected_one_has_a_colour_beside_the_answer():
    shown = run_through(small("td-or-mc", 2, 2))
    series = shown.chart().series
    assert [one.name for one in series if not one.dim] == ["A TD alpha=0.02"]
    assert len({one.name[0] for one in series}) == len(series) == 12
    told = "".join(lines(shown.page()))
    assert "Answer, from 20 seeds of 20,000 games: TD's" in told
    assert "rms(V,v_pi) X, mean" in told


def test_what_cannot_go_on_is_one_sentence_on_the_page(data: Path):
    (data / "experiments" / "exploration" / "journal.jsonl").mkdir(parents=True)
    shown = Experiments(trained_lab(games=0))
    shown.open_text("1.4")
    do(shown.page, "space").do("")
    run = shown.entry.run
    assert run.wait(20)
    assert run.failure.endswith(": it is not a regular file")
    assert shown.page().note == run.failure
    assert shown.results is None


def test_a_plan_of_any_name_keeps_its_journal_in_the_users_data(data: Path):
    for name in ("../../etc", "..", "a b", "x" * 300):
        folder = PlanEntry(replace(small(), name=name)).folder
        assert folder.parent == data / "experiments"
        assert folder.name not in ("", ".", "..")


def test_a_plan_is_run_to_its_end_and_finished_seeds_are_not_run_again(plan, data):
    for resumed in (0, 6):
        shown = Experiments(trained_lab(games=0))
        shown.open_text(plan())
        do(shown.page, "space").do("A, by a little")
        assert shown.entry.run.wait(20)
        looked(shown)
        assert shown.is_done
        assert any("You predicted: A, by a little" in line for line in lines(shown.page()))
        assert shown.results.resumed == resumed
        press(shown.page, "escape")
        assert any("Tiny" in line and "✓ done" in line for line in lines(shown.page()))
    assert len((data / "experiments" / "tiny" / "journal.jsonl").read_text().splitlines()) == 6


async def test_one_experiment_runs_behind_the_lab_until_it_is_stopped_or_the_lab_left(lab, plan):
    async with at(lab()) as desk:
        desk.screen.take(Open("experiments", text=plan(ENDLESS)))
        await desk.press("space")
        assert desk.state.entry.run is None
        await desk.answer("")
        shown, first = desk.state, desk.state.entry.run
        await desk.press("Esc")
        assert "▶ running" in desk.text
        await desk.press("↑ Enter space")
        assert "is still running. Open it and stop it first" in desk.front.note
        assert (shown.entry.run, shown.running.run) == (None, first)
        await desk.press("Esc Esc")
        assert desk.in_lab and not first.is_over
        await desk.press("E ↓ Enter K")
        assert await asyncio.to_thread(first.wait, 5)
        await desk.until(lambda: not shown.page().work)
        assert shown.status() == "stopped" and not shown.is_done
        await desk.press("space")
        again = shown.entry.run
        assert not again.is_over
    assert await asyncio.to_thread(again.wait, 5)

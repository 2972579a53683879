"""The experiments through their keys, with a plan that runs in a blink."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from piloting import answer, refusal, settled
from textual.pilot import Pilot

from learners.judge.figures import BEATABLE
from tui.app import Afterstate
from tui.lab.experiments.experiment import ExperimentRun
from tui.lab.experiments.words import band_told, number_told
from tui.lab.list_commands import EXPERIMENT_COMMANDS, Stage
from tui.screens import experiments
from tui.screens.experiments import ExperimentsScreen
from tui.screens.lab import LabScreen

TINY = """
title = "Tiny"
question = "Does skipping matter?"
prediction = "Which of the two expects more?"
games = {games}
seeds = 3
metrics = ["value X", "win X"]

[measure]
points = 3

[[arms]]
name = "A skip"
x = "td:draw=0"
o = "random"

[[arms]]
name = "B learn"
x = "td:draw=0,exploration=learn"
o = "random"
"""
ENDLESS = 2_000_000
"""Games that take the interpreter half a minute."""


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The user's data of one test."""
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., str]:
    """Writes a plan with so many games."""

    def write(games: int = 300) -> str:
        (tmp_path / "tiny.toml").write_text(TINY.format(games=games))
        return str(tmp_path / "tiny.toml")

    return write


def shown(app: Afterstate) -> ExperimentsScreen:
    assert isinstance(app.screen, ExperimentsScreen)
    return app.screen


def run_of(screen: ExperimentsScreen) -> ExperimentRun:
    assert screen.controller.entry.run is not None
    return screen.controller.entry.run


async def opened(pilot: Pilot[None], path: str) -> ExperimentsScreen:
    """Open the experiments, and a plan by its file."""
    await pilot.press("E", "slash")
    await answer(pilot, path)
    assert isinstance(pilot.app, Afterstate)
    return shown(pilot.app)


async def begun(pilot: Pilot[None], path: str, prediction: str = "") -> ExperimentsScreen:
    """The same, and run it."""
    screen = await opened(pilot, path)
    await pilot.press("space")
    await answer(pilot, prediction)
    return screen


async def finished(pilot: Pilot[None], screen: ExperimentsScreen) -> ExperimentsScreen:
    """Wait for the end of the run, and for the screen to show it."""
    assert await asyncio.to_thread(run_of(screen).wait, 20)
    for _ in range(2):
        await settled(pilot)
        screen.poll()
    await settled(pilot)
    return screen


async def stock(pilot: Pilot[None], screen: ExperimentsScreen) -> None:
    """Have the screen show how a run that goes on stands now."""
    while screen.controller.digest is None:
        await asyncio.to_thread(run_of(screen).wait, 0.05)
        screen.poll()
        await pilot.pause()


async def test_curves_are_drawn_when_asked_for_and_by_themselves_now_and_then(
    lab, plan, monkeypatch
):
    drawn = []
    charted = experiments.chart_view
    monkeypatch.setattr(
        experiments, "chart_view", lambda controller: drawn.append(1) or charted(controller)
    )
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await finished(pilot, await begun(pilot, plan()))
        drawn.clear()
        screen.redraw()
        assert len(drawn) == 1
        screen.redraw(by_itself=True)
        assert len(drawn) == 1
        monkeypatch.setattr(experiments, "CHART_SECONDS", 0.0)
        screen.redraw(by_itself=True)
        assert len(drawn) == 2


async def test_the_books_exercises_are_listed_with_their_question(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("E")
        screen = shown(app)
        titles = [row[1][0][0] for row in screen.plans.view.rows]
        assert titles[:2] == ["Self-play", "Symmetries"]
        await pilot.press("down")
        assert screen.question.view.title == "Symmetries"
        await pilot.press("enter")
        assert screen.controller.stage is Stage.PLAN
        assert len(screen.arms.view.rows) == 4
        await pilot.press("escape", "q")
        assert isinstance(app.screen, LabScreen)


async def test_a_plan_is_run_to_its_end_and_the_screen_shows_its_results(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await finished(pilot, await begun(pilot, plan(), "A, by a little"))
        assert screen.controller.stage is Stage.OVER
        assert "A, by a little" in str(screen.answer.view.right)
        for key in ("", "right"):
            if key:
                await pilot.press(key)
                await finished(pilot, screen)
            results = screen.controller.digest.snapshot.results
            metric = screen.controller.metric
            for n, row in enumerate(screen.verdicts.view.rows):
                final, told = results.arms[n].final(metric), results.arms[n].verdict(metric.side)
                better = results.improvement(metric, n)
                texts = ["".join(piece for piece, _ in cell) for cell in row]
                assert texts[1:3] == [number_told(final.mean), band_told(final)]
                assert texts[6] == f"{told[BEATABLE]}/3"
                assert texts[-1] == ("—" if better is None else f"{better.mean:.2f}".lstrip("0"))
                curve = results.arms[n].curve(metric)
                series = screen.chart.view.series[n]
                assert [y for _, y in series.points] == curve.mean.tolist()
                assert [top for _, _, top in series.band] == curve.high.tolist()


async def test_the_list_says_what_is_done_although_it_was_hidden_meanwhile(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await finished(pilot, await begun(pilot, plan()))
        await pilot.press("escape")
        async with asyncio.timeout(20):
            painted: list[str] = []
            while not any("Tiny" in line and "✓ done" in line for line in painted):
                await pilot.pause(0.01)
                plans = screen.plans
                painted = [plans.render_line(y).text for y in range(plans.size.height)]


async def test_enter_alone_skips_the_prediction_and_escape_runs_nothing(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, plan())
        await pilot.press("space", "escape")
        assert screen.controller.entry.run is None
        await pilot.press("space")
        await answer(pilot, "")
        assert screen.controller.entry.prediction == ""
        await finished(pilot, screen)
        assert screen.controller.stage is Stage.OVER


async def test_a_run_is_paused_goes_on_behind_the_lab_and_is_stopped(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begun(pilot, plan(ENDLESS))
        await pilot.press("space")
        run = run_of(screen)
        assert run.is_paused
        await stock(pilot, screen)
        assert "paused" in str(screen.mode_line.view.status)
        await pilot.press("escape")
        assert any("paused" in str(row) for row in screen.plans.view.rows)
        await pilot.press("escape")
        assert isinstance(app.screen, LabScreen)
        assert not run.is_over
        await pilot.press("E")
        assert shown(app).controller.running.run is run
        await pilot.press("enter", "K")
        assert await asyncio.to_thread(run.wait, 5)
        await finished(pilot, shown(app))
        assert shown(app).controller.stage is Stage.STOPPED
        assert shown(app).mode_line.view.status == "stopped"


@pytest.mark.slow
async def test_leaving_the_lab_stops_what_runs(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await begun(pilot, plan(ENDLESS))
        run = run_of(screen)
        assert not run.is_over
    assert await asyncio.to_thread(run.wait, 5)


async def test_finished_seeds_are_not_run_again(lab, plan, data: Path):
    for expected in (0, 6):
        app = lab()
        async with app.run_test(size=(80, 24)) as pilot:
            screen = await finished(pilot, await begun(pilot, plan()))
            assert screen.controller.digest.snapshot.resumed == expected
    assert len((data / "experiments" / "tiny" / "journal.jsonl").read_text().splitlines()) == 6


async def test_only_one_experiment_runs_at_a_time(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, plan())
        screen.controller.begin()
        await pilot.press("escape", "up", "enter", "space")
        assert screen.controller.entry.run is None
        assert screen.controller.note == "Tiny is running; K there stops it first."


async def test_an_export_writes_every_number_and_says_where(lab, plan, tmp_path: Path):
    app = lab()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await finished(pilot, await begun(pilot, plan()))
        await pilot.press("X")
        await answer(pilot, "")
        assert "folder" in refusal(pilot)
        await answer(pilot, str(tmp_path / "out"))
        await settled(pilot)
        assert screen.controller.note == f"4 files are in {tmp_path / 'out'}"
        with (tmp_path / "out" / "metrics.csv").open() as file:
            assert len(list(csv.DictReader(file))) == 2 * 3 * (4 + 4)
        assert (tmp_path / "out" / "win-x.svg").read_text().startswith("<svg")
        (tmp_path / "file").write_text("")
        await pilot.press("X")
        await answer(pilot, str(tmp_path / "file" / "out"))
        await settled(pilot)
        assert "cannot be written: not a directory" in screen.controller.note


async def test_a_sweep_makes_an_arm_for_each_value_and_a_wrong_one_is_refused(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, plan())
        await pilot.press("P")
        for wrong, said in (
            ("B", "such as A.alpha=.1,.2,.4"),
            ("C.alpha=.1", "there is no arm 'C'"),
            ("B.beauty=1", "has an option 'beauty'"),
            ("B.alpha=7", "alpha"),
        ):
            await answer(pilot, wrong)
            assert said in refusal(pilot)
        await answer(pilot, "B.alpha=.1,.2,.4")
        names = [arm.name for arm in screen.controller.entry.plan.arms]
        assert names == ["A skip", "B learn alpha=.1", "B learn alpha=.2", "B learn alpha=.4"]
        screen.controller.entry.prediction = ""
        await pilot.press("space")
        await finished(pilot, screen)
        assert screen.chart.view.x_label == "alpha (log)"
        assert [x for x, _ in screen.chart.view.series[0].points] == [0.1, 0.2, 0.4]
        await pilot.press("tab")
        assert screen.chart.view.x_label == "games"


async def test_a_bad_plan_is_one_sentence_in_place(lab, plan, tmp_path: Path):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        bad = Path(plan())
        bad.write_text(bad.read_text().replace("td:draw=0,", "dt:draw=0,"))
        await pilot.press("E", "slash")
        for text, said in (
            (str(bad), "line 19: arms[2].x: there is no player 'dt'"),
            (str(tmp_path), "cannot be read: it is no ordinary file"),
            ("missing.toml", "cannot be read: no such file"),
            ("symetries", "did you mean symmetries?"),
            ("", "a TOML file"),
        ):
            await answer(pilot, text)
            told = " ".join(refusal(pilot).split())
            assert said in told
        await pilot.press("escape")
        assert len(shown(app).controller.entries) == 7


async def test_an_arm_becomes_the_labs_setup(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, plan())
        await pilot.press("down", "o")
        await pilot.pause()
        assert isinstance(app.screen, LabScreen)
        assert str(app.session.run.x) == "td:draw=0,exploration=learn"
        assert (str(app.session.run.o), app.session.run.seed) == ("random", 0)


async def test_the_command_that_does_the_same_is_told(lab, plan):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("E", "enter", "I")
        await answer(pilot, "2")
        await pilot.press("G")
        await answer(pilot, "5k")
        await pilot.press("Y")
        told = "afterstate experiment self-play --seeds 2 --games 5000"
        assert shown(app).controller.note == told
        assert told in str(shown(app).arms.view.footer)


async def test_every_key_has_its_help_and_the_footer_fits(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("E", "question_mark")
        told = {key for _, section in app.screen.query("HelpPane").first().view.sections
                for key, _ in section}  # fmt: skip
        assert {command.shown for command in EXPERIMENT_COMMANDS} <= told
        await pilot.press("escape")
        await pilot.resize_terminal(50, 15)
        assert shown(app).too_small.display

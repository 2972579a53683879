"""What the experiments say and show, without a screen."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from learners.experiments.plan import Plan, catalogue, find_plan
from learners.experiments.run import Experiment
from learners.toml_reader import TomlError
from tui.lab.experiments.chart import chart_view, references
from tui.lab.experiments.controller import ExperimentsController, Stage
from tui.lab.experiments.experiment import Digester, ExperimentRun, PlanEntry, swept
from tui.lab.experiments.view import (
    ARMS_AROUND,
    TABLE_AROUND,
    answer_view,
    arms_view,
    least_chart,
    over_rows,
    plans_view,
    question_view,
    running_rows,
    verdicts_view,
    window,
)
from tui.lab.experiments.words import arm_names, number_told, players_told
from tui.lab.goal import games_of
from tui.theme.glyphs import ASCII, LINUX, UNICODE
from tui.theme.look import Look, width
from tui.theme.palette import DARK, PLAIN, SIXTEEN
from tui.widgets.cards import TextPane
from tui.widgets.experiment_panes import ArmsPane, ChartPane, tick_text
from tui.widgets.table_pane import TablePane

LOOKS = (Look(DARK, UNICODE), Look(PLAIN, ASCII), Look(SIXTEEN, LINUX), Look(PLAIN, UNICODE))


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The user's data of one test; and no compiler."""
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")
    monkeypatch.setenv("AFTERSTATE_DATA", str(tmp_path))
    return tmp_path


def small(name: str = "exploration", seeds: int = 2, games: int = 60) -> Plan:
    """A plan of the package, small enough for the interpreter."""
    return find_plan(name).with_seeds(seeds).with_games(games)


def run_through(plan: Plan) -> ExperimentsController:
    """A controller that looks at a plan whose run is over."""
    controller = ExperimentsController()
    controller.entries.append(PlanEntry(plan, plan.name))
    controller.at = len(controller.entries) - 1
    controller.open()
    controller.begin().work()
    controller.digest = controller.take_stock()
    return controller


def test_arms_keep_the_letters_that_their_plan_gives_them():
    assert arm_names(find_plan("exploration")) == [("A", "skip"), ("B", "learn")]
    assert arm_names(find_plan("td-or-mc"))[:2] == [("A", "TD alpha=0.02"), ("B", "TD alpha=0.05")]
    assert arm_names(find_plan("step-sizes"))[27] == ("28", "q alpha=1")


def test_what_differs_between_arms_is_said_first():
    first, second = players_told(find_plan("exploration"))
    assert first.startswith("td exploration=skip α.5")
    assert second.startswith("td exploration=learn α.5")
    assert first.endswith(" v random")
    assert players_told(find_plan("self-play"))[1] == "td v itself"


def test_numbers_are_written_as_in_the_book():
    assert [number_told(value) for value in (0.9948, 1.0, -0.25, 812.4, None)] == [
        ".9948", "1.0000", "−.2500", "812.4", "—",
    ]  # fmt: skip


def test_the_command_can_be_pasted_into_a_shell():
    entry = PlanEntry(small(), "my plans/it's.toml", seeds=2, games=60)
    assert entry.command == (
        """afterstate experiment 'my plans/it'"'"'s.toml' --seeds 2 --games 60"""
    )


def test_numbers_may_be_typed_with_a_unit():
    typed = ("20", "5,000", "100k", "1m", "", "k", "-1", "1.5k", "²")
    assert [games_of(text) for text in typed] == [20, 5000, 100_000, 1_000_000, *[None] * 5]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A.alpha=.1,.2", ["A skip alpha=.1", "A skip alpha=.2", "B learn"]),
        ("A skip.x.alpha=.1", ["A skip alpha=.1", "B learn"]),
        ("alpha=.1", ["A skip alpha=.1", "B learn alpha=.1"]),
        ("x.alpha=.1", ["A skip alpha=.1", "B learn alpha=.1"]),
    ],
)
def test_a_sweep_is_typed_in_one_line(text: str, names: list[str]):
    assert [arm.name for arm in swept(find_plan("exploration"), text).arms] == names


@pytest.mark.parametrize("text", ["", "=", "A", "A.alpha", "A.alpha=", "A.o.alpha=.1", "Z.alpha=1"])
def test_what_is_no_sweep_is_one_sentence(text: str):
    with pytest.raises(TomlError) as raised:
        swept(find_plan("exploration"), text)
    assert "\n" not in str(raised.value)
    assert "sweep[" not in str(raised.value)


@pytest.mark.parametrize("rows", [18, 22, 38])
@pytest.mark.parametrize("arms", [1, 2, 5, 28])
def test_panes_share_the_rows_and_the_chart_keeps_its_own(rows: int, arms: int):
    running = running_rows(rows, arms)
    assert running.arms - ARMS_AROUND == running.table - TABLE_AROUND >= 1
    assert rows - running.arms - running.table >= least_chart(rows)
    for answer in (1, 7, 30):
        over = over_rows(rows, arms, answer)
        assert rows - over.table - over.answer >= least_chart(rows)
        assert over.table - TABLE_AROUND <= arms


def test_a_window_holds_its_cursor():
    for many in (1, 5, 28):
        for height in (1, 4, 9):
            for at in range(many):
                first = window(many, at, height)
                assert 0 <= first <= at < first + height


def test_the_numbers_of_an_axis_have_the_decimals_of_their_step():
    assert tick_text(0.96, 0.02) == ".96"


def test_exact_values_stand_beside_the_curves():
    controller = run_through(small())
    labels = [one.label for one in references(controller.entry.plan, controller.digest)]
    assert labels == ["A exact .9948", "B exact .9743"]
    controller.perform("metric")
    controller.digest = controller.take_stock()
    labels = [one.label for one in references(controller.entry.plan, controller.digest)]
    assert labels == ["exact .9948"]


def test_figures_are_those_of_the_results_and_not_worked_out_twice():
    plan = small()
    experiment = Experiment(plan)
    shot = experiment.work()
    digester = Digester()
    first = digester.digest(shot, plan.metrics[1])
    again = digester.digest(experiment.snapshot, plan.metrics[1])
    for n, arm in enumerate(shot.results.arms):
        assert first.arms[n].figure == arm.final(plan.metrics[1])
        assert first.arms[n].better == shot.results.improvement(plan.metrics[1], n)
        assert again.arms[n] is first.arms[n]


def test_a_sweep_is_drawn_against_its_option_beside_the_arms_that_stand_still():
    controller = run_through(small("td-or-mc", 2, 20))
    view = chart_view(controller)
    assert view.x_label == "alpha (log)"
    assert [one.label for one in view.series] == ["TD", "MC", "TD 1/n", "MC 1/n"]
    assert [x for x, _ in view.series[0].points] == [0.02, 0.05, 0.1, 0.2, 0.4]
    final = controller.digest.snapshot.results.arms[0].final(controller.metric)
    assert view.series[0].points[0][1] == final.mean
    assert view.title == "rms(V,v_pi) X, at the end, with 95% band (Student's t)"
    table = verdicts_view(controller, 5, 80)
    assert table.columns[1].title == "final"
    assert "".join(text for text, _ in table.rows[0][1]) == number_told(final.mean)
    controller.wants_sweep = False
    shown = [one for one in chart_view(controller).series if not one.dim]
    assert [one.label for one in shown] == ["A"]


@pytest.mark.slow
def test_the_chart_and_the_table_of_step_sizes_are_means_over_the_run():
    controller = run_through(small("step-sizes", 2, 20))
    view, table = chart_view(controller), verdicts_view(controller, 5, 80)
    average = controller.digest.snapshot.results.arms[0].average(controller.metric)
    assert view.series[0].points[0][1] == average.mean
    assert view.title == "value played X, mean over the run, with 95% band (bootstrap)"
    assert table.columns[1].title == "run"
    assert "".join(text for text, _ in table.rows[0][1]) == number_told(average.mean)


def test_an_answer_stands_after_what_was_run_now_and_says_what_it_was_found_with():
    controller = run_through(small("self-play", 2, 20))
    run, answer = answer_view(controller).paragraphs
    assert run[0][0] == "This run, 2 seeds of 20 games: "
    assert answer[0][0] == "Answer, from 20 seeds of 200,000 games: "
    plan = find_plan("self-play")
    assert (plan.answer_seeds, plan.answer_games) == (len(plan.seeds), plan.games)


def test_without_an_answer_the_figures_are_put_in_words():
    controller = run_through(replace(small("self-play"), answer=""))
    (_, (said, _)) = answer_view(controller).paragraphs[0]
    assert said.startswith("win X ends between .")


def test_what_cannot_go_on_is_one_sentence(data: Path):
    (data / "experiments" / "exploration" / "journal.jsonl").mkdir(parents=True)
    controller = ExperimentsController()
    controller.open_text("1.4")
    run = controller.begin()
    run.work()
    assert run.is_over
    assert run.trouble.endswith("cannot be read: it is no ordinary file")
    assert controller.stage is Stage.PLAN


def test_a_run_that_is_stopped_before_it_begins_ends_at_once():
    run = ExperimentRun(small(games=10_000_000), None)
    run.stop()
    run.work()
    assert run.is_over
    assert run.snapshot.done == 0


def test_a_plan_of_any_name_keeps_its_journal_in_the_users_data(data: Path):
    for name in ("../../etc", "..", "a b", "x" * 300):
        folder = PlanEntry(replace(small(), name=name), name).folder
        assert folder.parent == data / "experiments"
        assert folder.name not in ("", ".", "..")


@pytest.mark.quick("exploration")
@pytest.mark.parametrize("name", ["exploration", "improvements", "td-or-mc"])
def test_every_pane_fits_every_size(name: str):
    controller = run_through(small(name, 2, 20))
    controller.entry.prediction = "B, by a little"
    views = (
        (ChartPane, chart_view(controller)),
        (ArmsPane, arms_view(controller, 5)),
        (TablePane, verdicts_view(controller, 5, 80)),
        (TablePane, plans_view(controller, 5)),
        (TextPane, question_view(controller)),
        (TextPane, answer_view(controller)),
    )
    sizes = ((10, 3), (58, 7), (80, 9), (120, 28))
    for look, (kind, view) in itertools.product(LOOKS, views):
        for columns, rows in sizes:
            lines = kind(view, look=look).lines(view, columns, rows)
            assert [width(line) for line in lines] == [columns] * rows
            text = "".join(piece for line in lines for piece, _ in line)
            assert text.isprintable()
            assert look.glyphs is not ASCII or text.isascii()


def test_the_plans_of_the_package_are_known_by_the_numbers_of_their_exercises():
    controller = ExperimentsController()
    controller.open_text("1.4")
    assert controller.entry.plan == find_plan("exploration")
    assert len(controller.entries) == len(catalogue())

"""What is written for other programs: numbers that read back exactly, charts that are XML."""

import csv
import io
import json
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import pytest

from learners.experiments.export import (
    SvgChart,
    SvgCurve,
    as_csv,
    charts,
    number,
    write_results,
    write_tensorboard,
)
from learners.experiments.plan import Plan
from learners.experiments.results import Results
from learners.experiments.runner import Experiment


@pytest.fixture
def found(tiny: Plan) -> Results:
    return Experiment(tiny).work().results


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in xml.fromstring(svg).iter() if node.tag.endswith("text")]


def test_every_number_reads_back_from_csv_exactly(found: Results):
    rows = list(csv.DictReader(io.StringIO(as_csv(found))))
    assert list(rows[0]) == ["arm", "seed", "games", "metric", "value"]
    read = {
        (row["arm"], int(row["seed"]), int(row["games"]), row["metric"]): float(row["value"])
        for row in rows
    }
    plan = found.plan
    for arm in found.arms:
        for trial in arm.trials:
            for m, metric in enumerate(plan.metrics):
                for p, games in enumerate(plan.points):
                    value = read.pop((arm.arm.name, trial.seed, games, str(metric)), np.nan)
                    assert np.array_equal(value, trial.values[m, p], equal_nan=True)
    assert not read


def test_a_chart_names_its_arms_and_their_exact_values(found: Results):
    made = charts(found)
    assert list(made) == ["value-x.svg", "beatable-x.svg", "won-x.svg"]
    told = texts(made["value-x.svg"])
    assert "Tiny: V(empty) X, mean and 95% band (bootstrap)" in told
    assert "A (exact 0.9948)" in told
    assert "B (exact 0.9743)" in told
    assert "games" in told


def test_a_sweep_has_a_chart_over_its_values(tiny_text: str):
    text = tiny_text + '\n[sweep]\noption = "alpha"\nvalues = [0.1, 0.2, 0.5]\n'
    made = charts(Experiment(Plan.parse(text).with_seeds(1)).work().results)
    assert "value-x-sweep.svg" in made
    told = texts(made["value-x-sweep.svg"])
    assert {"alpha", "A alpha", "B alpha", "0.1", "0.2", "0.5"} <= set(told)


def test_names_cannot_break_out_of_a_chart():
    line = SvgCurve('</text><script>"&', (1, 2), np.array([0.1, 0.2]))
    assert '</text><script>"&' in texts(SvgChart("a<b>&", "x", [line]).svg())


def test_a_chart_of_nothing_is_a_chart():
    nothing = np.array([np.nan, np.nan])
    svg = SvgChart(
        "empty", "games", [SvgCurve("A", (0, 10), nothing, nothing, nothing)], log=True
    ).svg()
    assert "A" in texts(svg)
    flat = SvgChart("flat", "games", [SvgCurve("A", (5,), np.array([1.0]))]).svg()
    assert "nan" not in flat


def test_numbers_of_an_axis_are_short():
    assert [number(n) for n in (20_000, 0.25, 0.994791)] == ["20,000", "0.25", "0.9948"]


def test_files_are_written_whole_and_over_older_ones(found: Results, tmp_path: Path):
    for _ in range(2):
        files = write_results(found, tmp_path / "out")
        assert sorted(tmp_path.joinpath("out").iterdir()) == sorted(files)
    assert json.loads((tmp_path / "out" / "results.json").read_text())["title"] == "Tiny"
    assert (tmp_path / "out" / "metrics.csv").read_text() == as_csv(found)


def test_event_files_hold_the_mean_curves(found: Results, tmp_path: Path):
    pytest.importorskip("tensorboardX", reason="tensorboardX is not installed")
    from tensorboardX.proto.event_pb2 import Event

    write_tensorboard(found, tmp_path)
    (file,) = (tmp_path / "tensorboard" / "A").iterdir()
    data, read = file.read_bytes(), {}
    while data:
        size = int.from_bytes(data[:8], "little")
        event = Event.FromString(data[12 : 12 + size])
        read |= {(v.tag, event.step): v.simple_value for v in event.summary.value}
        data = data[16 + size :]
    curve = found.arms[0].curve(found.plan.metrics[0])
    for games, mean in zip(curve.games, curve.mean.tolist(), strict=True):
        assert read["value/X", games] == pytest.approx(mean, rel=1e-6)

"""Write what came of an experiment: metrics as CSV, all figures as JSON, curves as SVG."""

from __future__ import annotations

import csv
import importlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from learners.errors import UsageError
from learners.experiments.chart import Chart, Line
from learners.experiments.metrics import SidedMetric
from learners.experiments.results import Results, SweepPoint
from learners.files import make_folder, private_files

HEADER = ("arm", "seed", "games", "metric", "value")


def csv_rows(results: Results) -> Iterator[tuple[str, int, int, str, str]]:
    """Every number that was measured, by arm, seed, metric and games."""
    plan = results.plan
    for found in results.arms:
        for trial in found.trials:
            for metric, row in zip(plan.metrics, trial.values.tolist(), strict=True):
                for games, value in zip(plan.points, row, strict=True):
                    if not np.isnan(value):
                        yield found.arm.name, trial.seed, games, str(metric), f"{value:.17g}"


def as_csv(results: Results) -> str:
    """The same as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(csv_rows(results))
    return text.getvalue()


def charts(results: Results) -> dict[str, str]:
    """SVG documents by file name: a chart for each metric, and one more for each of a sweep."""
    found = {}
    for metric in results.plan.metrics:
        name = re.sub(r"[^a-z0-9]+", "-", str(metric).lower().replace("*", "-star")).strip("-")
        found[f"{name}.svg"] = curve_chart(results, metric).svg()
        series = results.sweep(metric, over_run=True)
        if series:
            found[f"{name}-sweep.svg"] = sweep_chart(results, metric, series).svg()
    return found


def curve_chart(results: Results, metric: SidedMetric) -> Chart:
    """A metric of every arm over the games of a run."""
    plan, lines = results.plan, []
    for arm in results.arms:
        curve, exact = arm.curve(metric), arm.reference(metric)
        value = None if exact is None else exact.value
        lines.append(Line(arm.arm.name, plan.points, curve.mean, curve.low, curve.high, value))
    title = f"{plan.title}: {metric.symbol}, mean and 95% band"
    return Chart(title, "games", lines, log=plan.log)


def sweep_chart(
    results: Results, metric: SidedMetric, series: dict[str, tuple[SweepPoint, ...]]
) -> Chart:
    """A metric's mean over the run against the option that is swept, as in Figure 2.6."""
    lines, numeric = [], all(is_number(p.value) for points in series.values() for p in points)
    for name, points in series.items():
        known = [
            (float(point.value) if numeric else float(n), point.estimate)
            for n, point in enumerate(points)
            if point.estimate is not None
        ]
        line = [
            (x, e.mean, e.mean if e.low is None else e.low, e.mean if e.high is None else e.high)
            for x, e in sorted(known, key=lambda pair: pair[0])
        ]
        columns = np.array(line).reshape(len(line), 4).T
        lines.append(Line(name, columns[0].tolist(), *columns[1:]))
    option = next(arm.arm.swept[-1][0] for arm in results.arms if arm.arm.swept)
    positive = all(x > 0 for line in lines for x in line.x)
    title = f"{results.plan.title}: {metric.symbol}, mean over the run"
    return Chart(title, option, lines, log=numeric and positive)


def is_number(text: str) -> bool:
    """Whether an option's value is a plain number."""
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def write_results(results: Results, folder: Path) -> list[Path]:
    """Write `metrics.csv`, `results.json` and a chart for each metric, each whole or not at all.

    Returns:
        The files.

    Raises:
        OSError: a file cannot be written.
    """
    make_folder(folder)
    documents = {
        "metrics.csv": as_csv(results),
        "results.json": json.dumps(results.as_json(), indent=1, allow_nan=False) + "\n",
        **charts(results),
    }
    for name, text in documents.items():
        write_whole(folder / name, text)
    return [folder / name for name in documents]


def write_whole(path: Path, text: str) -> None:
    """Write a text file that is either there in full or as it was before."""
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=".afterstate-", encoding="utf-8", delete=False
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        finally:
            Path(file.name).unlink(missing_ok=True)


def write_tensorboard(results: Results, folder: Path) -> None:
    """Write event files for TensorBoard: each arm a run, each metric its mean over the seeds.

    Raises:
        UsageError: the package tensorboardX is not installed.
    """
    try:
        writer = importlib.import_module("tensorboardX").SummaryWriter
    except ImportError:
        raise UsageError(
            'event files need the package tensorboardX: pip install "afterstate[tensorboard]"'
        ) from None
    for arm in results.arms:
        run = re.sub(r"[^\w.=-]+", "_", arm.arm.name)
        with private_files(), writer(logdir=str(folder / "tensorboard" / run)) as log:
            for metric in results.plan.metrics:
                curve = arm.curve(metric)
                for games, value in zip(curve.games, curve.mean.tolist(), strict=True):
                    if not np.isnan(value):
                        log.add_scalar(
                            str(metric).replace("*", "_star").replace(" ", "/"), value, games
                        )

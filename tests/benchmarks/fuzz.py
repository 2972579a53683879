"""Fuzz every parser of what comes from outside, led by what code an input reaches (atheris).

    python tests/benchmarks/fuzz.py [--seconds N] [--target NAME ...] [--keep DIR] [--json]

Each target of `tests/robustness/fuzz_targets.py` has processes of its own for some seconds, 700 MB.
It ends at the first finding: an error that is not the documented one, a refusal that is no sentence
that can be printed, an input that takes five seconds or more memory. The inputs that reached more
are kept in a folder, where the next process goes on with them; five seconds each, because atheris
leaks the arrays that are compared. Needs the package atheris (pip install atheris).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROBUSTNESS = ROOT / "tests" / "robustness"
sys.path[:0] = [str(ROOT), str(ROBUSTNESS)]
MEMORY_MB, LONGEST_SECONDS, LONGEST_INPUT = 700, 5, 8192
ROUND = 5
"""Seconds of a process."""
NUMBERS = {
    "inputs": re.compile(r"stat::number_of_executed_units:\s+(\d+)"),
    "memory_mb": re.compile(r"stat::peak_rss_mb:\s+(\d+)"),
    "covered": re.compile(r"cov: (\d+)"),
}
"""Where the fuzzer's report says what; the last one counts."""


@dataclass(frozen=True)
class Report:
    """What came of fuzzing one target."""

    target: str
    inputs: int
    covered: int
    """Places in the code that inputs have reached."""
    memory_mb: int
    finding: str
    """What went wrong with which input; empty where nothing did."""


def fuzz_here(target: str, options: list[str]) -> None:
    """Fuzz a target in this process, for ever or as the options say; never returns."""
    import atheris

    with atheris.instrument_imports(include=["learners", "game", "tui", "tomllib", "zipfile"]):
        from fuzz_targets import TARGETS

    take = TARGETS[target]
    atheris.Setup([sys.argv[0], *options], lambda data: take(data) and None)
    atheris.Fuzz()


def fuzzed(target: str, seconds: int, folder: Path) -> Report:
    """Fuzz a target, a round after the other, until it is over or something is found.

    Args:
        target: its name.
        seconds: how long.
        folder: where inputs are kept.
    """
    total = Report(target, 0, 0, 0, "")
    for began in range(0, seconds, ROUND):
        found = fuzzed_once(target, min(ROUND, seconds - began), folder)
        total = Report(
            target,
            total.inputs + found.inputs,
            max(total.covered, found.covered),
            max(total.memory_mb, found.memory_mb),
            found.finding,
        )
        if total.finding:
            break
    return total


def fuzzed_once(target: str, seconds: int, folder: Path) -> Report:
    """Fuzz a target in a process of its own.

    Args:
        target: its name.
        seconds: how long.
        folder: where inputs are kept.
    """
    from fuzz_seeds import SEEDS

    corpus, findings = folder / target, folder / "findings"
    for place in (corpus, findings):
        place.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[target]):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [
        str(corpus), f"-max_total_time={seconds}", f"-rss_limit_mb={MEMORY_MB}",
        f"-timeout={LONGEST_SECONDS}", f"-max_len={LONGEST_INPUT}", "-print_final_stats=1",
        f"-artifact_prefix={findings}/{target}-",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, __file__, "--child", target, *options],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=os.environ | {"AFTERSTATE_INTERPRETED": "1", "AFTERSTATE_DATA": str(folder / "data")},
        cwd=folder,
    )
    told = done.stdout + done.stderr
    numbers = {name: int((pattern.findall(told) or [0])[-1]) for name, pattern in NUMBERS.items()}
    return Report(target, finding=finding(told) if done.returncode else "", **numbers)


def finding(told: str) -> str:
    """The error and the input in a fuzzer's report, in one line."""
    _, found, rest = told.partition("Uncaught Python exception: ===")
    error = rest.strip().splitlines()[0] if found else ""
    summary = re.findall(r"SUMMARY: .*", told)[-1:]
    place = re.findall(r"Test unit written to (\S+)", told)[-1:]
    return "; ".join(filter(None, [error, *summary, *place])) or told[-300:]


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        fuzz_here(sys.argv[2], sys.argv[3:])
    if find_spec("atheris") is None:
        sys.exit("nothing was fuzzed: the package atheris is not installed (pip install atheris)")
    from fuzz_targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--target", nargs="*", choices=list(TARGETS), default=list(TARGETS))
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = asked.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        reports = []
        for target in asked.target:
            reports.append(fuzzed(target, asked.seconds, folder.resolve()))
            if not asked.json:
                print(line(reports[-1]), flush=True)
    if asked.json:
        print(json.dumps([asdict(report) for report in reports]))
    else:
        inputs, found = sum(r.inputs for r in reports), sum(bool(r.finding) for r in reports)
        print(f"{inputs:,} inputs, {found} findings")
    sys.exit(any(report.finding for report in reports))


def line(report: Report) -> str:
    """A report in a line."""
    return (
        f"{report.target:<10}{report.inputs:>12,} inputs{report.covered:>7,} places "
        f"{report.memory_mb:>4} MB  {report.finding or 'nothing found'}"
    )


if __name__ == "__main__":
    main()

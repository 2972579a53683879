"""Fuzz every parser of what comes from outside, led by what code an input reaches (atheris).

    python tests/benchmarks/fuzz.py [--seconds N] [--target NAME ...] [--keep DIR]

Each target of `tests/robustness/fuzz_targets.py` has processes of its own for some seconds, 700 MB.
It ends at the first finding: an error that is not the documented one, a refusal that is no sentence
that can be printed, an input that takes five seconds or more memory. The inputs that reached more
are kept in a folder, where the next process goes on with them; five seconds each, because atheris
leaks the arrays that are compared. Needs the package atheris (pip install atheris).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "robustness")]
ROUND = 5
"""Seconds of a process."""
LIMITS = ("-rss_limit_mb=700", "-timeout=5", "-max_len=8192", "-print_final_stats=1")
INPUTS = re.compile(r"stat::number_of_executed_units:\s+(\d+)")


def fuzz_here(target: str, options: list[str]) -> None:
    """Fuzz a target in this process, for ever or as the options say; never returns."""
    import atheris

    with atheris.instrument_imports(include=["learners", "game", "tui", "tomllib", "zipfile"]):
        from fuzz_targets import TARGETS

    take = TARGETS[target]
    atheris.Setup([sys.argv[0], *options], lambda data: take(data) and None)
    atheris.Fuzz()


def fuzzed(target: str, seconds: int, folder: Path) -> tuple[int, str]:
    """Fuzz a target, a process after the other; how many inputs, and what was found."""
    from fuzz_seeds import SEEDS

    corpus, findings = folder / target, folder / "findings"
    for place in (corpus, findings):
        place.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[target]):
        (corpus / f"seed-{number}").write_bytes(seed)
    own = {"AFTERSTATE_INTERPRETED": "1", "AFTERSTATE_DATA": str(folder / "data")}
    inputs = 0
    for began in range(0, seconds, ROUND):
        time, kept = f"-max_total_time={min(ROUND, seconds - began)}", f"{findings}/{target}-"
        done = subprocess.run(
            [sys.executable, __file__, "--child", target, str(corpus), time, *LIMITS,
             f"-artifact_prefix={kept}"],
            capture_output=True, text=True, errors="replace", env=os.environ | own, cwd=folder,
        )  # fmt: skip
        told = done.stdout + done.stderr
        inputs += int((INPUTS.findall(told) or [0])[-1])
        if done.returncode:
            return inputs, finding(told)
    return inputs, ""


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
    asked = parser.parse_args()
    total = found = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in asked.target:
            inputs, wrong = fuzzed(target, asked.seconds, (asked.keep or Path(folder)).resolve())
            total, found = total + inputs, found + bool(wrong)
            print(f"{target:<12}{inputs:>12,} inputs  {wrong or 'nothing found'}", flush=True)
    print(f"{total:,} inputs, {found} findings")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()

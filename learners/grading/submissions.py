"""Judge or grade a class: a row of a CSV file for each submission, two at a time.

A row is written when it is known, so that a second call continues where the first one ended. A
submission that hangs, ends or cannot be read has a row that reports it.
"""

from __future__ import annotations

import csv
import io
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import UsageError, printable, reason, shown, shown_path
from afterstate_lab.learners.players.judged import Judged, judged_player
from afterstate_lab.learners.players.resolve import parse_player

JUDGED: Final = "who,side,beatable,worst_loss,chance,mistakes,game,said,seconds"
GRADED: Final = "who,score,of,same,first_difference,said,seconds"
"""The columns of a file."""
NAMED: Final = re.compile(r"(.*\.(?:py|csv|json|npz))(:.*)?", re.DOTALL)
"""A pattern of files, and what follows each in its spec."""
AT_ONCE: Final = 2

Row = Mapping[str, object]
Ask = Callable[[str, Callable[..., None]], list[dict[str, object]]]
"""Returns the rows of a submission; what it is given raises a `UsageError` when time is up."""


def submissions(pattern: str) -> dict[str, str]:
    """Return the specs of a pattern such as `class/*/agent.py:move`, by file.

    Raises:
        UsageError: there is none.
    """
    found = NAMED.fullmatch(pattern)
    if found is not None:
        path = Path(found[1])
        files = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if files:
            return {str(file): f"{file}{found[2] or ''}" for file in files}
    raise UsageError(f"no file matches {shown(pattern)}: write 'class/*/agent.py:move'")


def judge_rows(
    spec: str,
    check: Callable[..., None],
    sides: Sequence[Side],
    alike: Callable[[Judged], str] | None = None,
) -> list[dict[str, object]]:
    rows = []
    for one in judged_player(parse_player(spec), sides, check):
        told = one.as_json()
        faults = one.answers.faults if one.answers is not None else {}
        fails = sum(fault.reached for kind, fault in faults.items() if kind != "resigns")
        rows.append(
            {
                "side": one.side.mark,
                "beatable": "yes" if told["beatable"] else "no",
                "worst_loss": f"{told['worst_loss']:.6g}",
                "chance": told.get("chance") or "none",
                "mistakes": sum(mistake.reached for mistake in one.mistakes) + fails,
                "game": " ".join(one.moves),
                "said": "; ".join(
                    f"{kind} on {fault.boards} boards" for kind, fault in faults.items()
                ),
            }
        )
        if alike is not None:
            rows[-1]["like"] = alike(one)
    return rows


def in_class(
    pattern: str,
    path: Path,
    columns: str,
    ask: Ask,
    seconds: float,
    stop: Callable[[], bool],
    tell: Callable[[float], object],
) -> bool:
    """Write the rows of all submissions that the file lacks.

    Args:
        pattern: see `submissions`.
        path: the CSV file.
        columns: `JUDGED` or `GRADED`.
        ask: see `Ask`.
        seconds: time limit for each.
        stop: tells whether to end the work as soon as possible.
        tell: told the part that is done.

    Returns:
        Whether all could be judged.
    """
    specs, known = submissions(pattern), known_rows(path, columns)
    is_whole = not any(row["who"] in specs and is_lacking(row) for row in known)
    done = {row["who"] for row in known}
    left = [who for who in specs if who not in done]

    def rows_of(who: str) -> list[dict[str, object]]:
        began = time.monotonic()

        def check(*_: object) -> None:
            if stop():
                raise UsageError("stopped")
            if time.monotonic() - began > seconds:
                raise UsageError(f"not done within {seconds:g} s")

        try:
            rows = ask(specs[who], check)
        except Exception as error:  # one broken submission stops nobody
            rows = [{"said": printable(str(error))[:500] or type(error).__name__}]
        told = {"who": who, "seconds": f"{time.monotonic() - began:.1f}"}
        return [told | row for row in rows]

    queue, found = iter(left), SimpleQueue[list[dict[str, object]]]()

    def work() -> None:
        for who in queue:
            found.put([] if stop() else rows_of(who))

    for _ in range(AT_ONCE):
        Thread(target=work).start()
    for number in range(len(left)):
        rows = found.get()
        if stop():
            return False
        append(path, columns, rows)
        is_whole &= not any(map(is_lacking, rows))
        tell((number + 1) / len(left))
    return is_whole


def is_lacking(row: Row) -> bool:
    """Return whether a row has no verdict."""
    return not (row.get("beatable") or row.get("same"))


def known_rows(path: Path, columns: str) -> list[dict[str, str]]:
    """Return the rows of a file of an earlier call; begin it if there is none.

    Raises:
        UsageError: it is another file, or cannot be read or written.
    """
    try:
        if not path.exists():
            path.write_text(f"{columns}\n", encoding="utf-8")
            return []
        data = path.read_bytes()
        if not data.endswith(b"\n"):  # the last call was ended while it wrote
            data = data[: data.rfind(b"\n") + 1]
            path.write_bytes(data)
        text = data.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot use {shown_path(path)}: {reason(error)}") from None
    if text.partition("\n")[0].strip() != columns:
        raise UsageError(f"{shown_path(path)} has other columns: choose another file")
    return rows


def append(path: Path, columns: str, rows: Sequence[Row]) -> None:
    """Write rows at once, so that none is left half written."""
    text = io.StringIO(newline="")
    csv.DictWriter(text, columns.split(","), restval="", lineterminator="\n").writerows(rows)
    with path.open("ab") as file:
        file.write(text.getvalue().encode("utf-8", "backslashreplace"))
        file.flush()
        os.fsync(file.fileno())


def results(marks: Iterable[tuple[str, bool, int, str]], output: str) -> dict[str, Any]:
    """Return the `results.json` of Gradescope.

    Args:
        marks: of each test the name, whether it holds, its points, and its report.
        output: the report on all.
    """
    tests: list[dict[str, Any]] = [
        {
            "name": name,
            "score": float(points * holds),
            "max_score": float(points),
            "status": "passed" if holds else "failed",
            "output": said,
            "visibility": "visible",
        }
        for name, holds, points, said in marks
    ]
    return {
        "score": sum(test["score"] for test in tests),
        "output": output,
        "visibility": "visible",
        "tests": tests,
    }


def gradescope_of_sides(sides: Mapping[Any, tuple[bool, str]], why: str = "") -> dict[str, Any]:
    """Return a verdict as the `results.json` of Gradescope: a point for each unbeatable side.

    Args:
        sides: whether each can be beaten, and its report.
        why: an agent cannot be judged.
    """
    marks = [("the agent can be judged", False, 1, why)] if why else []
    for mark, (beatable, output) in sides.items():
        marks.append((f"nobody beats it as {mark}", not beatable, 1, output))
    return results(marks, "")

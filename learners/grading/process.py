"""Grading in a process of its own: what it runs was written by somebody else.

    python -m learners.grading.process < request.json

It answers with one JSON object a line: `{"at": [seed, game]}` before each stretch of games, then
`{"report": …}` or `{"error": sentence}`.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

from learners.errors import UsageError, printable, shown
from learners.grading.grade import GAMES, SEEDS, ULPS, grade
from learners.players.confined import confine, end, own_output, start

SECONDS: Final = 60
"""How long a grading may take."""
LONGEST_ANSWER: Final = 1 << 22


class GradingError(UsageError):
    """A rule cannot be graded: it hangs, fails, or is none."""


def graded(
    rule: str,
    against: str,
    *,
    games: int = GAMES,
    seeds: int = SEEDS,
    ulps: float = ULPS,
    seconds: int = SECONDS,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """The report on a rule (`learners.grading.report`), made in another process.

    Args:
        rule: the spec of the rule to grade.
        against: the spec of the reference.
        games: games of each seed.
        seeds: how many seeds.
        ulps: units in the last place by which a number may differ.
        seconds: the time after which the other process is ended.
        progress: told the seed and the game before each stretch of games.

    Raises:
        GradingError: the rule cannot be graded; the sentence says why.
    """
    request = {"rule": rule, "against": against, "games": games, "seeds": seeds, "ulps": ulps}
    process = start("learners.grading.process", (str(seconds),))
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        process.kill()

    clock = threading.Timer(seconds, stop)
    clock.daemon = True
    clock.start()
    at = None
    try:
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode())
            process.stdin.close()
        except BrokenPipeError:
            pass
        while line := process.stdout.readline(LONGEST_ANSWER):
            try:
                told = json.loads(line)
            except ValueError:
                break
            if "error" in told:
                raise GradingError(printable(str(told["error"])))
            if "report" in told:
                found: dict[str, Any] = told["report"]
                return found
            at = told["at"]
            if progress is not None:
                progress(*at)
    finally:
        clock.cancel()
        end(process)
    where = (
        "before its first game" if at is None else f"in or after game {at[1] + 1:,}, seed {at[0]}"
    )
    if is_late.is_set():
        raise GradingError(
            f"{shown(rule)} was not done after {seconds:,} s, {where}: does it loop for ever? "
            "(--seconds allows more)"
        )
    raise GradingError(
        f"{shown(rule)} ended the process that ran it, {where}: it took too much memory or time, "
        "or left by itself"
    )


def main(seconds: str) -> None:
    """Answer the request on standard input."""
    answers = own_output()
    confine(int(seconds) + 1)
    request = json.loads(sys.stdin.buffer.read())

    def answer(**told: Any) -> None:
        answers.write(json.dumps(told).encode() + b"\n")
        answers.flush()

    try:
        answer(report=report_on(request, lambda seed, game: answer(at=[seed, game])))
    except UsageError as error:
        answer(error=str(error))
    except MemoryError:
        answer(error=f"{shown(request['rule'])} took more memory than it is given")
    except Exception as error:
        answer(error=f"{shown(request['rule'])} failed: {shown(error)}")


def report_on(request: dict[str, Any], progress: Callable[[int, int], None]) -> dict[str, Any]:
    """The report that a request asks for.

    Raises:
        UsageError: a player cannot be used, or the rule fails.
    """
    from learners.grading.report import report
    from learners.players.resolve import parse_player

    against = parse_player(request["against"])
    rule = parse_player(request["rule"])
    options = {name: request[name] for name in ("games", "seeds", "ulps")}
    return report(grade(rule, against, progress=progress, **options))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Grade a rule in a separate process, since it runs someone else's code.

    python -m afterstate_lab.learners.grading.process < request.json

It answers with one JSON object per line: `{"at": [seed, game]}` before each span of games, then
`{"report": …}` or `{"error": sentence}`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.learners.files import own_command
from afterstate_lab.learners.grading.grade import GAMES, SAME, SEEDS, ULPS, grade, report
from afterstate_lab.learners.players.host import limit, own_output
from afterstate_lab.learners.players.process import Child, LateAnswer, NoAnswer
from afterstate_lab.learners.players.resolve import parse_player

SECONDS: Final = 60
"""Time limit, in seconds."""
LONGEST: Final = 1 << 22
"""Maximum number of bytes of an answer."""
MEGABYTES: Final = 2048
"""Address space of the process; numpy reserves several hundred."""


class GradingError(UsageError):
    """A rule cannot be graded: it hangs, fails or is missing."""


def graded(
    rule: str,
    against: str,
    *,
    games: int = GAMES,
    seeds: int = SEEDS,
    ulps: float = ULPS,
    seconds: int = SECONDS,
    beat: Callable[[], object] = int,
) -> dict[str, Any]:
    """Return the report on a rule (`learners.grading.grade`), made in another process.

    Args:
        rule: the spec of the rule to grade.
        against: the spec of the reference.
        games: games of each seed.
        seeds: how many seeds.
        ulps: units in the last place by which a number may differ.
        seconds: the time after which the other process is ended.
        beat: called again and again meanwhile.
    """
    request = {"rule": rule, "against": against, "games": games, "seeds": seeds, "ulps": ulps}
    at = None
    own, variables = own_command(__name__)
    until = time.monotonic() + seconds
    try:
        with Child("-I -S", "program", *own, **variables) as child:
            child.write([json.dumps(request)])
            while True:
                answer = json.loads(child.line(until - time.monotonic(), beat, LONGEST))
                if "error" in answer:
                    raise GradingError(printable(str(answer["error"])))
                if "report" in answer:
                    return dict(answer["report"])
                at = answer["at"]
    except (NoAnswer, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        after = at and f"in or after game {at[1] + 1:,}, seed {at[0]}"
        where = after or "before its first game"
        if isinstance(error, LateAnswer):
            raise GradingError(
                f"{shown(rule)} was not done after {seconds:,} s, {where}: does it loop forever? "
                "(--seconds allows more)"
            ) from None
        raise GradingError(
            f"{shown(rule)} ended the process that ran it, {where}: it took too much memory or "
            "time, or exited"
        ) from None


def grade_rows(
    spec: str, check: Callable[..., None], against: str, limits: Mapping[str, Any]
) -> list[dict[str, object]]:
    told = graded(spec, against, **limits, beat=check)
    return [
        {
            "score": told["score"],
            "of": told["max_score"],
            "same": "yes" if told["verdict"] == SAME else "no",
            "first_difference": told["first"]["sentence"] if told["first"] else "",
        }
    ]


def main() -> None:
    """Answer the request on standard input."""

    answers = own_output()
    limit(MEGABYTES)
    request = json.loads(sys.stdin.buffer.readline())
    name = request.pop("rule")

    def answer(**told: Any) -> None:
        answers.write(json.dumps(told).encode() + b"\n")

    try:
        against = parse_player(request.pop("against"))
        rule = parse_player(name)
        found = grade(rule, against, progress=lambda *at: answer(at=at), **request)
        answer(report=report(found))
    except UsageError as error:
        answer(error=str(error))
    except MemoryError:
        answer(error=f"{shown(name)} took more memory than it may")
    except (Exception, SystemExit) as error:
        answer(error=f"{shown(name)} failed: {shown(error)}")


if __name__ == "__main__":
    main()

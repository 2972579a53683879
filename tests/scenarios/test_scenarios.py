"""What the command and plain mode answer, line by line: each file beside this one is a scenario.

A line `$ afterstate ...` is a command, a line `> words` is typed to it, and below stands what is
told. `…` is any text, and in a line of its own any lines. A line with `#` says what is shown.
`AFTERSTATE_NEW_SNAPSHOTS=1` writes what is told now where it differs; look at the change.
"""

import os
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SCENARIOS = sorted(Path(__file__).parent.glob("*.txt"))
SLOW = ("break", "film", "table-of-moves", "values-and-dice", "why-of-half", "writer-and-why")
"""Long ones, which are not among the default tests."""
TURN = ("$ ", "> ", "#")
PROMPT = re.compile(r"^(?:stepping \(|[XO], your move \(|n for a new game, )h for help\)?: ", re.M)
VARYING = (
    (r"in [\d.]+ seconds?", "in 0.1 seconds"),
    (r"\([\d,]+ a second\)", "(1 a second)"),
    (r"\.py:\d+", ".py:1"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-11-23 09:00"),
)


@dataclass
class Turn:
    """A line of a scenario, what should be told after it, and what is told."""

    line: str
    expected: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The line and what is told: in the words of the file where those hold."""
        pattern = "".join(
            "(?:.*\n)*" if line == "…" else f"{re.escape(line).replace('…', '.*')}\n"
            for line in self.expected
        )
        told = "".join(f"{line}\n" for line in self.told)
        lines = self.expected if re.fullmatch(pattern, told) else self.told
        return "".join(f"{line}\n" for line in [self.line, *lines])


def told(text: str) -> list[str]:
    """The lines of a text, the same on every machine and day."""
    for varying, same in VARYING:
        text = re.sub(varying, same, text)
    return [line.rstrip() for line in text.split("\n") if line.strip()]


@pytest.mark.quick(*({path.stem for path in SCENARIOS} - set(SLOW)))
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path, tmp_path: Path, afterstate, interpreted, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    turns: list[Turn] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(TURN):
            turns.append(Turn(line))
        else:
            turns[-1].expected.append(line)
    starts = [n for n, turn in enumerate(turns) if turn.line.startswith("$ ")]
    for start, stop in zip(starts, [*starts[1:], len(turns)], strict=True):
        typed = [turn for turn in turns[start + 1 : stop] if turn.line.startswith("> ")]
        stdin = "".join(f"{turn.line[2:]}\n" for turn in typed)
        outcome = afterstate(*shlex.split(turns[start].line)[2:], stdin=stdin)
        ended = f"status {outcome.status}\n" * bool(outcome.status)
        first, *answers = PROMPT.split(outcome.out + ended)
        turns[start].told = told(first)
        for turn, answer in zip(typed, answers, strict=False):
            _, _, answer = answer.partition("\n")  # the line itself is repeated first
            turn.told = told(answer)
    text = "".join(turn.text for turn in turns)
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")

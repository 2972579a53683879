"""Commands as scenarios: command lines, their exit status, and what they print.

A scenario of `commands.txt` begins with `# its title` and has a folder and data of its own, with
`agents`:

    > FILE             a file, with the lines after it that begin with `|`
    $ train --games 3  a command; \\e is an escape character, {0} what the first one printed
    < 5                a line of its standard input
    2                  its exit status, where it is not 0
    . text             is in the output, ^ text begins it, ! text is in what it says of errors
    @ expression       is true: of out, err, told (the output as JSON) and outcomes so far
"""

import csv  # noqa: F401
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from afterstate_lab.learners import VERSION  # noqa: F401
from afterstate_lab.learners.rules.museum import PIECES  # noqa: F401
from afterstate_lab.learners.rules.spec import rules  # noqa: F401

FILE = Path(__file__).with_name("commands.txt")
AGENTS = Path(__file__).parents[2] / "agents"
SCENARIOS = dict(
    part.split("\n", 1) for part in re.split(r"^# ", FILE.read_text("utf-8"), flags=re.M)[1:]
)

LONG = {
    "A file, a run and an address are judged and exported alike", "A rule is graded",
    "A file that is there is replaced only where --force asks for it",
    "A game is played in short lines", "Methods, classes and cells from 0 are asked",
    "Dice of a program are counted",
}  # fmt: skip
"""Not among the default tests."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agents").symlink_to(AGENTS)
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


def steps(scenario: str) -> Iterator[tuple[str, list[str]]]:
    for step in re.split(r"^(?=[>$] )", scenario, flags=re.M):
        head, *lines = step.strip("\n").split("\n")
        if head:
            yield head, [line for line in lines if line]


@pytest.mark.quick(*(SCENARIOS.keys() - LONG))
@pytest.mark.parametrize("title", SCENARIOS)
def test_it_goes_as_written(afterstate, title: str) -> None:
    outcomes: list[Any] = []
    for head, lines in steps(SCENARIOS[title]):
        if head.startswith("> "):
            text = "".join(f"{line[2:]}\n" for line in lines)
            Path(head[2:]).write_text(text, encoding="utf-8")
            continue
        said = re.sub(r"\{(\d+)\}", lambda found: outcomes[int(found[1])].out.strip(), head[2:])
        words = shlex.split(said.replace(r"\e", "\x1b"))
        typed = (line[2:].replace(r"\e", "\x1b") for line in lines if line.startswith("<"))
        stdin = "".join(f"{line}\n" for line in typed)
        outcome = afterstate(*words, stdin=stdin)
        outcomes.append(outcome)
        check(head, [line for line in lines if not line.startswith("<")], outcomes)


def check(head: str, lines: list[str], outcomes: list[Any]) -> None:
    last = outcomes[-1]
    status = next((int(line) for line in lines if line.isdigit()), 0)
    assert last.status == status, (head, last)
    assert "\x1b" not in last.out + last.err, head
    if status == 2:
        assert last.err.startswith("afterstate: "), head
        assert last.err[:-1].isprintable(), head
        assert not last.out, head
    elif not any(line.startswith("!") for line in lines):
        assert not last.err, head
    for line in lines:
        kind, text = line[0], line[2:]
        if kind == "@":
            names = globals() | {"out": last.out, "err": last.err}
            names |= {"outcomes": outcomes} | ({} if "outcomes" in text else {"all": outcomes})
            if "told" in text:
                names["told"] = json.loads(last.out)
            assert eval(text, names), (head, text, last)
        elif not line.isdigit():
            shown = last.err if kind == "!" else last.out
            text = text.replace(r"\n", "\n")
            assert shown.startswith(text) if kind == "^" else text in shown, (head, text, last)

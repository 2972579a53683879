"""Which line of a rule's own file makes its backups, found where the rule is defined."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from learners.engine import nothing
from learners.rule import Rule

WRITERS = ("backup(", "write(")


@dataclass(frozen=True)
class SourceLine:
    """A line of code and where it stands."""

    text: str
    file: str
    number: int


@cache
def backup_lines(rule: type[Rule]) -> tuple[SourceLine, ...]:
    """The lines of a rule's hooks that write, in order; none where the source is not at hand."""
    found = []
    for hook in (rule.after_step, rule.after_game):
        if hook is nothing:
            continue
        try:
            lines, first = inspect.getsourcelines(hook)
            path = Path(inspect.getsourcefile(hook) or "")
        except (OSError, TypeError):
            continue
        for number, line in enumerate(lines, first):
            if any(writer in line for writer in WRITERS):
                place = "/".join(path.parts[-3:] if "rules" in path.parts else path.parts[-1:])
                found.append(SourceLine(line.strip(), place, number))
    return tuple(found)

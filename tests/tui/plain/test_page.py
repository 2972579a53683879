"""The session in docs/plain.md is what the program says.

`AFTERSTATE_NEW_SNAPSHOTS=1` with `-m slow` writes the session anew; look at the change before it is
kept.
"""

import os
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "plain.md"
FENCE = re.compile(r"```\n\$ afterstate (.*)\n((?:.*\n)*?)```")
PROMPT = re.compile(
    r"^(?:(?:[XO], your move|stepping) \(h for help\)|n for a new game, h for help): (.*)$",
    re.MULTILINE,
)
SECONDS = re.compile(r"in [\d.]+ seconds")
PROGRESS = re.compile(r"^\d+% searched; .*\n", re.MULTILINE)
"""What is said only where a machine is so busy that a search takes more than a second."""


@pytest.mark.slow
def test_the_session_in_the_page_is_what_the_program_says(afterstate):
    page = PAGE.read_text(encoding="utf-8")
    found = FENCE.search(page)
    assert found is not None
    words, shown = found.groups()
    typed = PROMPT.findall(shown)
    assert len(typed) > 10
    outcome = afterstate(*words.split(), stdin="\n".join(typed) + "\n")
    told = PROGRESS.sub("", SECONDS.sub("in 0.1 seconds", outcome.out))
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        new = f"```\n$ afterstate {words}\n{told}```"
        PAGE.write_text(page.replace(found[0], new), encoding="utf-8")
    assert (outcome.status, outcome.err) == (0, "")
    assert told == shown

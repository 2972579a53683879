"""`docs/judge.md`: its examples do what it says."""

import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "judge.md").read_text()


def blocks(language: str) -> list[str]:
    """The examples in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's two agents."""
    for name, source in zip(("agent.py", "agent2.py"), blocks("python"), strict=True):
        assert source.startswith(f"# {name}")
        (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_heuristic_loses_the_game_that_the_page_shows(afterstate, here):
    (shown,) = blocks("console")
    command, *lines = shown.splitlines()
    outcome = afterstate(*command.split()[2:])
    assert outcome.status == 3
    assert outcome.out.splitlines()[: len(lines)] == lines
    assert afterstate("judge", "agent.py:move", "--as", "X").status == 0


def test_the_table_is_one(afterstate, here):
    (table,) = blocks("text")
    (here / "moves.csv").write_text(table)
    outcome = afterstate("judge", "moves.csv", "--as", "X")
    assert outcome.err == "afterstate: on the board XO....... 'moves.csv' has no row for it\n"


def test_the_program_is_one(afterstate, here):
    (words,) = re.findall(r'# agent2.py: afterstate judge "(.*)"', PAGE)
    told = json.loads(afterstate("judge", words, "--as", "O", "--json").out)
    assert told["O"]["beatable"]
    assert len(told["O"]["refutation"]) == 5


def test_it_plays_and_is_trained_against(afterstate, here):
    lines = [part for part in re.findall(r"`(afterstate [^`]*)`", PAGE) if " --x " in part]
    assert len(lines) == 2
    for line in lines:
        assert afterstate(*line.split()[1:], "--games", "50").status == 0

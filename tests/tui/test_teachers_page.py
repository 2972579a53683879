"""`docs/teachers.md`: its homework is right, its exam question has its key, its addresses open."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from afterstate_lab.learners.library import TrainingRun
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "teachers.md").read_text(encoding="utf-8")
ADDRESS = re.compile(r"afterstate:1/(?![A-Z]/)[^\s`|…)\"]+")
PLACED = re.compile(r"> `(\S+)`(.*?)\n\n(.*)", re.DOTALL)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERSTATE_INTERPRETED", "1")


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_every_address_of_the_pages_is_written_as_the_lab_writes_it(page):
    for text in ADDRESS.findall(page.read_text(encoding="utf-8")):
        assert str(Address.parse(text)) == text


@pytest.mark.slow
@pytest.mark.parametrize("text", re.findall(r"\| `(afterstate:\S+)` \|", PAGE))
def test_what_is_handed_out_opens(text):
    address = Address.parse(text)
    opened = open_address(address)
    assert opened is not None
    assert opened.run.games == address.games


@pytest.mark.slow
def test_the_homework_is_right(afterstate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (source,) = re.findall(r"```python\n(# my_rule.py\n.*?)```", PAGE, re.DOTALL)
    Path("my_rule.py").write_text(source)
    (command,) = re.findall(r"```console\n\$ afterstate (grade .*?)\n```", PAGE)
    outcome = afterstate(*command.split())
    assert outcome.status == 0
    assert outcome.out.startswith("same: my_rule.py:MyRule learns as td does, to the bit")


def test_the_quiz_of_the_exam_has_its_key(afterstate):
    (line,) = re.findall(r"\$ afterstate (quiz .* --json) < /dev/null > key.json", PAGE)
    assert f"$ afterstate {line.removesuffix(' --json')}\n" in PAGE
    questions = json.loads(afterstate(*line.split()).out)["questions"]
    assert len(questions) == 10
    assert all(q["answer"] is not None and q["given"] is None for q in questions)


def test_the_exam_question_has_its_key():
    text, asked, key = PLACED.findall(PAGE)[0]
    address = Address.parse(text)
    opened = open_address(address)
    assert opened is not None and address.place is not None
    events = TrainingRun(opened.run).events(address.place.game)
    slip, answer, backup = (e for e in events if (e["ply"], e["kind"]) in
                            ((2, "move"), (3, "move"), (3, "backup")))  # fmt: skip
    assert (slip["choice"], slip["cell"]) == ("exploratory", 8)
    assert (answer["choice"], answer["cell"]) == ("greedy", 7)
    assert f"V(`{backup['board']}`) = {backup['old']:.4f}".replace("0.", ".") in asked
    assert f"V(`{answer['afterstate']}`) = {backup['target']:.4f}".replace("0.", ".") in asked
    assert f"= {backup['new']:.4f}".replace("0.", ".") in key

"""Lessons are scripts: those of the package hold, and a mistake is one sentence with its line."""

import re
from pathlib import Path

import pytest

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.files import data_folder
from afterstate_lab.tui.cli.play import rehearse
from afterstate_lab.tui.lab.scripts.guide import FILE, keep_progress, progress_of, read_progress
from afterstate_lab.tui.lab.scripts.script import NAMES, Script, packaged_lesson

PAGE = Path(__file__).parents[3] / "docs" / "lessons.md"
EXAMPLE = re.findall(r"```\n(title: .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
FEW = EXAMPLE.replace("/2000@", "/20@")
"""The same of so few games that they take no time."""
TOML = """title = "A first backup"
about = "What a won game teaches."
minutes = 5
[run]
x = "td:alpha=0.2"
games = 2000
[[step]]
title = "the win"
text = "X has won. V was {old}, and moves {step} of the way to {target}."
at = "1.5.2"
holds = ["target = win X", "step = .2", "new > old"]
look = "equation"
do = "`←` steps back to just before V changes"
type = "`back` steps back to just before V changes."
done = "asked phase_back"
modes = ["step"]
[[step]]
title = "your turn"
text = "By how much did V rise?"
do = "`Enter`, then type it"
type = "`answer` and the number."
ask = "new value minus old value"
answer = "{change:3}"
done = "answered"
[[step]]
title = "that is all"
text = "You can take apart every game of this run like this one."
do = "`T` ends the lesson"
type = "`tour` ends the lesson."
done = "never"
"""


@pytest.mark.quick("tour")
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_of_the_package_holds_and_is_gone_through_to_its_end(name: str):
    told, steps = rehearse(packaged_lesson(name)), packaged_lesson(name).steps
    headings = [line for line in told if line.startswith("Step ")]
    assert list(dict.fromkeys(line.partition(",")[0] for line in headings)) == [
        f"Step {number}/{len(steps)}" for number in range(1, len(steps) + 1)
    ]
    assert all(line.isascii() for line in told)
    assert not any(sign in line for line in headings for sign in ("{", "`", "('"))


def test_a_lesson_in_toml_is_the_same_lesson():
    ours, theirs = Script("mine.script", EXAMPLE), Script("mine.toml", TOML)
    assert (ours.title, ours.about, ours.minutes) == (theirs.title, theirs.about, theirs.minutes)
    for one, other in zip(ours.steps, theirs.steps, strict=True):
        assert one.condition == other.condition
        shown = ("title", "text", "address", "claims", "look", "question")
        assert [vars(one)[name] for name in shown] == [vars(other)[name] for name in shown]
        assert one.question or one.verbs == other.verbs
    rehearse(ours)
    rehearse(theirs)


@pytest.mark.parametrize(
    ("was", "now", "line", "says"),
    [
        ("= step = .2", "= step = .3", 9, "step = .3 does not hold: step is 0.2"),
        ("look:", "lock:", 11, "unknown kind 'lock:'. Did you mean look:?"),
        ("about: What", "abuot: What", 2, "Did you mean about:?"),
        ("> back", "> bakc", 12, "'bakc' is not a verb"),
        ("look: equation", "until: asked bakc", 11, "'bakc' is not a verb"),
        ("look: equation", "until: asked 5 in train", 11, "cannot be asked for in train"),
        ("look: equation", "until: sometimes", 11, "'sometimes' is not a condition"),
        ("look: equation", "until: answered", 11, "answered needs ? QUESTION = ANSWER"),
        ("look: equation", "until: at game over", 11, "at game over is not met by back"),
        ("> back", "# back", 5, "the step needs > VERB or ? QUESTION"),
        ("> back #", "> back event # , and one more, and", 12, "the card has room for 1"),
        ("> back", "> 5", 5, "asked cell is not met by 5"),
        ("@1.5.2", "@5000.1", 6, "no game 5,000"),
        ("@1.5.2", "@five", 6, "is not a moment"),
        ("@1.5.2", "@1.5.7", 6, "not event 7"),
        ("td:alpha=0.2", "tdd", 6, "tdd"),
        ("/20@", "/-1@", 6, "is not a number of games"),
        ("{old}", "{odl}", 7, "'odl' is not a live number"),
        ("{old}", "{old", 7, "has an unpaired brace"),
        ("X has won.", "`X has won.", 7, "has an unpaired `"),
        ("X has won.", "X has won.\x1b[2J", 7, "characters that cannot be printed"),
        ("X has won.", "X has won, by 3 in a row.", 7, "names 3, but no claim covers it"),
        ("X has won.", "X has won." + " And won." * 9, 7, "lines of 56 characters; the card has"),
        ("look: equation", "look: equations", 11, "must be one of board, log"),
        ("look: equation", "screen: wide", 11, "must be columns and rows, such as 120x40"),
        ("= new > old", "= new >", 10, "claims nothing"),
        ("= new > old", "= worst-lust X = 1", 10, "has no 'worst-lust'"),
        (" = {change:3}", "", 16, "a question has its answer with it"),
        ("minutes: 5", "minutes: 0", 3, "must be a whole number from 1 to 600"),
        ("minutes: 5", "too early", 3, "== TITLE begins one"),
        ("== the win", "== " + "x" * 31, 5, "at most 30 are valid"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_with_file_and_line(was, now, line, says):
    assert was in FEW
    with pytest.raises(UsageError) as error:
        rehearse(Script("mine.script", FEW.replace(was, now, 1)))
    told = str(error.value)
    assert told.startswith(f"mine.script, line {line}: "), told
    assert says in told
    assert told.isprintable()


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ('done = "asked phase_back"', 'dune = "x"', "line 15: step[1].dune: unknown key"),
        ("step = .2", "step = .3", "mine.toml, line 11: step = .3 does not hold: step is 0.2"),
        ('"asked phase_back"', '"never"', "mine.toml, line 15: 'never' is not a condition"),
        ('"asked phase_back"', '"asked phase_bakc"', "line 15: 'phase_bakc' is not a verb"),
        ('"1.5.2"', '"five"', "mine.toml, line 10: "),
        ("games = 2000", "games = -1", "is not a number of games"),
        ('x = "', 'x = "\udc80', "is not a player spec"),
        ("[[step]]", "[[steps]]", "line 7: steps: unknown key"),
        ('answer = "{change:3}"', "", "line 22: a question has its answer with it"),
        ("[run]", "run", "is not valid TOML"),
    ],
)
def test_so_is_one_in_toml(was, now, says):
    assert was in TOML
    with pytest.raises(UsageError) as error:
        rehearse(Script("mine.toml", TOML.replace(was, now, 1).replace("= 2000", "= 20")))
    assert says in str(error.value)


@pytest.mark.parametrize(("text", "lacks"), [("", "a title"), ("title: x", "steps")])
def test_what_is_no_lesson_is_refused(text, lacks):
    with pytest.raises(UsageError, match=f"a lesson needs {lacks}"):
        Script("mine.script", text)
    with pytest.raises(UsageError, match="there is no lesson 'mine'"):
        packaged_lesson("mine")


def test_progress_is_kept_only_forwards_and_only_of_known_lessons():
    assert read_progress() == {}
    for name, step in (("tour", 3), ("tour", 2), ("mine", 2)):
        keep_progress(name, step)
    assert read_progress() == {"tour": 3}


@pytest.mark.parametrize("data", [b"", b"\xff", b"tour = -1", b"tour = 'a'", b"x = [", b"x = 1"])
def test_progress_that_cannot_be_read_is_no_progress(data: bytes):
    assert progress_of(data) == {}
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_bytes(data)
    keep_progress("tour", 1)
    assert read_progress() == {"tour": 1}

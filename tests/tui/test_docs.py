"""The commands in the pages of the documentation do what is shown."""

import ast
import json
import os
import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import pytest
from made import run_of
from reading import compare

from afterstate_lab.learners.grading.grade import Property
from afterstate_lab.learners.library import TrainingRun
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.tui.cli.doctor import terminal_findings
from afterstate_lab.tui.cli.group import afterstate as group
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.lab.scripts.script import find_script
from afterstate_lab.tui.pages.explain import glossary
from afterstate_lab.tui.pages.line import WORDS
from afterstate_lab.tui.plain import Dialogue
from afterstate_lab.tui.verbs import COMMANDS as VERBS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}
README = (DOCS.parent / "README.md").read_text(encoding="utf-8")
GRADE, HOMEWORK, JUDGE, TEACHERS = (
    PAGES[name] for name in ("grade", "homework", "judge", "teachers")
)
SOURCES = {
    path.relative_to(DOCS.parent).as_posix(): path.read_text("utf-8")
    for storey in ("game", "learners", "tui")
    for path in (DOCS.parent / storey).rglob("*.py")
}
FENCE = re.compile(r"^```sh\n(\$ afterstate .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ afterstate (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
ADDRESS = re.compile(r"afterstate:1/(?![A-Z]/)[^\s`|…)\"]+")
PLACED = re.compile(r"> `(\S+)`(.*?)\n\n(.*)", re.DOTALL)
NAMED = re.compile(
    r"^```(?:python|js|toml)\n((?:#|//) (\w+\.(?:py|js|toml))\b.*?)^```$", re.MULTILINE | re.DOTALL
)
MISTAKEN = {"grade": 1, "judge": 3}
"""The pages whose command finds a mistake, and with what it ends."""
WRITTEN = re.compile(r"`([^`\n]+)`|^\$? ?(afterstate .*)$", re.MULTILINE)


@pytest.fixture
def files_of(tmp_path, monkeypatch):
    """Writes the files of a page into the folder where the test is."""
    monkeypatch.chdir(tmp_path)

    def write(page: str) -> None:
        for text, file in NAMED.findall(page):
            Path(file).write_text(text, encoding="utf-8")

    return write


@pytest.mark.quick("museum", "json")
@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if FENCE.search(page)])
def test_its_commands_print_what_it_shows(name, afterstate, files_of):
    """In their order, beside its files; where nothing is shown, they only have to succeed."""
    page = PAGES[name]
    files_of(page)
    commands = [c for block in FENCE.findall(page) for c in COMMAND.findall(block)]
    printed = []
    for words, shown in commands:
        outcome = afterstate(*shlex.split(words))
        assert (outcome.status, outcome.err) == (MISTAKEN.get(name, 0), ""), words
        begins, cut, _ = shown.partition("  …\n")
        assert outcome.out.startswith(begins) and (not shown or cut or outcome.out == shown), words
        printed.append(outcome.out)
    for games in re.findall(r"ends after ([\d,]+) games", page):
        assert any(f"\n{games} games in " in out for out in printed), games


def test_the_reference_has_every_word_and_says_which_figures_evaluate_prints(
    monkeypatch, afterstate
):
    monkeypatch.syspath_prepend(str(DOCS))
    import reference

    page = "\n".join(reference.PAGES["figures"]())
    keys = {key.partition(".")[0] for key in re.findall(r"\| `([a-z_.]+)` \|$", page, re.MULTILINE)}
    told = json.loads(afterstate("evaluate", "afterstate:1/td/td/1/2", "--json").out)["X"]
    assert keys == told.keys() - {"spec"}
    assert page.count("(in `experiment --json` alone)") == 2
    page = "\n".join(reference.PAGES["glossary"]())
    assert all(word.says.replace("|", "\\|") in page for word in glossary())


@pytest.mark.slow
def test_the_walk_of_the_readme_leads_where_it_says(afterstate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    walk = re.findall(r"## Try it\n\n```sh\n(.*?)```", README, re.DOTALL)[0]
    lab, lesson, train, evaluate, judge, address = (
        shlex.split(line, comments=True) for line in walk.splitlines()
    )
    assert lab == ["afterstate"]
    assert afterstate(*lesson[1:], "--check").status == 0
    trained, evaluated = afterstate(*train[1:]), afterstate(*evaluate[1:])
    assert (trained.status, evaluated.status) == (0, 0)
    assert trained.out.endswith(evaluated.out)
    beaten = afterstate(*judge[1:])
    assert beaten.status == 3
    assert re.findall(r"```text\n(.*?)```", README, re.DOTALL)[0] in beaten.out
    assert Address.parse(address[1]).place is not None


def test_the_man_page_says_what_the_commands_say():
    made = "\n".join(runpy.run_path(str(DOCS / "reference.py"))["man_page"]()) + "\n"
    compare(made, DOCS / "afterstate.1")


@pytest.mark.slow
def test_the_rules_that_are_handed_out_and_in_are_graded_so(afterstate, afterstate_grade, files_of):
    files_of(PAGES["add-a-learner"])
    files_of(HOMEWORK)
    outcome = afterstate("grade", "by_result.py:ByResult", "--against", "mc", "--games", "60")
    assert outcome.out.startswith("same: by_result.py:ByResult learns as mc does, to the bit")
    tests: dict[str, Callable[..., None]] = {}
    exec(re.findall(r"```python\n(from .*?def test_.*?)```", HOMEWORK, re.DOTALL)[0], tests)
    tests["test_my_rule"](afterstate_grade)
    tests["test_step_size"]()
    rule = Path("my_rule.py")
    rule.write_text(
        re.sub(r"(?<=game\):\n).*", "        pass\n", rule.read_text(), flags=re.DOTALL)
    )
    outcome = afterstate("grade", "my_rule.py:MyRule", "--against", "td")
    assert outcome.status == 1 and outcome.out.startswith("differs")


@pytest.mark.slow
def test_the_examples_of_judge_do_what_it_says(afterstate, files_of):
    files_of(JUDGE)
    assert afterstate("judge", "agent.py:move", "--as", "X").status == 0
    Path("moves.csv").write_text(*re.findall(r"```text\n(.*?)```", JUDGE, re.DOTALL))
    outcome = afterstate("judge", "moves.csv", "--as", "X")
    assert "first on XO....... (after 1 2): it has no row for it" in outcome.out
    (words,) = re.findall(r'# agent2.py: afterstate judge "(.*)"', JUDGE)
    told = json.loads(afterstate("judge", words, "--as", "O", "--json").out)
    assert told["O"]["beatable"] and len(told["O"]["refutation"]) == 5
    lines = [part for part in re.findall(r"`(afterstate [^`]*)`", JUDGE) if " --x " in part]
    assert len(lines) == 2
    for line in lines:
        assert afterstate(*line.split()[1:], "--games", "50").status == 0


THEIRS = """
from agent import move

class Agent:
    calls = 0
    def choose(self, rows):
        assert not self.calls, "an object that remembers"
        self.calls += 1
        board = "".join(sum(rows, [])).replace(" ", ".")
        assert self.mark == ("X" if board.count("X") == board.count("O") else "O")
        return divmod(move(board) - 1, 3)
"""
THEIRS_OF_NODE = """
exports.bestMove = (cells, mark) => {
  const count = (sign) => cells.filter((cell) => cell === sign).length;
  const opens = count("X") === count("O");
  return mark === (opens ? "X" : "O") ? cells.indexOf("") : 99;
};
"""


@pytest.mark.slow
def test_the_adapters_of_judge_ask_what_they_adapt(afterstate, files_of):
    def verdict(agent):
        found = json.loads(afterstate("judge", agent, "--json").out)
        return [found[side] | {"spec": ""} for side in "XO"]

    files_of(JUDGE)
    Path("their_package.py").write_text(THEIRS)
    Path("their-package.js").write_text(THEIRS_OF_NODE)
    assert verdict("adapter.py:move") == verdict("agent.py:move")
    if shutil.which("node"):
        first_free = verdict(f"cmd:{sys.executable} agent2.py")
        assert verdict("cmd:node adapter.js") == first_free


def test_the_page_of_the_field_is_made_from_what_the_players_did():
    field = runpy.run_path(str(DOCS / "field" / "ask.py"))
    rows = json.loads(field["DATA"].read_text(encoding="utf-8"))
    assert {name: row["version"] for name, row in rows.items()} == {
        name: player["version"] for name, player in field["PLAYERS"].items()
    }
    assert len(rows) >= 25
    assert field["page"](rows) == PAGES["field"]
    for name, row in rows.items():
        for side in "XO":
            found, referee = row[side], row[side]["referee"]
            assert found["beatable"] == (referee["worst_loss"] > 0.0), (name, side)
            if referee["asks"] == 1:
                assert (found["worst_loss"], found["plies"]) == (
                    referee["worst_loss"],
                    referee["plies"],
                ), (name, side)


def test_every_address_of_the_pages_is_as_the_lab_writes_it_and_as_long_as_it_says():
    assert len(EXAMPLES) == PAGES["addresses"].count("| `afterstate:1/") >= 6
    assert {text: str(len(text)) for text in EXAMPLES} == EXAMPLES
    for text in ADDRESS.findall("\n".join([README, *PAGES.values()])):
        assert str(Address.parse(text)) == text


def test_every_command_option_verb_and_variable_of_the_pages_exists():
    context = click.Context(group, info_name="afterstate")
    verbs = {form.line.split()[0] for form in WORDS} | {verb.name for verb in VERBS}
    pages = {"README": README, **PAGES}
    for page in pages.values():
        for text in map("".join, WRITTEN.findall(page)):
            if re.match(r":[a-z]", text):
                assert text[1:].split()[0] in verbs, text
            elif text.startswith("afterstate "):
                words = re.split(r" #| \| ", text)[0].split()[1:]
                is_named = words and words[0].isalpha() and words[0].islower()
                named = group.get_command(context, words[0]) if is_named else None
                command = named or group
                known = {"--help", "-h", *(name for one in command.params for name in one.opts)}
                given = {word.partition("=")[0] for word in words if re.match(r"--\w", word)}
                assert given <= known, text
                assert named or not words or re.match(r"--|afterstate:|ADDRESS", words[0]), text
    for variable in re.findall(r"AFTERSTATE_\w+", "\n".join(pages.values())):
        assert any(variable in source for source in SOURCES.values()), variable


def test_each_picture_that_the_script_makes_is_on_a_page():
    """`.ci/run` makes them again."""
    for name in (*runpy.run_path(str(DOCS / "stills.py"))["LOOKS"], "judge"):
        assert any(f"]({name}.svg)" in page for page in PAGES.values()), name


@pytest.mark.slow
def test_what_grade_says_of_a_mistake_in_the_faq(afterstate):
    rows = [row.split(" | ") for row in PAGES["faq"].splitlines() if row.startswith("| ")][1:]
    assert len(rows) == 8
    for _, _, _, judged, graded, fix in rows:
        name = re.findall(r"`([a-z-]+)`", f"{judged} {fix}")[0]
        told = afterstate("grade", f"museum:{name}", "--against", "td", "--games", "60").out
        words = graded.partition(", ")[0]
        assert any(line.startswith("  NO") and words in line for line in told.splitlines()), name


def test_every_link_of_the_pages_leads_to_a_file_of_the_repository():
    for name, page in {"../README": README, **PAGES}.items():
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page):
            path = (DOCS / name).parent / target
            assert path.exists() and "reference" not in path.parts, f"{name}: {target}"


def test_the_pages_name_every_lesson_and_every_property():
    assert all(f"`{which.name.lower().replace('_', '-')}`" in GRADE for which in Property)
    rows = re.findall(r"^\| `([\w-]+)` \|.* (\d+) \|$", PAGES["tour"], re.MULTILINE)
    assert rows == [(name, str(find_script(name).minutes)) for name in NAMES]


def test_as_the_faq_says_a_person_plays_menace_and_only_serve_and_dask_open_a_connection():
    (words,) = re.findall(r"MENACE\?\*\* Type `:(.*)`", PAGES["faq"])
    dialogue = Dialogue(run_of())
    assert "O menace" in " ".join(dialogue.answer(words))
    opens = re.compile(r"^\s*(?:import|from) (?:socket|ssl|http|urllib.request|aiohttp)\b", re.M)
    found = {name for name, source in SOURCES.items() if opens.search(source)}
    assert found == {f"tui/cli/{name}.py" for name in ("serve", "web_server")} | {
        "learners/experiments/cluster.py"
    }


def test_the_messages_of_the_page_of_troubles_are_said_and_its_variables_change_the_colours():
    told = re.findall(r'^\| "([^"×\d]+)', PAGES["troubleshooting"], re.MULTILINE)
    assert len(told) == 5
    for message in told:
        assert any(message[1:].strip() in source for source in SOURCES.values()), message
    told = re.findall(r"`(TERM|COLORTERM|NO_COLOR)=(\S+)`", PAGES["troubleshooting"])
    looks = ({"TERM": "xterm", name: value} for name, value in told)
    found = {f.value for look in looks for f in terminal_findings(look) if f.name == "colours"}
    assert found == {"256 (dark)", "truecolor (dark)", "none"}


HANDED_OUT = re.findall(r"\| `(afterstate:\S+)` \|", TEACHERS)
EXAMPLES = dict(
    re.findall(r"^\| `(afterstate:\S+)` \| .*\((\d+)[^)]*\) \|$", PAGES["addresses"], re.M)
)


@pytest.mark.quick(
    "afterstate:1/td/td/7/201~201=53", "afterstate:1/td/td/4/0~1hlCCF",
    "afterstate:1/td/q/3/2000@7+x=mc",
)  # fmt: skip
@pytest.mark.parametrize("text", [*HANDED_OUT, *EXAMPLES])
def test_an_address_of_the_pages_opens(text, interpreted):
    address = Address.parse(text)
    opened = open_address(address)
    assert opened.run.games == address.games


def test_the_exam_question_has_its_key():
    text, asked, key = PLACED.findall(TEACHERS)[0]
    address = Address.parse(text)
    opened = open_address(address)
    events = TrainingRun(opened.run).events(address.place.game)
    slip, answer, backup = (e for e in events if (e["ply"], e["kind"]) in
                            ((2, "move"), (3, "move"), (3, "backup")))  # fmt: skip
    assert (slip["choice"], slip["cell"]) == ("exploratory", 8)
    assert (answer["choice"], answer["cell"]) == ("greedy", 7)
    assert f"V(`{backup['board']}`) = {backup['old']:.4f}".replace("0.", ".") in asked
    assert f"V(`{answer['afterstate']}`) = {backup['target']:.4f}".replace("0.", ".") in asked
    assert f"= {backup['new']:.4f}".replace("0.", ".") in key


PROMPT = re.compile(
    r"^(?:(?:[XO], your move|stepping) \(h for help\)|n for a new game, h for help): (.*)$", re.M
)


@pytest.mark.slow
def test_the_session_in_plain_mode_is_what_the_program_says(afterstate):
    """`AFTERSTATE_NEW_SNAPSHOTS=1` with `-m slow` writes it anew."""
    page = PAGES["plain"]
    whole, words, shown = re.search(r"(```\n\$ afterstate (.*)\n((?:.*\n)*?)```)", page).groups()
    typed = PROMPT.findall(shown)
    assert len(typed) > 10
    outcome = afterstate(*words.split(), stdin="\n".join(typed) + "\n")
    told = re.sub(r"in [\d.]+ seconds", "in 0.1 seconds", outcome.out)
    told = re.sub(r"^\d+% searched; .*\n", "", told, flags=re.M)  # where a machine is busy
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        new = page.replace(whole, f"```\n$ afterstate {words}\n{told}```")
        (DOCS / "plain.md").write_text(new, encoding="utf-8")
    assert (outcome.status, outcome.err, told) == (0, "", shown)


NOTEBOOK = DOCS / "notebook.ipynb"


def outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; return what a notebook keeps of its expressions."""
    shown: list[Any] = []
    with patch.object(sys, "displayhook", shown.append):
        exec(compile(ast.Interactive(ast.parse(source).body), "cell", "single"), names)
    return [
        {"data": {"text/plain": [repr(value)]}, "execution_count": number, "metadata": {},
         "output_type": "execute_result"}
        for value in shown
    ]  # fmt: skip


def test_the_notebook_shows_what_its_cells_return():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    made = [outputs("".join(cell["source"]), names, n) for n, cell in enumerate(cells, 1)]
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        for number, cell in enumerate(cells, 1):
            cell["outputs"], cell["execution_count"] = made[number - 1], number
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        NOTEBOOK.write_text(f"{text}\n", encoding="utf-8")
    assert len(cells) == 7
    assert made == [cell["outputs"] for cell in cells]

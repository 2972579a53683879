"""The command line: what it says of itself, and one sentence for everything that is wrong."""

import json
import subprocess
import sys
from importlib.metadata import version

import pytest

from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.tui.cli.group import ALIASES, COMMANDS, GROUPS
from afterstate_lab.tui.cli.group import afterstate as group


def test_help_names_every_command(afterstate):
    outcome = afterstate("--help")
    assert (outcome.status, outcome.err) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in outcome.out
    assert not any(f"\n  {alias} " in outcome.out for alias in ALIASES)
    assert afterstate("-h").out == outcome.out


def test_each_line_of_help_fits_80_columns_whole_in_four_groups(afterstate, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = afterstate("--help").out.splitlines()
    assert max(map(len, lines)) <= 80
    at = [lines.index(f"{title}:") for title in GROUPS]
    assert len(at) == 4 and at == sorted(at)
    assert all(
        line.endswith(".") and not line.endswith("...")
        for line in lines[at[0] :]
        if line[:1] == " "
    )


@pytest.mark.parametrize("command", [*COMMANDS, *ALIASES])
def test_every_command_has_help(afterstate, command: str):
    outcome = afterstate(command, "-h")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith(f"Usage: afterstate {command} ")
    assert max(map(len, outcome.out.splitlines())) <= 100


def test_an_interrupt_while_it_loads_is_one_word(afterstate, monkeypatch):
    def interrupted() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("afterstate_lab.tui.cli.launch.is_terminal", interrupted)
    outcome = afterstate()
    assert (outcome.status, outcome.err) == (130, "afterstate: stopped\n")


def test_help_and_the_list_of_runs_load_no_numpy(tmp_path):
    program = (
        "import sys; from afterstate_lab.tui.cli.group import afterstate\n"
        "for words in (['--help'], ['runs'], ['train', '--help']):\n"
        "    afterstate.main(words, standalone_mode=False)\n"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env={"AFTERSTATE_DATA": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "False"


def test_version(afterstate):
    outcome = afterstate("--version")
    assert outcome.out == f"afterstate, version {version('afterstate-lab')}\n"


def test_learners_are_listed_with_options_defaults_ranges_and_sources(afterstate):
    told = json.loads(afterstate("learners", "--json").out)
    assert [player["name"] for player in told] == list(rules())
    for player in told:
        for option in player["options"]:
            assert set(option) == {"name", "default", "range", "help", "source"}
    text = afterstate("learners").out
    assert "\ntd: TD(0) on afterstates, online\n" in f"\n{text}"
    assert "    alpha=0.1  step size" in text


def test_an_address_alone_is_the_run_of_the_lab():
    address = "afterstate:1/td/td/1/2000"
    context = group.make_context("afterstate", ["--ascii", address, "--no-mouse"])
    assert context.params["run_name"] == address
    assert (context.params["ascii_only"], context.params["no_mouse"]) == (True, True)

"""The command line: what it says of itself, and one sentence for everything that is wrong."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from learners.rules.spec import rules
from tui.cli.group import COMMANDS


def test_help_names_every_command(afterstate):
    outcome = afterstate("--help")
    assert (outcome.status, outcome.err) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in outcome.out
    assert afterstate("-h").out == outcome.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(afterstate, command: str):
    outcome = afterstate(command, "-h")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith(f"Usage: afterstate {command} ")
    assert max(map(len, outcome.out.splitlines())) <= 100


def test_an_interrupt_while_it_loads_is_one_word(afterstate, monkeypatch):
    def interrupted() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("tui.cli.launch.is_terminal", interrupted)
    outcome = afterstate()
    assert (outcome.status, outcome.err) == (130, "afterstate: stopped\n")


def test_help_and_the_list_of_runs_load_no_numpy(tmp_path):
    program = (
        "import sys; from tui.cli.group import afterstate\n"
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


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["trani"], "there is no command 'trani' — did you mean train?"),
        (["x1"], "there is no command 'x1' (commands: play, lesson, quiz, follow, players, "),
        (["fo\x1b[31m"], "there is no command 'fo\\x1b[31m' (commands: "),
        (["train", "--gaems", "3"], "there is no option '--gaems' — did you mean --games?"),
        (["train", "--\x1b[2J"], "there is no option '--\\x1b[2J'"),
        (["train", "--games"], "option '--games' requires an argument"),
        (["train", "surplus"], "got unexpected extra argument (surplus)"),
        (["train", "\x1b[2J"], "got unexpected extra argument (\\x1b[2J)"),
        (["train", "--json=yes"], "option '--json' does not take a value"),
        (["evaluate"], "one of FILE.npz and --run NAME is needed"),
        (["export", "x.npz", "--format", "xml"], "--format: 'xml' is not one of 'csv', 'json'"),
        (["--seed", "7", "train"], "--seed has no effect before train: its options come after it"),
        (["--ascii", "learners"], "--ascii has no effect before learners: "),
        (["--x", "nobody"], "--x: there is no player 'nobody'"),
        ([], "the lab needs a terminal; without one, use afterstate play --plain or another "),
    ],
)
def test_what_is_wrong_with_a_command_line(afterstate, words: list[str], sentence: str):
    outcome = afterstate(*words)
    assert outcome.err.startswith(f"afterstate: {sentence}")
    assert outcome.err.count("\n") == 1
    assert outcome.err[:-1].isprintable()
    assert (outcome.out, outcome.status) == ("", 2)


@pytest.mark.parametrize("option", ["--games", "--seed"])
@pytest.mark.parametrize("value", ["1e6", "0.5", "-1", "", "x", "9" * 30, "٣", "1__0", "\x1b[1m"])
def test_a_number_that_is_none(afterstate, option: str, value: str):
    shown = value if value.isprintable() else "\\x1b[1m"
    outcome = afterstate("train", f"{option}={value}")
    assert outcome.err.startswith(
        f"afterstate: {option}={shown} will not do: it must be a whole number from "
    )
    assert (outcome.err.count("\n"), outcome.out, outcome.status) == (1, "", 2)


def test_games_that_are_no_number_are_told_how_they_can_be_written(afterstate):
    outcome = afterstate("train", "--games", "abc")
    assert outcome.status == 2
    assert outcome.err.endswith("000, such as 20000, 100k or 1m; or unbeatable\n")


def test_no_games_are_no_training(afterstate):
    outcome = afterstate("train", "--games", "0")
    assert outcome.err == (
        "afterstate: --games=0 will not do: it must be a whole number from 1 to 1,000,000,000,000\n"
    )


@pytest.mark.parametrize("side", ["--x", "--o"])
@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("tdd", "there is no player 'tdd' — did you mean td?"),
        ("td:alpha=2", "alpha=2 will not do: it must be 0 to 1"),
        ("td:beta=1", "td has no option 'beta' (it has alpha, "),
        ("gone.npz", "there is no file 'gone.npz'"),
        ("t\x1b[31md", "a player spec has printable characters only, unlike 't\\x1b[31md'"),
    ],
)
@pytest.mark.parametrize("command", ["train", "compete", "trace", "play"])
def test_a_player_that_is_none(afterstate, command: str, side: str, spec: str, sentence: str):
    outcome = afterstate(command, side, spec)
    assert outcome.err.startswith(f"afterstate: {side}: {sentence}")
    assert outcome.err[:-1].isprintable()
    assert (outcome.out, outcome.status) == ("", 2)


@pytest.mark.parametrize("command", ["evaluate", "export"])
def test_a_file_that_is_none(afterstate, command: str, tmp_path: Path):
    (tmp_path / "text.npz").write_text("no policy")
    (tmp_path / "folder.npz").mkdir()
    for name, why in (
        ("gone.npz", "there is no file '"),
        ("g\x1b[31mone.npz", "there is no file '"),
        (
            "text.npz",
            "is not a policy that afterstate saved: it is damaged, or no .npz file at all",
        ),
        ("folder.npz", "is not a policy that afterstate saved: it is no ordinary file"),
    ):
        outcome = afterstate(command, str(tmp_path / name))
        assert why in outcome.err
        assert outcome.err[:-1].isprintable()
        assert (outcome.err.count("\n"), outcome.out, outcome.status) == (1, "", 2)


@pytest.mark.parametrize("command", ["train", "compete", "trace"])
def test_a_person_is_sent_to_play(afterstate, command: str):
    outcome = afterstate(command, "--x", "human")
    assert outcome.err.startswith("afterstate: a human")
    assert (outcome.out, outcome.status) == ("", 2)


def test_learners_are_listed_with_options_defaults_ranges_and_sources(afterstate):
    told = json.loads(afterstate("learners", "--json").out)
    assert [player["name"] for player in told] == list(rules())
    for player in told:
        for option in player["options"]:
            assert set(option) == {"name", "default", "range", "help", "source"}
    text = afterstate("learners").out
    assert "\ntd: TD(0) on afterstates, online\n" in f"\n{text}"
    assert "    alpha=0.1  step size" in text

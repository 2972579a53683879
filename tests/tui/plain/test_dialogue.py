"""Plain mode: its words and their help, what it saves, and how often it says that it trains."""

import re
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reading import sit, stepping

from afterstate_lab.learners.files import store_file
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.tape.run import Run
from afterstate_lab.tui.blocks.speech import WIDTH, lines_of, plain
from afterstate_lab.tui.lab.autosave import Autosave
from afterstate_lab.tui.lab.commands import PLAIN
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.line import CELLS, WORDS, help_lines, named, read, spelled
from afterstate_lab.tui.plain import SAY_SECONDS, Dialogue, now_and_then
from afterstate_lab.tui.verbs import COMMANDS


def test_short_and_capital_commands_keep_their_meaning():
    short = {"u": "undo", "n": "new", "s": "swap", "h": "help"}
    for typed, word in (short | {"q": "quit"}).items():
        command = spelled(typed, Mode.PLAY)
        assert command is not None and command.line == word
        assert command is spelled(typed.upper(), Mode.PLAY) is spelled(word.upper(), Mode.PLAY)
    assert [getattr(spelled(c, Mode.STEP), "line", "") for c in "cC"] == ["continue", "reverse"]
    assert (spelled("", Mode.PLAY), named("")) == (None, [])


SCREEN_ONLY = {
    *("faster", "slower"),  # no clock
    "move_back",  # back, while stepping
    *("cursor_up", "cursor_down"),  # numbers
    *("scroll_up", "scroll_down", "theme"),  # what the terminal looks like
}


def test_every_command_of_the_lab_has_a_line_or_is_of_the_screen_alone():
    assert {c.name for c in COMMANDS if not c.line} == SCREEN_ONLY
    for command in COMMANDS:
        if command.same and not command.same.isdigit():
            asked = [read(command.same, mode) for mode in PLAIN]
            found = [line for line in asked if line is not None]
            assert any(not line.rest or line.command.takes_text for line in found), command.name
        elif command.words:
            assert all(read(command.line, mode).command is command for mode in command.within)


@pytest.mark.parametrize("mode", sorted(PLAIN, key=lambda mode: mode.value))
def test_help_names_every_command_of_the_mode_once(mode: Mode):
    told, words = " ".join(help_lines(mode)), [word for word in WORDS if mode in word.within]
    assert all(word.names in told for word in words)
    names = [name for word in words for name in word.names.split(", ")]
    assert len(names) == len(set(names))
    assert (CELLS in told) == (mode is Mode.PLAY)


def test_every_word_has_help_in_lines_that_fit():
    dialogue = sit()
    for word in WORDS:
        told = dialogue.answer(f"help {word.line}")
        assert told[0].startswith(f"{word.names}: ")
        for line in told:
            assert lines_of(line) == [line]
            assert len(line) <= WIDTH


def test_a_store_that_cannot_be_used_is_told_once_and_the_game_goes_on():
    store_file().parent.mkdir(parents=True)
    store_file().write_bytes(b"no database at all" * 100)
    run = Run.of(parse_player("human"), parse_player("td"), 0)
    dialogue = Dialogue(run, autosave=Autosave(name=None))
    dialogue.begin()
    first = dialogue.answer("5")
    assert "X marking 5 played" in first
    assert first[-1].startswith("Not saved: ")
    later = dialogue.answer("u")
    assert later[0] == "Ply 0." and not any("Not saved" in line for line in later)
    assert any("is not a database" in line for line in dialogue.answer("runs"))


def test_a_line_is_said_every_few_seconds_at_most(monkeypatch):
    told: list[str] = []
    tenths = range(int(3 * SAY_SECONDS * 10) + 1)
    clock = SimpleNamespace(monotonic=(tenth / 10 for tenth in [0, *tenths]).__next__)
    monkeypatch.setattr("afterstate_lab.tui.plain.time", clock)
    say = now_and_then(told.append)
    for tenth in tenths:
        say(f"at {tenth / 10}")
    assert told == [f"at {SAY_SECONDS * many}" for many in (1, 2, 3)]


NAMES = [name for word in WORDS for name in word.names.split(", ")]
ARGUMENT = st.text(max_size=40) | st.sampled_from([
    "", "5", "20", "event", "game", "phase", "first", "last", "3.2", "error > .1", "flip", "never",
    "exploratory or X loses", "O visits>1", "....?....", "values", "exact", "off", "on", "q", ".5",
    "+", "td:alpha=.5", "td", "menace", "human", "seed", "recipe", "no.npz", "as", "x", "by",
    "1" * 400, "-1", ")", "(", "next", "back",
])  # fmt: skip
LINES = st.builds(
    "{} {} {}".format,
    st.sampled_from(["", *"123456789", *NAMES]) | st.text(max_size=60),
    ARGUMENT,
    ARGUMENT,
)


@given(
    st.sampled_from(["", "watch", "step"]),
    st.lists(LINES, min_size=10, max_size=25),
    st.sampled_from(["td", "q", "menace", "random", "human"]),
)
@settings(suppress_health_check=[HealthCheck.too_slow], phases=[Phase.generate])
def test_any_sequence_of_lines_is_answered(first: str, lines: list[str], o: str):
    run = Run.of(parse_player("human"), parse_player(o), 0)
    dialogue = Dialogue(run)
    told = dialogue.begin()
    for line in ("5", first, *lines):
        assert told
        assert all(isinstance(text, str) and text for text in told)
        assert all(re.fullmatch("[ -~]*", plain(text)) for text in told)
        assert re.fullmatch(r"[ -~]+: ", dialogue.prompt)
        told = dialogue.answer(line)
    assert dialogue.answer("q") == ["Bye."]
    assert dialogue.controller.is_over


HOSTILE = (
    "z" * 100_000, "\x1b]0;title\x07", "\x00\x01\x02", "9" * 4_500, "go " + "9" * 4_500,
    "t " + "9" * 4_500, "break " + "(" * 5_000, "table " + "x" * 5_000, "\u202e\u2066evil",
    "help " + "\x1b[2J", "open \x1b[2J", "fork \u0663", "go \u0663", "\ud800",
    "players x " + "a" * 5_000, "players x ../../\x1b.npz", "watch \x9b31m", "show \x85",
)  # fmt: skip


@pytest.mark.parametrize("mode", ["playing", "stepping"])
def test_a_hostile_line_is_answered_in_one_sentence(mode: str):
    dialogue = sit() if mode == "playing" else stepping("td", "td", 5)
    for line in HOSTILE:
        (told,) = dialogue.answer(line)
        assert len(told) < 600
        assert re.fullmatch("[ -~]+", plain(told))


def test_the_command_ends_at_the_end_of_its_input_with_status_0(afterstate):
    for stdin in (
        b"\xff\xfe\x00\n", b"step\nn\nn", b"t 50\nstep\nC", b"tour\nwatch event\n", b"5\nplay\n\n",
        b"\x1b[A\x1b[B\n" * 5, b"x" * 200_000, b"n\n" * 30,
    ):  # fmt: skip
        outcome = afterstate("play", "--plain", "--train=20", stdin=stdin)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.endswith("\nBye.\n")
        assert re.fullmatch(r"[ -~\n]*", outcome.out)


def test_more_begins_again_after_the_whole_page_was_said():
    dialogue = stepping("td", "td", 20)
    dialogue.answer("table")
    second = dialogue.answer("more")
    assert dialogue.answer("more") != second
    dialogue.answer("")
    assert dialogue.answer("more") == second

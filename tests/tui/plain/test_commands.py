"""The words of plain mode: one table, from which the dialogue and its help are made."""

import re

import pytest

from afterstate_lab.tui.blocks.speech import WIDTH, lines_of
from afterstate_lab.tui.lab.commands import PLAIN
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.line import CELLS, WORDS, help_lines, named, read, spelled
from afterstate_lab.tui.plain.says import SHOWN
from afterstate_lab.tui.verbs import COMMANDS


@pytest.mark.parametrize("mode", sorted(PLAIN, key=lambda mode: mode.value))
def test_no_two_commands_of_a_mode_have_the_same_name(mode: Mode):
    names = [name for word in WORDS if mode in word.within for name in word.names.split(", ")]
    assert len(names) == len(set(names))


def test_the_short_commands_of_a_game_keep_their_meaning():
    words = {"u": "undo", "n": "new", "s": "swap", "v": "values", "e": "exact", "h": "help"}
    for short, word in (words | {"q": "quit"}).items():
        command = spelled(short, Mode.PLAY)
        assert command is not None
        assert command.line == word
        assert spelled(short.upper(), Mode.PLAY) is command
        assert spelled(word.upper(), Mode.PLAY) is command


def test_c_and_capital_c_are_two_commands():
    onwards, back = spelled("c", Mode.STEP), spelled("C", Mode.STEP)
    assert (onwards and onwards.line, back and back.line) == ("continue", "reverse")


def test_the_empty_line_is_no_command():
    assert spelled("", Mode.PLAY) is None
    assert named("") == []


def test_the_words_that_only_show_something_are_commands():
    assert set(SHOWN) <= {command.name for command in COMMANDS}


SCREEN_ONLY = {
    "stop",  # Ctrl-C
    *("faster", "slower"),  # no clock
    "move_back",  # back, while stepping
    *("cursor_up", "cursor_down", "keypad"),  # numbers
    *("scroll_up", "scroll_down", "theme", "zoom", "next_pane"),  # what the terminal looks like
}


def test_every_command_of_the_lab_has_a_line_or_is_of_the_screen_alone():
    assert {c.name for c in COMMANDS if not c.line} == SCREEN_ONLY
    for command in COMMANDS:
        if command.same and not command.same.isdigit():
            asked = [read(command.same, mode) for mode in PLAIN]
            assert any(line is not None and not line.rest for line in asked), command.name
        elif command.words:
            assert all(read(command.line, mode).command is command for mode in command.within)


@pytest.mark.parametrize("mode", sorted(PLAIN, key=lambda mode: mode.value))
def test_help_names_every_command_of_the_mode(mode: Mode):
    told = " ".join(help_lines(mode))
    for word in WORDS:
        if mode in word.within:
            assert word.names in told
    assert (CELLS in told) == (mode is Mode.PLAY)


def test_every_word_has_help_in_lines_that_fit(sit):
    dialogue = sit()
    for word in WORDS:
        told = dialogue.answer(f"help {word.line}")
        assert told[0].startswith(f"{word.names}: ")
        for line in told:
            assert lines_of(line) == [line]
            assert len(line) <= WIDTH


def test_lists_are_paged_with_the_answer_first(lab):
    dialogue = lab("td", "td", train=50)
    told = dialogue.answer("table O visits>0 by error")
    count = next(int(line.split()[4]) for line in told if line.startswith("O td, 1 of "))
    assert f"{count - 5} more: m shows them." in told
    seen = [line for line in told if re.match(r"\d+\. ", line)]
    while (more := dialogue.answer("m")) != ["The list has no more rows."]:
        assert len(more) <= 6
        seen += [line for line in more if "m shows them" not in line]
    assert len(seen) == len(set(seen)) == count


def test_an_agent_is_asked_before_its_run_begins(sit, tmp_path):
    dialogue = sit()
    file = tmp_path / "agent.py"
    file.write_text("def move(board):\n    return 5\n")
    run = dialogue.session.run
    told = dialogue.answer(f"players o {file}:move")
    assert told == [f"On the board ....X.... '{file}:move' answers with cell 5, which is not free."]
    assert dialogue.session.run is run
    file.write_text("def move(board):\n    return board.index('.') + 1\n")
    told = dialogue.answer(f"players o {file}:move")
    assert told[0] == f"Playing game 1. You are X. O is {file}:move."
    dialogue.answer("5")
    assert str(dialogue.session.board) == "O...X...."

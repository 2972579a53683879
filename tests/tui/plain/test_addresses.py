"""Plain mode says the address of a place, and goes to one."""

from __future__ import annotations


def test_it_says_the_address_and_goes_there(lab):
    dialogue = lab("td", "q", train=30)
    dialogue.answer("go 12.3")
    (address,) = dialogue.answer("address")
    assert address == "afterstate:1/td/q/3/30@12.3"
    there = dialogue.answer("where")
    dialogue.answer("go last")
    dialogue.answer(f"go {address}")
    assert dialogue.answer("where") == there


def test_a_persons_game_goes_on_elsewhere(sit):
    dialogue = sit(seed=4)
    dialogue.answer("5")
    (address,) = dialogue.answer("address")
    assert address == "afterstate:1/td/td/4/0~1hlCCF"
    board = dialogue.answer("where")
    other = sit(x="human", o="q")
    assert other.answer(f"open {address}") == board


def test_a_what_if_is_told(lab):
    told = lab("td", "q", train=30).answer("open afterstate:1/td/q/3/30@12+x=mc")
    assert told[0].startswith("Game 12 again, on the same dice, if X were mc")


def test_what_cannot_be_opened_is_said_and_changes_nothing(lab):
    dialogue = lab("td", "q", train=30)
    before = dialogue.answer("where")
    said = dialogue.answer("open afterstate:1/td/q/3/30@31")
    assert said == ["There is no game 31: the run of the address has 30."]
    said = dialogue.answer("go afterstate:1/td/q/3/30@3.1.60")
    assert said[0].startswith("Move 1 of game 3 has ")
    (missing,) = dialogue.answer(f"open afterstate:1/td/sha256-{'0' * 64}.npz/3/30")
    assert "no file that was named has it" in missing
    assert dialogue.answer("where") == before

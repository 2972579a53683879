"""What the rules learn from a few games, worked by hand in `worked.txt`."""

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from afterstate_lab.learners.tape.recording import GameOver, Learning, Move, NoBackup

PAGE = Path(__file__).with_name("worked.txt").read_text(encoding="utf-8")


def examples():
    """Every line that goes on in the indented ones, with each of the names in its braces."""
    whole = re.sub(r"\n +", " ", re.sub(r"^#.*\n", "", PAGE, flags=re.MULTILINE))
    for line in filter(None, whole.splitlines()):
        parts = re.split(r"\{(.*?)\}", re.sub(r"\| \{X O\} ([^|]*)", r"| X \1 | O \1", line))
        for names in product(*map(str.split, parts[1::2])):
            example = "".join(map("".join, zip(parts[::2], [*names, ""], strict=True)))
            yield pytest.param(example.split("|"), id=re.sub(r"\s+", " ", example)[:70])


def number(text):
    exact = float(Fraction(text.removeprefix("~")))
    return pytest.approx(exact, abs=1e-16) if text[0] == "~" else exact


def pairs(words):
    return dict(zip(words[::2], map(number, words[1::2]), strict=True))


class Example:
    """A lab in which the steps of an example are taken one by one."""

    def __init__(self, lab, x, o):
        self.lab, self.before = lab(x, x if o == "=" else o), None

    def named(self, player, name):
        """The entry in a player's table that a name such as S1, A2, P3 or X...O....@3 means."""
        moves = [event for event in self.lab.events if isinstance(event, Move)]
        own = [move for move in moves if move.player == player]
        table, kind = self.lab.table(player).entries, name[0] * name[1:].isdigit()
        if kind == "A":
            return table.of_edge[own[int(name[1:]) - 1].edge]
        if kind:
            boards = [0, *(move.afterstate for move in (own if kind == "S" else moves))]
            return table.of_state[boards[int(name[1:])]]
        return self.lab.entry(player, name)

    def take(self, step):
        lab = self.lab
        match step.split():
            case ["play", *games]:
                for cells in games or [""]:
                    self.before = lab.v.copy()
                    lab.play(cells)
            case ["games", many]:
                lab.tally[3] = int(many)
            case ["unchanged"]:
                assert lab.v.tobytes() == self.before.tobytes()
            case ["over", result, ply, *resigned]:
                last = lab.events[-1]
                assert last == GameOver(last.game, int(ply), result, bool(resigned))
            case [player, "knows", "all", value]:
                lab.table(player).values(lab.v)[:] = number(value)
            case [player, "knows", *known]:
                lab.teach(player, pairs(known))
            case [player, "has", *known]:
                assert {place: lab.value(player, place) for place in known[::2]} == pairs(known)
            case [player, "visits", *known]:
                assert {place: lab.visits(player, place) for place in known[::2]} == pairs(known)
            case [player, "box", board, *beads]:
                assert lab.box(player, board) == [*map(number, beads)]
            case [player, "exploratory", *told]:
                assert [move.exploratory for move in lab.moves(player)] == [*map(number, told)]
            case [player, "learns" | "ends" as verb, *told]:
                self.check(player, [] if told == ["nothing"] else told, whole=verb == "learns")
            case [player, "old" | "new" | "target" | "step" | "ply" as field, *told]:
                found = [getattr(event, field) for event in lab.backups(player)]
                assert found == [*map(number, told)]
            case [player, place, *fields]:
                event = lab.backups(player)[int(place) - (int(place) > 0)]
                for field, text in (one.split("=") for one in fields):
                    assert getattr(event, field) == number(text), field

    def check(self, player, told, whole):
        """See that a player wrote these entries in this order."""
        table = self.lab.table(player)
        events = [e for e in self.lab.events if isinstance(e, Learning) and e.player == player]
        events = events if whole else events[-len(told) // 2 :]
        written = [(event.entry - table.base) % len(table.entries.boards) for event in events]
        assert written == [self.named(player, name) for name in told[::2]]
        for event, text in zip(events, told[1::2], strict=True):
            assert isinstance(event, NoBackup) == (text == "skipped")
            if text != "skipped":
                *old, new = map(number, text.split(">"))
                assert ([event.old][: len(old)], event.new) == (old, new)
        if table.rule.name.startswith("menace"):  # told as the new number, unless below none
            ends = (1, 1, self.lab.events[-1].ply)
            assert all((e.step, e.trace, e.ply) == ends for e in events)
            assert all(e.target == e.new or e.target < 0 for e in events)


@pytest.mark.parametrize("example", [*examples()])
def test_what_is_worked_by_hand_is_learned(lab, example):
    players, *steps = example
    made = Example(lab, *players.split())
    for step in steps:
        made.take(step)

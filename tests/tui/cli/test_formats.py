"""What commands print and keep is a contract: traces, exports, runs, what-ifs, a quiz and its key.

More of it is in `commands.txt`.
"""

import json
from pathlib import Path

import click
import pytest
from made import TINY

from afterstate_lab.learners.ask.what_if import replay_game
from afterstate_lab.learners.errors import PolicyFileError
from afterstate_lab.learners.judge.evaluation import evaluate_memory, evaluations_json
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.runs.address import Address
from afterstate_lab.learners.runs.replay import open_address
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.recording import Cursor, trace_recording
from afterstate_lab.learners.tape.run import Run, Seat, Seating
from afterstate_lab.tui.cli.group import COMMANDS
from afterstate_lab.tui.cli.group import afterstate as group
from afterstate_lab.tui.cli.parameters import WholeNumber
from afterstate_lab.tui.cli.play import trained_first

RUN = "afterstate:1/td/td/1/2000"


pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.mark.parametrize("arms", [1, 2])
def test_an_experiment_explains_a_comparison_where_there_is_one(afterstate, tmp_path, arms: int):
    head, *tables = TINY.split("[[arms]]")
    (tmp_path / "some.toml").write_text("[[arms]]".join([head, *tables[:arms]]))
    told = afterstate("experiment", str(tmp_path / "some.toml"), "--games=20", "--seeds=2").out
    assert ("chance that a run beats a run" in told) == (arms == 2)


def test_every_command_takes_games_in_the_same_way():
    parent = click.Context(group)
    commands = [group.get_command(parent, name) for name in COMMANDS]
    options = [o for c in commands if c for o in c.params if {"--games", "--train"} & {*o.opts}]
    kinds = [option.type.kind for option in options if isinstance(option.type, WholeNumber)]
    assert sorted(kinds) == [*["games"] * 9, "goal"]


def test_a_save_that_fails_at_the_end_still_tells_what_was_learned(
    afterstate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(run, path):
        raise PolicyFileError(f"cannot write '{path.name}': no space left on device")

    monkeypatch.setattr("afterstate_lab.tui.cli.train.save_policy", full)
    outcome = afterstate("train", "--games=50", "--json", "--out", str(tmp_path / "x.npz"))
    assert json.loads(outcome.out)["games"] == 50
    assert outcome.err == "afterstate: Cannot write 'x.npz': no space left on device.\n"
    assert outcome.status == 1


@pytest.mark.quick("+x=mc")
@pytest.mark.parametrize("what_if", ["+x=mc", "+o=td:alpha=0.5,epsilon=0.9", "+x=q"])
def test_a_what_if_is_traced_and_judged_as_it_plays(afterstate, what_if):
    """Up to its first backup both games are equal; then the other player plays and learns."""
    run = open_address(Address.parse(RUN)).run
    found = replay_game(run, 66, **{what_if[1]: parse_player(what_if[3:])}).other
    traced = afterstate("trace", f"{RUN}@67{what_if}")
    assert [json.loads(line) for line in traced.out.splitlines()] == list(trace_recording(found))
    assert traced.out != afterstate("trace", f"{RUN}@67").out
    end = json.loads(traced.out.splitlines()[-1])["ply"]
    for place, events in (("67.0", 0), ("67", 1), (f"67.{end}", None)):
        told = afterstate("evaluate", f"{RUN}@{place}{what_if}", "--json")
        rows = [k for k, event in enumerate(found.events()) if event.ply == end]
        memory = Cursor(found, rows[0] + 1 if events is None else events).v
        judged = evaluations_json(evaluate_memory(found.layout, memory))
        assert json.loads(told.out) == json.loads(json.dumps(judged))


def test_a_run_that_is_trained_on_keeps_its_curve(afterstate):
    for games in ("300", "200"):
        afterstate("train", "--run", "a", "--games", games)
    games = [point.games for point in Store.open().load("a").history]
    assert games[0] == 0 and 300 in games and games == sorted({*games, 500})


def test_the_learner_trains_by_self_play_before_a_person_sits_down(capsys):
    q, human = parse_player("q:alpha=.2"), parse_player("human")
    run = trained_first(human, q, 3, 250)
    assert "\nO is q:alpha=0.2, trained by 250 games of self-play.\n" in capsys.readouterr().out
    straight = Run(q, q, 3)
    straight.train(250)
    assert run.memory.tobytes() == straight.memory.tobytes()
    assert run.seating == Seating(Seat.HUMAN, Seat.LEARNS)
    assert trained_first(parse_player("td:learn=off"), human, 0, 100).games == 0
    assert capsys.readouterr().out.startswith("X is td:learn=off.\n")

"""Saved policies: what comes back is what was saved; a file that lies is refused in a sentence."""

import hashlib
import json
import os
import stat
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from learners.errors import PolicyFileError
from learners.judge.evaluation import evaluate_memory
from learners.players.policy_file import ARRAYS, check_place, digest, load_policy, save_policy
from learners.players.resolve import parse_player
from learners.rules.spec import rules
from learners.tape.events import Move
from learners.tape.run import Run, Seat, Seating

LEARNERS = [rule.name for rule in rules().values() if rule.learns]


def trained(x: str = "td", o: str = "q", games: int = 200) -> Run:
    run = Run(parse_player(x), parse_player(o), seed=9)
    run.train(games)
    return run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "policy.npz"


@pytest.fixture
def saved(path: Path) -> Path:
    save_policy(trained(), path)
    return path


def members(path: Path) -> dict[str, Any]:
    """The arrays of a file, to be changed and written again."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def rewritten(path: Path, honest: bool = True, **changes: Any) -> None:
    """Write a file again with changes: header keys by name, arrays as arrays."""
    arrays = members(path)
    header = json.loads(arrays["header"].tobytes())
    for name, value in changes.items():
        if name in ARRAYS:
            arrays[name] = value
        else:
            header[name] = value
    if honest and all(np.asarray(arrays[name]).dtype.kind == "f" for name in ARRAYS):
        header["sha256"] = digest(arrays)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(path, **arrays)


def refusal(path: Path) -> str:
    """The one sentence with which a file is refused."""
    with pytest.raises(PolicyFileError) as error:
        load_policy(path)
    assert str(error.value).isprintable()
    return str(error.value).replace(str(path.parent) + "/", "")


@pytest.mark.parametrize("spec", [*LEARNERS, "td:decay=.9,every=7", "q:symmetry=on"])
def test_what_is_loaded_is_what_was_saved(spec: str, path: Path):
    run = trained(spec, spec)
    save_policy(run, path)
    policy = load_policy(path)
    assert policy.memory.tobytes() == run.memory.tobytes()
    assert (policy.x, policy.o) == (run.x, run.o)
    assert (policy.seed, policy.games) == (9, 200)
    assert evaluate_memory(policy.layout, policy.memory) == evaluate_memory(run.layout, run.memory)


def test_a_file_is_plain_arrays_and_a_json_header(saved: Path):
    arrays = members(saved)
    assert set(arrays) == {*ARRAYS, "header"}
    header = json.loads(arrays["header"].tobytes())
    assert header["format"] == 1
    assert (header["x"], header["o"], header["seed"], header["games"]) == ("td", "q", 9, 200)
    assert header["sha256"] == digest(arrays)
    assert arrays["x_values"].shape == (1, 5478)
    assert arrays["o_visits"].shape == (1, 7536)


def test_a_file_is_its_owners_and_leaves_nothing_beside_it(saved: Path):
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert list(saved.parent.iterdir()) == [saved]


def test_saving_again_replaces_the_file(saved: Path):
    again = trained("mc", "mc", games=7)
    save_policy(again, saved)
    assert load_policy(saved).games == 7


def test_a_failed_save_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch):
    before = saved.read_bytes()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(PolicyFileError, match="cannot be written: no space left on device"):
        save_policy(trained(), saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_an_interrupted_save_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_policy(trained(), path)
    assert not list(path.parent.iterdir())


def test_a_place_is_tried_before_the_work(tmp_path: Path):
    check_place(tmp_path / "new.npz")
    assert not list(tmp_path.iterdir())
    (tmp_path / "folder.npz").mkdir()
    for place, why in (
        (tmp_path / "nowhere" / "x.npz", "there is no folder"),
        (tmp_path / "folder.npz", "it is a folder"),
        (tmp_path / ("x" * 300 + ".npz"), "file name too long"),
        (tmp_path / "x.zip", "a policy's file name ends in .npz"),
        (tmp_path / "n\x1bz", "a policy's file name ends in .npz"),
    ):
        with pytest.raises(PolicyFileError, match=why) as error:
            check_place(place)
        assert str(error.value).isprintable()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_no_place(tmp_path: Path):
    tmp_path.chmod(0o500)
    with pytest.raises(PolicyFileError, match="permission denied"):
        check_place(tmp_path / "x.npz")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"x_values": np.zeros((1, 5477))}, "its x_values has the wrong shape for td against q"),
        ({"x_values": np.zeros((2, 5478))}, "its x_values has the wrong shape for td against q"),
        ({"o_values": np.zeros(7536)}, "its o_values has the wrong shape for td against q"),
        ({"x_values": np.zeros((1, 5478), "<f4")}, "its x_values is no plain array of numbers"),
        ({"x_values": np.zeros((1, 5478), ">f8")}, "its x_values is no plain array of numbers"),
        ({"x_values": np.zeros((1, 5478), "i8")}, "its x_values is no plain array of numbers"),
        ({"x_values": np.array("text")}, "its x_values is no plain array of numbers"),
        ({"x_values": np.full((1, 5478), np.nan)}, "its x_values has numbers that no learner has"),
        ({"x_values": np.full((1, 5478), np.inf)}, "its x_values has numbers that no learner has"),
        ({"o_values": np.full((1, 7536), 1e31)}, "its o_values has numbers that no learner has"),
        ({"x_visits": np.full((1, 5478), -1.0)}, "its x_visits has numbers that no learner has"),
        ({"x_visits": np.full((1, 5478), 0.5)}, "its x_visits has numbers that no learner has"),
        ({"x_visits": np.full((1, 5478), 1e18)}, "its x_visits has numbers that no learner has"),
        ({"x": "mc:alpha=9"}, "alpha=9 will not do: it must be 0 to 1"),
        ({"x": "\x1b[2Jtd"}, "a player spec has printable characters only, unlike '\\x1b[2Jtd'"),
        ({"x": None}, "there is no player 'None'"),
        ({"x": "rule.py:Rule"}, "it learned by the rule 'rule.py:Rule', and no code is run for a"),
        ({"games": -1}, "its header has no number of games or no seed"),
        ({"games": True}, "its header has no number of games or no seed"),
        ({"games": 2**64}, "its header has no number of games or no seed"),
        ({"seed": 1.5}, "its header has no number of games or no seed"),
        ({"greedy_moves": [1]}, "its header has no numbers of greedy moves"),
        ({"greedy_moves": [0, -1]}, "its header has no numbers of greedy moves"),
        ({"greedy_moves": [0, float("nan")]}, "its header has no numbers of greedy moves"),
        ({"greedy_moves": [0, 1e300]}, "its header has no numbers of greedy moves"),
        ({"format": "1"}, "its header says no format"),
        ({"format": None}, "its header says no format"),
    ],
)
def test_a_file_that_lies_is_refused(saved: Path, changes: dict[str, Any], why: str):
    rewritten(saved, **changes)
    beginning = "'policy.npz' is not a policy that afterstate saved: "
    assert refusal(saved).startswith(beginning + why)


def test_a_changed_number_is_noticed(saved: Path):
    values = members(saved)["x_values"]
    values[0, 77] += 1e-9
    rewritten(saved, honest=False, x_values=values)
    assert refusal(saved).endswith("its arrays are not those that were saved (checksum)")


def test_a_newer_format_is_called_so(saved: Path):
    rewritten(saved, format=2)
    assert refusal(saved) == (
        "'policy.npz' was saved by a newer afterstate (format 2, this one reads 1)"
    )


def test_a_link_is_read_through_and_replaced_as_a_link(saved: Path):
    link = saved.parent / "link.npz"
    link.symlink_to(saved)
    assert load_policy(link).games == 200
    save_policy(trained(games=3), link)
    assert not link.is_symlink()
    assert (load_policy(link).games, load_policy(saved).games) == (3, 200)


def test_a_saved_player_plays_as_it_was_saved_and_learns_nothing(saved: Path):
    # The same dice for the same games: only what a player knows could make a difference.
    frozen = trained()
    frozen.seat(Seating(Seat.FROZEN, Seat.FROZEN))
    frozen.train(300)
    spec = parse_player(str(saved))
    opponents = Run(spec, spec, seed=9)
    before = opponents.memory.copy()
    opponents.train(500)
    assert opponents.memory.tobytes() == before.tobytes()
    played, told = (
        [(e.game, e.ply, e.cell) for e in run.record(200, 500).events() if isinstance(e, Move)]
        for run in (opponents, frozen)
    )
    assert played == told


def test_a_saved_player_may_err(saved: Path):
    assert parse_player(f"{saved}:epsilon=.5").settings["epsilon"] == ("constant", (0.5,))


def test_a_side_that_did_not_learn_cannot_be_played(path: Path):
    save_policy(trained("td", "random"), path)
    spec = parse_player(str(path))
    Run(spec, parse_player("td"))
    with pytest.raises(PolicyFileError, match="holds no learner that plays O"):
        Run(parse_player("td"), spec)


def test_a_file_saved_anew_is_read_anew(path: Path):
    save_policy(trained("td", "td"), path)
    first = parse_player(str(path))
    assert parse_player(str(path)) == first
    save_policy(trained("td", "td", games=999), path)
    second = parse_player(str(path))
    assert second != first
    assert Run(first, first).memory.tobytes() != Run(second, second).memory.tobytes()


def test_a_file_stands_alone_when_its_opponent_was_a_file(saved: Path, path: Path):
    other = path.parent / "other.npz"
    run = trained("td", f"{saved}:epsilon=0.1")
    save_policy(run, other)
    saved.unlink()
    policy = load_policy(other)
    assert policy.memory.tobytes() == run.memory.tobytes()
    assert str(policy.o) == f"{saved}:epsilon=0.1"
    assert not policy.o.rule.learns


def test_a_file_that_names_itself_is_read_once(path: Path):
    save_policy(trained("td", "random"), path)
    rewritten(path, o=str(path))
    assert str(load_policy(path).o) == str(path)


def test_the_checksum_is_over_little_endian_float64_in_order():
    arrays = {name: np.full((1, 2), n / 8) for n, name in enumerate(ARRAYS)}
    by_hand = b"".join(struct.pack("<2d", n / 8, n / 8) for n in range(4))
    assert digest(arrays) == hashlib.sha256(by_hand).hexdigest()

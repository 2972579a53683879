"""A saved run can be judged and exported as a file can."""

from __future__ import annotations


def test_a_run_and_its_file_are_judged_and_exported_alike(afterstate, tmp_path):
    file = tmp_path / "policy.npz"
    words = ("--games", "300", "--seed", "4")
    assert afterstate("train", "--run", "demo", *words).status == 0
    assert afterstate("train", *words, "--out", str(file)).status == 0
    for command in ("evaluate", "export"):
        of_run = afterstate(command, "--run", "demo")
        assert of_run.status == 0
        assert of_run.out == afterstate(command, str(file)).out


def test_a_board_is_exported_as_a_picture(afterstate):
    afterstate("train", "--run", "demo", "--games", "50")
    told = afterstate("export", "--run", "demo", "--format", "svg", "--board", "X...O....")
    assert told.out.startswith("<svg")
    wrong = afterstate("export", "--run", "demo", "--format", "svg", "--board", "XX.......")
    assert (wrong.status, wrong.out) == (2, "")


def test_a_file_and_a_run_at_once_are_refused(afterstate):
    told = afterstate("evaluate", "policy.npz", "--run", "demo")
    assert (told.status, told.err) == (2, "afterstate: one of FILE.npz and --run NAME is needed\n")

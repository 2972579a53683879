"""The lab through its keys: what the session does, and what the panes are given to show."""

import pytest
from piloting import Desk, desk_of

from afterstate_lab.tui.terminal.pacing import Pacer


async def test_a_training_is_looked_at_once_a_second_while_the_user_types(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    now, looks = [100.0], []
    monkeypatch.setattr("afterstate_lab.tui.screens.lab.monotonic", lambda: now[0])
    monkeypatch.setattr(desk.session, "look_at_training", lambda: looks.append(now[0]))
    monkeypatch.setattr(Pacer, "is_after_key", True)
    for _ in range(9):
        desk.screen.poll()
        now[0] += 0.25
    monkeypatch.setattr(Pacer, "is_after_key", False)
    desk.screen.poll()
    assert looks == [100.0, 101.0, 102.0, 102.25]


@pytest.mark.slow
async def test_a_paused_training_keeps_still_until_it_is_stopped(desk: Desk):
    await desk.press("t")
    desk.screen.line.value = "1000000"
    await desk.press("Enter space")
    assert desk.session.training.is_paused
    await desk.finish("Esc")
    assert 0 < desk.session.run.games < 1_000_000
    assert not desk.session.is_training


@desk_of(size=(120, 40))
async def test_the_footer_names_keys_that_do_something_and_that_help_tells(desk: Desk):
    assert await desk.press("g") == "No game yet: s plays one."
    for keys in ("", "→ →", "s", "p 5"):
        await desk.press(keys)
        last = desk.text.splitlines()[-1]
        shown = dict(entry.split(maxsplit=1) for entry in last.strip().split("  "))
        assert len(shown) <= 8
        assert max(map(len, shown.values())) <= 12
        await desk.press("?")
        told = {key.replace(" ", "") for key, _ in desk.state.rows} | {"?", "+−"}
        assert set(shown) <= told
        await desk.press("Esc")


async def test_a_digit_begins_the_answer_to_a_question_of_a_lesson(desk: Desk):
    guide = desk.app.controller.lessons
    guide.begin("credit")
    while guide.question is None:
        guide.turn(1)
    await desk.finish("1")
    assert (desk.front.asked.word, desk.screen.line.value) == ("answer", "1")

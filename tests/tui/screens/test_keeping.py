"""The lab saves by itself, and goes on where it stopped: through its keys."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from made import own_rule, run_of
from piloting import Desk, at

from afterstate_lab.learners.kernel.kernel import Kernel
from afterstate_lab.learners.players.resolve import parse_player
from afterstate_lab.learners.players.user_rule import user_rule
from afterstate_lab.learners.runs.store import Store
from afterstate_lab.learners.tape.timeline import GAMES_AFTER, GAMES_BEFORE

TD = parse_player("td")
HOOK = """
    def after_step(v, tape, me, steps, greedy, t, over, game):
        backup(v, tape, me, steps[t - 1], steps[t], 0.0, me.alpha)
"""


@asynccontextmanager
async def at_home(lab) -> AsyncIterator[Desk]:
    """A lab that begins at home, once it has looked for a saved run."""
    async with at(lab(at_home=True)) as desk:
        await desk.finish()
        yield desk


@pytest.mark.parametrize("keys", ["c", "R Enter"])
async def test_a_long_run_is_played_again_in_a_thread_of_its_own(lab, monkeypatch, keys):
    Store.open().save(run_of(games=3_000))
    in_front = threading.current_thread()
    stretches: dict[bool, list[int]] = {True: [], False: []}
    play = Kernel.play

    def noted(kernel: Kernel, v, first, last, *args, **options):
        stretches[threading.current_thread() is in_front].append(last - first)
        return play(kernel, v, first, last, *args, **options)

    monkeypatch.setattr(Kernel, "play", noted)
    async with at_home(lab) as desk:
        for key in keys.split():
            await desk.finish(key)
        assert (desk.session.run.games, desk.session.timeline.game) == (3_000, 2_999)
    assert max(stretches[False]) > GAMES_BEFORE + GAMES_AFTER >= max(stretches[True])


async def test_no_trouble_with_the_store_stops_the_lab_and_it_is_said_once(
    desk: Desk, lab, data_of_its_own: Path
):
    data_of_its_own.write_text("a file where the folder should be")
    async with at_home(lab) as beside:
        assert beside.state.note.startswith("Cannot use the store ")
    for keys in ("p 5", "n Esc"):
        await desk.finish(keys)
        assert desk.text.count("Not saved: ") == desk.text.count("Not saved") == 1
    assert desk.session.board.ply == 2
    assert not desk.app.controller.autosave.capture(desk.session), "it is not tried again and again"
    desk.app.save_once()
    assert desk.app.last_words().startswith("afterstate: Could not save: ")
    data_of_its_own.unlink()
    desk.screen.save()
    assert await desk.finish() == "Saved."
    assert "Not saved" not in desk.text
    assert Store.open().list()[0].in_game


async def test_a_run_that_needs_a_file_asks_before_its_code_runs(lab, tmp_path: Path):
    spec = own_rule(tmp_path, HOOK)
    rule = tmp_path / "mine.py"
    source, bad = rule.read_text(), "raise SystemExit('it ran')"
    Store.open().save(run_of(spec, "td", 3), name="with a rule")
    for keys, answer, text, said in (
        ("c", "n", bad, "Its code did not run: only y runs it."),
        ("c", "y", bad, "SystemExit: it ran."),
        ("R Enter", "y", source, ""),
    ):
        user_rule.cache_clear()
        rule.write_text(text)
        async with at_home(lab) as desk:
            await desk.finish(keys)
            assert spec in desk.front.note
            sheets = desk.screen.sheets[:]
            await desk.answer(answer)
            await desk.settle()
            if said:
                assert said in desk.front.note + desk.session.note
                assert desk.screen.sheets == sheets
            else:
                assert desk.in_lab
                assert (str(desk.session.run.x), desk.session.run.games) == (spec, 3)


async def test_a_run_that_is_watched_is_in_the_store_at_once_and_each_game_when_it_pauses(
    desk: Desk,
):
    await desk.press("space")
    desk.screen.tick()
    await desk.finish()
    assert [info.games for info in Store.open().list()] == [1]
    while desk.session.run.games == 1:
        desk.screen.tick()
    await desk.finish("space")
    assert [info.games for info in Store.open().list()] == [2]


@pytest.mark.slow
@pytest.mark.parametrize("key", "spw")
async def test_a_training_left_by_a_key_says_how_far_it_came(lab, key):
    async with at(lab()) as desk:
        await desk.press("t")
        await desk.answer("100m")
        await desk.until(lambda: desk.session.training.snapshot.done)
        said = await desk.press(key)
        assert said == f"Training stopped after {desk.session.run.games:,} of 100,000,000 games."
        assert said in " ".join(desk.text.split())

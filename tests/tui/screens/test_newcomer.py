"""What a newcomer wants, from home, and how many keys it takes: no task may take more."""

from __future__ import annotations

import pytest
from piloting import at

TASKS = {
    "a backup before its write": ("s", "= ?"),
    "a backup after its write": ("s →", "= .450"),
    "watch it learn": ("w", "WATCH"),
    "the tour": ("T", "1/14"),
    "unbeatable": ("t Enter", "Unbeatable after"),
    "another alpha": ("n ↓ → Enter", "X td α.2"),
    "MENACE as the opponent": ("colon m e n a c e Enter", "O menace"),
    "what rms means": ("colon r m s", "root mean square"),
    "the card of a value": ("s Enter", "V of X"),
    "what if": ("s colon w h a t i f Enter Enter", "WHAT IF"),
    "Figure 2.6": ("colon 2 . 6 Enter", "2.6"),
    "the values of a board": ("colon X . . . . . . . . Enter", "TABLE"),
}


@pytest.mark.parametrize("task", TASKS)
async def test_a_newcomer_gets_there_from_home(lab, task: str, monkeypatch: pytest.MonkeyPatch):
    if task == "unbeatable":  # takes tens of thousands of games
        monkeypatch.delenv("AFTERSTATE_INTERPRETED")
    keys, shows = TASKS[task]
    async with at(lab(at_home=True), (120, 40)) as desk:
        await desk.finish()
        await desk.finish(" ".join({".": "full_stop"}.get(key, key) for key in keys.split()))
        assert shows in " ".join(desk.text.split())

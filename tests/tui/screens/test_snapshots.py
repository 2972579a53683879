"""Whole screens as they are read, compared with those kept beside this file.

A difference is looked at, and if it is meant, the picture is made anew:
``AFTERSTATE_NEW_SNAPSHOTS=1 python -m pytest tests/tui/screens/test_snapshots.py``.
"""

import pytest
from piloting import SIZES, at, compare

LEARNERS = ("td", "q", "tdlambda", "menace", "double-q")


@pytest.mark.parametrize(
    ("name", "x", "keys"),
    [
        *((f"step-{x}", x, "s { ] ] ] ] ] ] ]") for x in LEARNERS),
        *((f"panes-{x}", x, "s s { ] ] ] ] ] ] ]") for x in LEARNERS),
        ("watch", "td", ". . . . . . ."),
        ("play", "td", "p 5 h h h h"),
        ("help", "td", "?"),
    ],
)  # fmt: skip
async def test_a_screen_is_as_it_is_kept(lab, name: str, x: str, keys: str):
    for size, window in SIZES.items():
        if size == "80x24" or name not in ("play", "help"):
            async with at(lab(x, "random" if keys[0] == "s" else "td"), window) as desk:
                desk.session.run.train(400 * (keys != "?"))
                await desk.press(keys)
                compare(desk.app, f"{name}-{size}")

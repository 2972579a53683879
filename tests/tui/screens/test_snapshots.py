"""Whole screens as they are read, compared with those kept beside this file.

A difference is looked at, and if it is meant, the picture is made anew:
``AFTERSTATE_NEW_SNAPSHOTS=1 python -m pytest tests/tui/screens/test_snapshots.py``.
"""

import pytest
from piloting import SIZES, at

LEARNERS = ("td", "q", "tdlambda", "menace", "double-q")


@pytest.mark.quick("td", "menace")
@pytest.mark.parametrize(
    ("x", "pictures"),
    [
        *((x, {f"step-{x}": "s { ] ] ] ] ] ] ]", f"panes-{x}": "s [ ]"}) for x in LEARNERS),
        ("td", {"watch": ". . . . . . .", "play": "p 5 h h h h", "help": "?"}),
    ],
    ids=[*LEARNERS, "others"],
)
async def test_a_screen_is_as_it_is_kept(lab, x: str, pictures: dict[str, str]):
    for size, window in SIZES.items():
        async with at(lab(x, "td" if "watch" in pictures else "random"), window) as desk:
            desk.session.run.train(400)
            for name, keys in pictures.items():
                await desk.press(keys)
                if size == "80x24" or name not in ("play", "help"):
                    desk.compare(f"{name}-{size}")

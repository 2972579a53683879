"""Whole screens as they are read, compared with those kept beside this file.

A difference is looked at, and if it is meant, the picture is made anew:
``AFTERSTATE_NEW_SNAPSHOTS=1 python -m pytest tests/tui/screens/test_snapshots.py``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.app import App

KEPT = Path(__file__).parent / "snapshots"


def text_of(app: App[None]) -> str:
    """The characters of the screen, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(s.text for s in line).rstrip() for line in lines) + "\n"


def compare(app: App[None], name: str) -> None:
    path = KEPT / f"{name}.txt"
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        KEPT.mkdir(exist_ok=True)
        path.write_text(text_of(app), encoding="utf-8")
    assert text_of(app) == path.read_text(encoding="utf-8")


SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


@pytest.mark.parametrize("size", SIZES)
async def test_watch(lab, size: str):
    app = lab()
    async with app.run_test(size=SIZES[size]) as pilot:
        app.session.run.train(400)
        await pilot.press(*["full_stop"] * 7)
        compare(app, f"watch-{size}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("x", ["td", "q", "tdlambda", "menace", "double-q"])
async def test_step(lab, size: str, x: str):
    app = lab(x=x, o="random")
    async with app.run_test(size=SIZES[size]) as pilot:
        app.session.run.train(400)
        await pilot.press("s", *["right_square_bracket"] * 7)
        compare(app, f"step-{x}-{size}")


async def test_play(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        app.session.run.train(400)
        await pilot.press("p", "5", "h", "h", "h", "h")
        compare(app, "play-80x24")


async def test_help(lab):
    app = lab()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        compare(app, "help-80x24")

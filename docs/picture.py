"""Draw the README's picture: `python docs/picture.py` writes docs/lab.svg with the app itself."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

from learners.rules.spec import PlayerSpec
from tui.app import Afterstate
from tui.lab.session import Settings


async def draw(path: Path) -> None:
    """Train a while, step to a backup that lowers a value, and take the picture."""
    td = PlayerSpec.parse("td")
    app = Afterstate(Settings(td, td, 7))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("t")
        app.screen.query_one("#answer").value = "1500"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        app.session.timeline.go_to_ply(423, 3)
        await pilot.press("s", "right", "right")
        path.write_text(self_contained(app.export_screenshot(title="afterstate")), encoding="utf-8")


def self_contained(svg: str) -> str:
    """The picture with the reader's own monospace font instead of one from the network."""
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "monospace")


if __name__ == "__main__":
    os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    os.environ.pop("NO_COLOR", None)
    asyncio.run(draw(Path(__file__).parent / "lab.svg"))

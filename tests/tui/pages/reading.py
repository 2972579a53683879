"""Pages without a screen: what they show, and what comes of a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from learners.players.resolve import parse_player
from tui.blocks.block import Part, placed
from tui.blocks.span import Pen
from tui.lab.session import Session, Settings
from tui.pages.page import Page, Work
from tui.screens.page import lines_of
from tui.theme.glyphs import ASCII, UNICODE

PEN, BARE = Pen(UNICODE), Pen(ASCII, paints=False, colours=False, heats=False)


def session_of(x: str = "td", o: str = "td", games: int = 60) -> Session:
    """A session that looks at the last of some games."""
    session = Session(Settings(parse_player(x), parse_player(o), 7))
    session.run.train(games)
    if games:
        session.timeline.go_to(games - 1, at_end=True)
    return session


def lines(page: Page, columns: int = 80, rows: int = 24, pen: Pen = PEN) -> list[str]:
    return list(lines_of(page, columns, rows, pen))


def drawn(part: Part, columns: int, rows: int, pen: Pen = PEN) -> None:
    """Lay out and draw a part, as a screen does."""
    for block, _, _, wide, high in placed(part, columns, rows, pen):
        block.draw(wide - 2, high - 2, pen)


def do(make: Callable[[], Page], key: str, *text: str) -> Any:
    """What comes of a key, or of a word; work is done at once."""
    page = make()
    found = next(one for one in page.keys if key in one.key.split() or key == one.word)
    outcome = found.do(*text)
    return outcome.taken(outcome.do(lambda: False)) if isinstance(outcome, Work) else outcome


def press(make: Callable[[], Page], *keys: str) -> Any:
    """What comes of the last of some keys."""
    return [do(make, key) for key in keys][-1]

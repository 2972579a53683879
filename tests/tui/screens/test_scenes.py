r"""What is pressed at the lab, and what it then shows, says and knows, line by line.

Each file of tests/scenarios/screen has scenes. Their lines are

    # The title
    $ x=q games=20 size=120x40   the lab, where it is not of two td, seed 7 and 80x24; also home,
                                 ascii, compiled, runs=2 (saved), page=table-td (of `reading`)
                                 and slow (not among the default tests,
                                 as only the first of a file can be)
    > s → Enter                  keys, and the end of what they begin; >> does not wait for that
    < .45                        the answer to a question, and Enter
    " menace\r                   what is typed, with \r for Enter and \x7f for backspace
    * X's values                 a click on words that are shown once
    ^ 40x12                      another size of the window
    & home                       the lab is closed, and another one opened
    . some words                 are shown now, - are not
    = what has changed           of page, note, place, event, board, games, memory, ...

and the last kind is written by a scene itself: `AFTERSTATE_NEW_SNAPSHOTS=1` with `-n 0` writes what
changes now.
"""

import hashlib
import os
import re
import shlex
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from piloting import Desk, at, saved
from reading import sample

from afterstate_lab.tui.blocks.speech import joined
from afterstate_lab.tui.lab.commands import STRIDES
from afterstate_lab.tui.lab.log import event_line
from afterstate_lab.tui.screens.page import shown
from afterstate_lab.tui.theme.palette import BARE

FOLDER = Path(__file__).parents[2] / "scenarios" / "screen"
ROW = re.compile(r"▸ *(.*?) *(?:│(?![XO·1-9]{3})|\n|$)")
AGENTS = Path(__file__).parents[2] / "agents"
TITLE = re.compile(r"^# (.*)\n", re.MULTILINE)
HEAD = re.compile(r"^# (.*)\n(\$.*)?", re.MULTILINE)
SCENES = [
    pytest.param(path, title, id=title, marks=[pytest.mark.slow] * (n > 0 or "slow" in words))
    for path in sorted(FOLDER.glob("*.txt"))
    for n, (title, words) in enumerate(HEAD.findall(path.read_text("utf-8")))
]


def facts(desk: Desk) -> Iterator[tuple[str, object]]:
    """What can be said of a lab in a few words each."""
    screen, front = desk.screen, desk.front
    yield "", " < ".join(sheet.page.name for sheet in reversed(screen.sheets) if sheet.page)
    yield "asks", front.asked and f"{front.asked.word} {screen.line.value}".strip()
    if desk.in_lab:
        yield "shows", " ".join(type(place.block).__name__ for place in screen.places)
        yield "lit", " ".join(type(one.block).__name__ for one in screen.places if one.block.spot)
    else:
        yield "title", joined([(f"{label} {value} ", "") for label, value in screen.page.title])
        window, rows = screen.page.window, ROW.findall(desk.text)
        is_list = window is not None and screen.page.name != "COMMANDS"
        at = f"{window.cursor + 1}/{window.count} " if is_list else ""
        yield (
            "row",
            at + "; ".join(re.sub("  +", "  ", row) for row in rows).removesuffix("  just now"),
        )
        yield "keys", ", ".join(shown(k) for k in screen.page.keys if not k.hidden and k.word)
        yield "typed", screen.page.typing and screen.line.value
    if screen.page.name == "EXPLAIN":
        yield "word", " ".join(word.word for word in desk.state.words[desk.state.at :][:1])
    is_begun = desk.app.controller.is_started
    yield "says", front.note or (desk.in_lab and is_begun and desk.session.note) or screen.page.note
    if not is_begun:
        return
    session, timeline = desk.session, desk.session.timeline
    yield "mode", session.mode.value
    yield "games", session.run.games
    place = timeline.game + 1, timeline.row - timeline.rows.start, timeline.phase
    yield "at", ".".join(map(str, place)) if desk.event else "the start"
    yield "event", desk.event and joined(event_line(desk.event)).strip()
    yield "board", f"'{session.board}'"
    yield "memory", hashlib.sha256(timeline.v.tobytes()).hexdigest()[:6]
    yield "players", f"{session.run.x} v {session.run.o}, seed {session.run.seed}"
    yield "seats", f"{session.run.seating.x.value} {session.run.seating.o.value}"
    yield "picked", session.selection and session.selection.role.value
    yield "break", session.breakpoint
    yield "stride", session.stride if session.mode in STRIDES else None
    yield "speed", session.speed
    yield "runs", session.is_running or session.is_training
    yield "help", session.help.value
    yield "predicted", session.predictions.wanted and len(session.predictions.given)
    yield "step", desk.app.controller.guide and desk.app.controller.guide.step.title


def changes(before: dict[str, object], now: dict[str, object]) -> list[str]:
    """The facts that are others now; what is said is told again."""
    told = []
    for name, value in now.items():
        if (value or "") != (before.get(name) or "") or (name == "says" and value):
            told.append(f"{name} {value}".strip() if value else f"{name} –")
    return wrap("; ".join(told), 98, initial_indent="= ", subsequent_indent="= ",
                break_on_hyphens=False, break_long_words=False)  # fmt: skip


async def act(desk: Desk, sign: str, text: str) -> None:
    if sign == ">":
        for key in text.split():  # while the lab works, it takes Esc only
            await desk.press(key)
            await desk.until(lambda: desk.screen.busy is None)
        await desk.settle()
    elif sign == ">>":
        await desk.press(text)
    elif sign == '"':
        await desk.feed(text.replace(r"\r", "\r").replace(r"\x7f", "\x7f"))
        await desk.finish()
    elif sign == "<":
        await desk.ask("", text)
    elif sign == "*":
        await desk.click(text)
        await desk.finish()
    else:
        columns, rows = text.split("x")
        await desk.resize((int(columns), int(rows)))


@asynccontextmanager
async def opened(lab: Any, words: str, monkeypatch: Any) -> AsyncIterator[Desk]:
    given = dict(word.partition("=")[::2] for word in shlex.split(words))
    for number in range(int(given.get("runs", 0))):
        player = ("td", "q", "td:alpha=0.3")[number % 3]
        saved(f"run {number + 1}", player, games=20 + 10 * number)
    columns, rows = given.get("size", "80x24").split("x")
    app = lab(given.get("x", "td"), given.get("o", "td"), int(given.get("seed", 7)),
              at_home="home" in given)  # fmt: skip
    if "ascii" in given:
        monkeypatch.setattr(type(app), "look", BARE)
    async with at(app, (int(columns), int(rows))) as desk:
        await desk.finish()
        if games := int(given.get("games", 0)):
            desk.session.run.train(games)
        if "page" in given:
            desk.screen.push(sample(given["page"]))
            await desk.finish()
        yield desk


@pytest.mark.parametrize(("path", "title"), SCENES)
async def test_scene(lab, path: Path, title: str, data_of_its_own: Path, monkeypatch):
    data_of_its_own.mkdir(exist_ok=True)
    monkeypatch.chdir(data_of_its_own)
    Path("agents").symlink_to(AGENTS)
    parts = TITLE.split(path.read_text("utf-8"))
    text = parts[parts.index(title) + 1]
    lines = text.strip("\n").splitlines()
    words = lines.pop(0)[1:] if lines[0].startswith("$") else ""
    told = [f"${words}"] if words else []
    if "compiled" in words:
        monkeypatch.delenv("AFTERSTATE_INTERPRETED")
    async with AsyncExitStack() as stack:
        desk = await stack.enter_async_context(opened(lab, words, monkeypatch))
        known = dict(facts(desk))
        for line in lines:
            sign, _, words = line.partition(" ")
            if sign == "=":
                continue
            told.append(line)
            if sign in (".", "-"):
                is_shown = words in " ".join(desk.text.split()) or words in desk.text
                assert is_shown == (sign == "."), f"{line}\n{desk.text}"
                continue
            if sign == "&":
                await stack.aclose()
                desk = await stack.enter_async_context(opened(lab, words, monkeypatch))
            else:
                await act(desk, sign, words)
            now = dict(facts(desk))
            told += changes(known, now)
            known |= now
    found = "\n".join(told)
    if os.environ.get("AFTERSTATE_NEW_SNAPSHOTS"):
        whole = path.read_text("utf-8").replace(f"# {title}\n{text}", f"# {title}\n{found}\n\n")
        path.write_text(f"{whole.rstrip()}\n", encoding="utf-8")
        return
    assert found == text.strip("\n")

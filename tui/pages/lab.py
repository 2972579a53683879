"""The lab itself: board, log, stats and curve; while stepping, one update from every side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.tui.blocks import LESSON_ROWS, Part, Stack, Text
from afterstate_lab.tui.lab.commands import STRIDES, arrows
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.pages.page import (
    BOARD_SIZE,
    PAGE_SIZE,
    Key,
    LabController,
    Page,
    Work,
    fits,
)
from afterstate_lab.tui.verbs import BY_NAME, COMMANDS

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.panes import Do


KEYPAD: Final = (6, 7, 8, 3, 4, 5, 0, 1, 2)
"""The cell of each digit 1-9, arranged as on a keypad."""
PANES: Final = ("choice", "equation")
"""The blocks below the picture of a backup, by their names in lessons."""


def lab_page(lab: LabController, do: Do, size: tuple[int, int] = PAGE_SIZE) -> Page:
    """Return the page of a lab for a terminal's size; `do` runs the command of a key or a click."""
    guide = lab.guide
    look = "" if guide is None else guide.step.look

    def lit(name: str, block: Any) -> Any:
        return replace(block, spot=True) if name == look else block

    from afterstate_lab.tui.lab import panes  # the engine, which home does without

    session, offset = lab.session, lab.log_offset
    title, right = panes.title_of(session)
    work: Work | None = None
    parts: list[Part]
    if session.mode is not Mode.STEP:
        is_small = session.mode is Mode.PLAY and not fits(size, PAGE_SIZE)
        body = panes.run_body(session, offset, do, lit, is_small=is_small)
        parts = [body, *panes.film_track(session)]
    elif (picture := session.picture) is None:
        parts = [Text(("No event yet.",))]
    else:
        work = session.sweep_work(size[0])
        is_in_full = (session.details and look != "picture") or look in PANES
        rows = size[1] - (0 if guide is None else LESSON_ROWS)
        picture = replace(picture, rows=rows, is_full=is_in_full)
        parts = [lit("picture", picture), panes.below(session, offset, picture, lit)]
    return Page(
        session.mode.value.upper(),
        Stack(parts) if len(parts) > 1 else parts[0],
        keys=(
            *taught_keys(lab, do),
            *(
                key_for(one.name, do)
                for one in COMMANDS
                if one.keys and lab.mode in one.modes and one.name != "cell"
            ),
        ),
        title=title,
        right=right,
        work=work,
        note=session.note,
        least=BOARD_SIZE if session.mode is Mode.PLAY else PAGE_SIZE,
    )


# the keys


def key_for(name: str, do: Do, word: str = "", signs: str = "") -> Key:
    """Return a command as a key; without a word the footer hides it."""
    command = BY_NAME[name]
    return Key(" ".join(command.keys), word or command.label, partial(do, name), command.help,
               hidden=not word, signs=signs or command.shown)  # fmt: skip


def taught_keys(lab: LabController, do: Do) -> Iterator[Key]:
    """Yield the footer's keys, the way home last: few, and the same in all modes."""
    session = lab.session
    mode, is_running = session.mode, session.is_running
    if mode is Mode.PLAY:
        if session.game_goes_on:
            yield replace(key_for("cell", do, "move"), key="")
        else:
            yield key_for("mark", do, "review")
        cells = KEYPAD if lab.uses_keypad else range(9)
        yield from (Key(str(n), "", partial(do, "cell", cell)) for n, cell in enumerate(cells, 1))
        yield key_for("take_back", do, "undo")
        yield from pair("faster", "slower", do, "hints", "faster")
        yield key_for("new_game", do, "new")
    elif session.training is not None:
        yield key_for("run", do, "run" if session.training.is_paused else "pause")
        yield key_for("give_up", do, "stop")
        return
    else:
        step = mode is Mode.STEP
        yield key_for(
            "next_change" if step else "run", do,
            "change" if step else "train" if mode is Mode.TRAIN else ("run", "pause")[is_running],
        )  # fmt: skip
        stride = session.stride
        ways = zip(pair(*arrows(mode), do, stride), STRIDES[mode][stride], strict=True)
        yield from (replace(k, do=partial(do, way), help=BY_NAME[way].help) for k, way in ways)
        if step and session.details:
            yield from pair("select_back", "select", do, "pick")
        elif is_running or len(STRIDES[mode]) > 1:
            yield from pair("faster", "slower", do, "speed" if is_running else "stride", "faster")
        if step:
            yield key_for("step", do, "less" if session.details else "more")
            yield key_for("card", do, "card" if lab.guide is None else "next")
        yield Key("n", "new", partial(do, "setup"), BY_NAME["setup"].help, hidden=step)
    yield Key("escape", "home", partial(do, "give_up"))


def pair(first: str, second: str, do: Do, word: str, clicked: str = "") -> Iterator[Key]:
    """Yield two commands as one entry of the footer; a click runs the second, or `clicked`."""
    signs = f"{BY_NAME[first].shown} {BY_NAME[second].shown}"
    for name in (first, second):
        is_named = name == (clicked or second)
        yield key_for(name, do, word if is_named else "", signs if is_named else "")

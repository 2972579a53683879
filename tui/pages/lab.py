"""The lab itself: board, log, stats and curve; while stepping, one update from every side.

Before the first game it is made without the engine, which takes 100 ms to load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.tui.blocks.block import Beside, Block, Part, Room, Stack
from afterstate_lab.tui.blocks.lists import Log
from afterstate_lab.tui.blocks.text import LESSON_ROWS, Text
from afterstate_lab.tui.lab.commands import PLAY, STRIDES, arrows
from afterstate_lab.tui.lab.labels import player_label
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Message
from afterstate_lab.tui.pages.page import BOARD_SIZE, PAGE_SIZE, Key, Page, fits
from afterstate_lab.tui.verbs import BY_NAME, COMMANDS

if TYPE_CHECKING:
    from afterstate_lab.tui.blocks.block import Quantity
    from afterstate_lab.tui.blocks.span import Words
    from afterstate_lab.tui.lab.controller import LabController
    from afterstate_lab.tui.lab.microscope.microscope import Microscope
    from afterstate_lab.tui.lab.outcomes import Work
    from afterstate_lab.tui.lab.session import Session

Lit = Callable[[str, Any], Any]
"""Returns a block by its name in lessons, lit if a lesson points to it."""
Do = Callable[..., Any]
"""Runs a command of the lab by name; `cell` and a digit plays a cell."""

LONGEST_PLAYER: Final = 24
SMALL: Final = ("scroll_up", "scroll_down", "lesson", "lesson_back", "theme", "go_home")
"""Commands of all modes that work in a small window."""
PANES: Final = ("choice", "equation")
"""The blocks below the picture of a backup, by their names in lessons."""
BOARD: Final = Room(28, 80, 0.35)
BOARD_ROWS: Final = Room(14, 30, 0.58)
CHOICE: Final = Room(44, 80, 0.6)


def lab_page(lab: LabController, do: Do, size: tuple[int, int] = (80, 24)) -> Page:
    """Return the page of a lab for a terminal's size; `do` runs the command of a key or a click."""
    guide = lab.lessons.guide
    look = "" if guide is None else guide.step.look

    def lit(name: str, block: Any) -> Any:
        return replace(block, spot=True) if name == look else block

    parts: list[Part] = []
    is_small = lab.mode is Mode.PLAY and not fits(size, PAGE_SIZE)
    work: Work | None = None
    if not lab.is_started:
        parts.append(first_body(lab.settings, lit))
        title, right = first_title(lab.settings)
    elif lab.mode is Mode.STEP:
        scope = lab.session.microscope
        if scope is None:
            parts.append(Text(("No event yet.",)))
        else:
            work = lab.session.sweep_work(size[0])
            is_in_full = (lab.session.details and look != "picture") or look in PANES
            rows = size[1] - (0 if guide is None else LESSON_ROWS)
            parts.append(lit("picture", scope.hero(rows, lab.session.walk, is_full=is_in_full)))
            if is_in_full:
                parts.append(details(lab, scope, lit))
            else:
                parts.append(scope.stairs(lab.session.sweep, rows))
        title, right = title_of(lab.session)
    else:
        parts += [run_body(lab, do, lit, is_small=is_small), *film_track(lab, do)]
        title, right = title_of(lab.session)
    return Page(
        lab.mode.value.upper(),
        Stack(parts) if len(parts) > 1 else parts[0],
        keys=tuple(keys_of(lab, do, is_small=is_small)),
        title=title,
        right=right,
        work=work,
        note=lab.session.note if lab.is_started else "",
        select=partial(select, lab, do),
        least=BOARD_SIZE if lab.mode is Mode.PLAY else PAGE_SIZE,
    )


# the keys


def keys_of(lab: LabController, do: Do, *, is_small: bool) -> Iterator[Key]:
    """Yield the keys of the current mode: the footer's, then all others."""
    yield from taught_keys(lab, do, is_small=is_small)
    for command in COMMANDS:
        is_seen = not is_small or command.modes == PLAY or command.name in SMALL
        if command.keys and lab.mode in command.modes and is_seen and command.name != "cell":
            yield key_for(command.name, do)


def key_for(name: str, do: Do, word: str = "", signs: str = "") -> Key:
    """Return a command as a key; without a word the footer hides it."""
    command = BY_NAME[name]
    return Key(" ".join(command.keys), word or command.label, partial(do, name), command.help,
               hidden=not word, signs=signs or command.shown)  # fmt: skip


def taught_keys(lab: LabController, do: Do, *, is_small: bool) -> Iterator[Key]:
    """Yield the footer's keys, the way home last: few, and the same in all modes."""
    mode, session = lab.mode, lab.session if lab.is_started else None
    is_running = session is not None and (session.is_running or session.is_training)
    if mode is Mode.PLAY:
        is_over = session is not None and not session.game_goes_on
        if is_over and not is_small:
            yield key_for("mark", do, "review")
        elif not is_over:
            yield from (Key(digit, "", partial(do, "cell", digit)) for digit in "123456789")
            yield replace(key_for("cell", do, "move"), key="")
        yield from pair("take_back", "put_back", do, "undo", "take_back")
        yield from pair("faster", "slower", do, "hints", "faster")
        yield key_for("new_game", do, "new")
    elif mode is Mode.TRAIN and is_running:
        paused = session is not None and session.training is not None and session.training.is_paused
        yield key_for("run", do, "run" if paused else "pause")
        yield key_for("give_up", do, "stop")
        return
    else:
        step = mode is Mode.STEP
        yield key_for(
            "next_change" if step else "run", do,
            "change" if step else "train" if mode is Mode.TRAIN else ("run", "pause")[is_running],
        )  # fmt: skip
        yield from strides(lab, mode, do)
        details = session is not None and session.details
        if step and details:
            yield from pair("select_back", "select", do, "pick")
        elif is_running or len(STRIDES[mode]) > 1:
            yield from pair("faster", "slower", do, "speed" if is_running else "stride", "faster")
        if step:
            yield key_for("step", do, "less" if details else "more")
            yield key_for("card", do, "card")
        yield Key("n", "new", partial(do, "setup"), BY_NAME["setup"].help, hidden=step)
    yield Key("escape", "home", partial(do, "give_up"))


def strides(lab: LabController, mode: Mode, do: Do) -> Iterator[Key]:
    """Yield the keys that step back and forward by the current stride."""
    ways = STRIDES[mode]
    stride = lab.session.stride if lab.is_started else next(iter(ways))
    for one, way in zip(pair(*arrows(mode), do, stride), ways[stride], strict=True):
        yield replace(one, do=partial(do, way), help=BY_NAME[way].help)


def pair(first: str, second: str, do: Do, word: str, clicked: str = "") -> Iterator[Key]:
    """Yield two commands as one entry of the footer; a click runs the second, or `clicked`."""
    signs = f"{BY_NAME[first].shown} {BY_NAME[second].shown}"
    for name in (first, second):
        is_named = name == (clicked or second)
        yield key_for(name, do, word if is_named else "", signs if is_named else "")


def select(lab: LabController, do: Do, quantity: Quantity) -> Any:
    """Select a clicked number; a second click opens its card."""
    if lab.session.selection == quantity:
        return do("card")
    lab.session.selection = quantity
    lab.session.say(Message(""))
    return None


# the top line


def player_field(label: str) -> str:
    """Return a player for the top line, cropped and without folders."""
    if len(label) > LONGEST_PLAYER:
        label = label.rpartition("/")[2]
    if len(label) > LONGEST_PLAYER:
        label = label.rpartition(".py:")[2]
    return label if len(label) <= LONGEST_PLAYER else f"{label[: LONGEST_PLAYER - 1]}…"


def first_title(settings: Settings) -> tuple[Sequence[tuple[str, str]], Words]:
    watches = settings.mode is Mode.WATCH
    names = [(mark, player_field(player_label(spec)))
             for mark, spec in (("X", settings.x), ("O", settings.o))]  # fmt: skip
    fields = (*names, ("game", "1/1"), ("ply", "0"), ("seed", str(settings.seed)))
    return fields, (("‖ paused", "better"),) if watches else ""


def title_of(session: Session) -> tuple[Sequence[tuple[str, str]], Words]:
    """Return the players, the moment, and what is running or the phase of the update."""
    from afterstate_lab.learners.tape.timeline import PHASES
    from afterstate_lab.tui.lab.panes import fields, player_names, status

    names = zip("XO", map(player_field, player_names(session)), strict=True)
    right: Words = ((status(session), "better"),)
    if session.mode is Mode.STEP:
        phase = session.timeline.phase
        right = "" if phase is None else ((f" {phase + 1} {PHASES[phase]} ", "tag STEP"),)
    return (*names, *fields(session)), right


# the bodies


def first_body(settings: Settings, lit: Lit) -> Part:
    """Return the body before the first game."""
    from afterstate_lab.tui.lab import first_blocks as first

    return four(
        lit("board", first.first_board(settings)),
        lit("log", Log(lines=((("no game yet", "dim"),),))),
        lit("stats", first.first_stats()),
        lit("curve", first.first_curve()),
    )


def four(board: Block, log: Block, stats: Block, curve: Block) -> Part:
    """Return the layout: board and curve on the left, log and stats on the right."""
    board = replace(board, width=BOARD, height=BOARD_ROWS)
    curve = replace(curve, width=BOARD, rank=1, is_asked=True)
    stats = replace(stats, height=Room(9, 11, 0.29), is_asked=True)
    return Beside((Stack((board, curve)), Stack((replace(log, rank=1), stats))))


def run_body(lab: LabController, do: Do, lit: Lit, *, is_small: bool = False) -> Part:
    """Return the board, the log, the stats and the learning curve; a small window has no room for
    the last two.
    """
    from afterstate_lab.tui.lab.log import log_view
    from afterstate_lab.tui.lab.panes import board_view, curve_view, stats_view

    session = lab.session
    mark = partial(do, "mark cell") if session.mode is Mode.PLAY else None
    log = log_view(session, lab.log_offset)
    board = lit("board", replace(board_view(session), clicked=mark))
    told = lit("log", replace(log, clicked=lambda row: do("log line", row, len(log.lines))))
    if is_small:
        return Beside((replace(board, width=BOARD), replace(told, least_columns=BOARD.least)))
    return four(
        board,
        told,
        lit("stats", stats_view(session)),
        lit("curve", curve_view(session)),
    )


def film_track(lab: LabController, do: Do) -> Iterable[Block]:
    """Return the line of the film, if it is open."""
    session = lab.session
    if session.own_film is None or session.is_training:
        return
    from afterstate_lab.tui.lab.film import film_view

    track = film_view(session.own_film, session.timeline)
    yield replace(track, rank=-1, clicked=partial(do, "film part"))


def details(lab: LabController, scope: Microscope, lit: Lit) -> Part:
    """Return what explains the picture of an update: the choice, and the run."""
    from afterstate_lab.tui.lab.panes import break_words

    choice = replace(lit("choice", scope.choice()), width=CHOICE)
    return Beside((choice, replace(run_log(lab), right=break_words(lab.session), least_columns=31)))


def run_log(lab: LabController) -> Block:
    """Return the log, or the result of a what-if of this game."""
    from afterstate_lab.tui.lab.log import log_view

    session = lab.session
    asked = session.what_if
    if asked is not None and asked.is_about(session.run, session.timeline.game):
        from afterstate_lab.tui.lab.log import both_games

        return both_games(asked)
    return log_view(session, lab.log_offset)

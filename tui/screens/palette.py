"""The palette: Textual's without animation, with commands, things and typed text."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from textual import events
from textual.app import App, SystemCommand
from textual.command import CommandList, Hit, Hits, SearchIcon
from textual.containers import Horizontal
from textual.content import Content
from textual.css.query import NoMatches
from textual.system_commands import SystemCommandsProvider
from textual.widgets import Input, LoadingIndicator

from afterstate_lab.game import Board, InvalidBoardError, Side
from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.rules.spec import PlayerSpec, rules
from afterstate_lab.tui.lab.commands import BY_NAME, COMMANDS, Screen
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Open, Outcome, Question
from afterstate_lab.tui.pages.line import read_anywhere
from afterstate_lab.tui.screens.base import DismissOnce, Overlay, PacedScreen, lab_app
from afterstate_lab.tui.screens.page import PageScreen, shown
from afterstate_lab.tui.terminal.textual_internals import OpenPalette

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.listing import RunInfo
    from afterstate_lab.tui.screens.lab import LabScreen

IN_FULL: Final = 1_000.0
"""Higher than any partial match (Textual gives each letter a few points)."""


class LabPalette(DismissOnce, Overlay, OpenPalette):
    """All commands, to be searched by name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._stand_ins: dict[Any, Any] = {
            CommandList: CommandList(),
            "#--input": Horizontal(),
            LoadingIndicator: LoadingIndicator(),
        }

    def query_one(self, selector: Any, expect_type: Any = None) -> Any:
        """Return a widget, or an empty widget if it is not mounted.

        Keys, timers and searches reach a palette before it is composed and while it closes, and
        Textual then asks for its list or a neighbour of it.
        """
        arguments = (selector,) if expect_type is None else (selector, expect_type)
        try:
            return super().query_one(*arguments)
        except NoMatches:
            if selector in self._stand_ins:
                return self._stand_ins[selector]
            raise

    def on_mount(self, event: events.Mount) -> None:
        """Stop the cursor's blinking, which writes endlessly, and the emoji, which some terminals
        lack.
        """
        if self not in self.app.screen_stack:
            event.prevent_default()  # it was left already: Textual's looks for what is under it
        for field in self.query(Input):
            field.cursor_blink = False
        for icon in self.query(SearchIcon):
            icon.icon = ">"

    def move_in_list(self, action: str) -> None:
        """Move in the list, if it is visible."""
        with contextlib.suppress(LookupError):
            super().move_in_list(action)


class LabFinder(SystemCommandsProvider):
    """The palette's titles; first the board or cell that is typed, then a word in full."""

    async def search(self, query: str) -> Hits:
        """Yield what matches a text."""
        async for hit in super().search(query):
            if isinstance(hit, Hit):
                hit.score += IN_FULL * how_full(hit.text or "", query)
            yield hit
        app: Any = self.app
        lab = lab_under(app, self.screen)
        if lab is None:
            return
        for command in (*typed_things(lab, query), *typed_line(lab, query)):
            yield Hit(2 * IN_FULL, Content(command.title), command.callback, help=command.help)


def how_full(title: str, typed: str) -> float:
    """Return 1 if a title explains the typed word, more if it is a command's own word.

    A player is chosen rather than explained.
    """
    word = typed.strip().lower()
    if title.startswith(f"{word} ("):
        return 1.5
    names = title.partition(":")[0].removeprefix("what is ").lower().split(", ")
    return float(title.startswith("what is ") and word in names and word not in rules())


def lab_commands(lab: LabScreen) -> Iterator[SystemCommand]:
    """Yield the commands by their help texts; a command of another mode starts that mode."""
    mode = lab.lazy.mode
    for command in sorted(COMMANDS, key=lambda command: mode not in command.modes):
        is_near = mode in command.modes or bool(command.modes - {Mode.TRAIN})
        if command.help and is_near and command.name != "cell":
            word = command.line or command.label or command.name.replace("_", " ")
            title = f"{word} ({command.shown}): {command.help}"
            yield SystemCommand(title, "", from_lab(lab, partial(perform, lab, command.name)))


def commands_of(screen: PageScreen) -> Iterator[SystemCommand]:
    """Yield the commands of the page; those without words are not in its footer."""
    for key in screen.page.keys if screen.page is not None else ():
        if key.word and key.key and key.word != "back":
            title = f"{key.word} ({shown(key)}): {key.help}"
            yield SystemCommand(title, "", once(partial(screen.do, key)))


def lab_under(app: App[Any], screen: object) -> LabScreen | None:
    """Return the lab under a palette; None over a question or a help page."""
    from afterstate_lab.tui.screens.lab import LabScreen

    if not isinstance(screen, PacedScreen):
        return None
    return next((one for one in app.screen_stack if isinstance(one, LabScreen)), None)


def perform(lab: LabScreen, name: str, *given: str) -> None:
    """Run a command, in a mode in which it works."""
    modes = BY_NAME[name].modes
    if lab.lazy.mode not in modes:
        lab.action_perform(next(mode for mode in Mode if mode in modes - {Mode.TRAIN}).value)
    if lab.lazy.mode in modes:
        lab.action_perform(name, *given)


def typed_line(lab: LabScreen, typed: str) -> Iterator[SystemCommand]:
    """Yield a typed command such as `break flip` or `go 424.3`, in this mode or another."""
    text = " ".join(typed.split())
    line, mode = read_anywhere(text, lab.lazy.mode) or (None, None)
    if line is not None and mode is not None and (line.rest or line.command.keys):
        do = from_lab(lab, partial(lab.do_line, line, mode))
        yield SystemCommand(f"{text}: {line.command.help or line.plain.help}", "", do)


def named_things(lab: LabScreen) -> Iterator[SystemCommand]:
    """Yield players, recipes, lessons, experiments, saved runs, and words to explain."""
    from afterstate_lab.learners.experiments.plan import catalogue
    from afterstate_lab.learners.players.recipes import recipes
    from afterstate_lab.tui.lab.glossary import glossary
    from afterstate_lab.tui.lab.scripts.script import NAMES
    from afterstate_lab.tui.pages.lessons import lesson_items

    seed = lab.lazy.settings.seed
    for title, settings in players(lab):
        yield SystemCommand(title, "", from_lab(lab, partial(lab.set_up, settings)))
    for recipe in recipes().values():
        begin = partial(lab.set_up, Settings(*recipe.players, seed))
        title = f"recipe {recipe.name}: {recipe.title}"
        yield SystemCommand(title, recipe.did, from_lab(lab, begin))
    for name, (_, title, about, how_far) in zip(NAMES, lesson_items(), strict=True):
        start = partial(begin_lesson, lab, name)
        yield SystemCommand(f"lesson {title}", f"{about} ({how_far})", from_lab(lab, start))
    for plan in catalogue():
        show = partial(lab.open_plan, plan.name)
        title = f"experiment {plan.title} ({plan.source})"
        yield SystemCommand(title, plan.question, from_lab(lab, show))
    for run in saved_runs(lab):
        title = f"run {run.name}: {run.x} v {run.o}, {run.games:,} games"
        yield SystemCommand(title, run.note, from_lab(lab, partial(open_run, lab, run)))
    for word in glossary():
        if word.group not in ("commands", "keys"):
            said = f"what is {', '.join(word.names)}: {word.says}"
            yield SystemCommand(said, "", once(partial(lab_app(lab).explain, word.word)))


def players(lab: LabScreen) -> Iterator[tuple[str, Settings]]:
    """Yield every player for each side, with the other side unchanged."""
    now = lab.session.settings if lab.lazy.is_started else lab.lazy.settings
    for name, rule in rules().items():
        kind = "learner" if rule.learns else "opponent"
        for side in (Side.O, Side.X):
            with contextlib.suppress(UsageError):
                spec = PlayerSpec.parse(name)
                rule.check_side(side)
                x, o = (spec, now.o) if side is Side.X else (now.x, spec)
                if not (x.rule.human and o.rule.human):
                    title = f"choose {kind} {name} as {'XO'[side]}: {rule.summary}"
                    yield title, Settings(x, o, now.seed)


def saved_runs(lab: LabScreen) -> list[RunInfo]:
    """Return the saved runs; empty if they cannot be read."""
    from afterstate_lab.tui.lab.saved_runs import store

    with contextlib.suppress(UsageError, OSError):
        if lab.controller.current.autosave is not None:
            return store().list()
    return []


def begin_lesson(lab: LabScreen, name: str) -> None:
    lab.take(lab.controller.lessons.begin(name))


def open_run(lab: LabScreen, run: RunInfo) -> None:
    lab.take(lab.controller.saved.open_run(run))


def from_lab(lab: LabScreen, do: Callable[[], object]) -> Callable[[], None]:
    """Return a function that does something in the lab once, with no screen in front."""

    def done() -> None:
        for screen in tuple(lab.app.screen_stack):
            if isinstance(screen, PacedScreen) and screen is not lab:
                screen.dismiss(None)
        do()

    return once(done)


def once(do: Callable[[], object]) -> Callable[[], None]:
    """Return a function that works once: Textual's palette calls it for every Enter of a packet."""
    left = [do]

    def done() -> None:
        while left:
            left.pop()()

    return done


def typed_things(lab: LabScreen, typed: str) -> Iterator[SystemCommand]:
    """Yield the commands for a board (`XO..X....`, `?` for any mark) or a cell (`5`, `cell 5`)."""
    text = re.sub(r"[\s/]", "", typed).upper().replace("_", ".")
    cell = re.fullmatch(r"(?:CELL)?([1-9])", text)
    if cell is not None:
        yield from on_cell(lab, cell[1])
    elif re.fullmatch(r"[XO.?]{9}", text) and ("?" in text or is_board(text)):
        yield from on_board(lab, text)


def is_board(text: str) -> bool:
    """Return whether a game can reach a board."""
    try:
        Board.parse(text)
    except InvalidBoardError:
        return False
    return True


def on_cell(lab: LabScreen, cell: str) -> Iterator[SystemCommand]:
    """Yield what to do at a cell: mark it, or play it instead of the current move."""
    mark = from_lab(lab, partial(perform, lab, "cell", cell))
    yield SystemCommand(f"cell {cell}: mark it in your game", "", mark)
    if lab.lazy.mode is Mode.STEP:
        fork = from_lab(lab, partial(fork_at, lab, cell))
        yield SystemCommand(f"cell {cell}: play it here instead, in a new branch", "", fork)


def fork_at(lab: LabScreen, cell: str) -> None:
    """Play a cell instead of the current move."""
    asked = lab.controller.perform("fork")
    lab.take(asked.answer(cell) if isinstance(asked, Question) else asked)


def on_board(lab: LabScreen, board: str) -> Iterator[SystemCommand]:
    """Yield the commands for a board: its values, and its matchbox if it has one."""
    table: Outcome = Open(Screen.TABLE, board)
    show = from_lab(lab, partial(lab.take, table))
    yield SystemCommand(f"board {board}: its values, visits and exact values", "", show)
    if lab.lazy.is_started and "?" not in board:
        from afterstate_lab.tui.lab.matchbox import box_of

        box = box_of(lab.session, Board.parse(board), lab.session.timeline.v)
        if box is not None:
            opened = Open(Screen.MATCHBOX, (box,))
            look = from_lab(lab, partial(lab.take, opened))
            yield SystemCommand(f"board {board}: its matchbox", "", look)

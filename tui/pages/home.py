"""Home: a short introduction, the last run, and the main menu.

It is painted first, without the engine. Next to the menu it shows the board of the current run, or
a recording: X's values of the nine opening moves while two `td` learners play each other. Playing
it would need numpy and 25 MB; a test replays it and compares every number.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.toml_reader import packaged
from afterstate_lab.tui.blocks import (
    Beside,
    Cells,
    CellView,
    HeatScale,
    Item,
    Menu,
    Stack,
    Text,
    Window,
)
from afterstate_lab.tui.lab.autosave import games_of, is_worth_saving
from afterstate_lab.tui.lab.labels import ago, players_of
from afterstate_lab.tui.lab.outcomes import Open
from afterstate_lab.tui.pages.lab import key_for
from afterstate_lab.tui.pages.page import Key, LabController, Leave, Opened, Page, Work
from afterstate_lab.tui.theme.numerals import games_text
from afterstate_lab.tui.verbs import BY_NAME

if TYPE_CHECKING:
    from afterstate_lab.learners.runs.listing import RunInfo

SEED: Final = 0
"""Of the recorded run."""
TOLD: Final = packaged(Path(__file__).with_suffix(".toml"))
"""Texts and the frames of the recording."""
FRAMES, WAYS = TOLD["frames"], TOLD["ways"]
LOOKING: Final = "Looking for your last run…"
BESIDES: Final = ("runs", "experiments")
"""Other commands on home."""
FONT: Final = "Boxes or dots look wrong? afterstate --ascii"
PICTURE_SECONDS = 0.7
"""Seconds between two frames of the recording."""
LEGEND_ROWS: Final = 7
MENU_COLUMNS: Final = 52


class Home:
    """The state of home, and its menu."""

    def __init__(self, lab: LabController) -> None:
        self._lab = lab
        self.at = Window()
        self.frame = 0
        """The current frame of the recording."""
        self.note, lab.trouble = lab.trouble, ""
        self.is_looking = not self._is_under_way and lab.autosave is not None

    @property
    def _is_under_way(self) -> bool:
        """Whether this lab has something to return to."""
        return self._lab.is_started and is_worth_saving(self._lab.session)

    def _take_run(self, found: RunInfo | str | None) -> None:
        """Offer to continue a run, or explain why saved runs cannot be read."""
        self.is_looking = False
        if isinstance(found, str):
            self.note = found
            return
        self._lab.hint = found
        if found is not None and self.at.cursor:
            self.at.cursor += 1

    def tick(self, result: None = None) -> None:
        """Show the next frame of the recording; the last stays."""
        self.frame = min(self.frame + 1, len(FRAMES) - 1)

    # what can be chosen

    @property
    def names(self) -> list[str]:
        """The commands of the menu, at most seven."""
        has_more = self._is_under_way or self._lab.hint is not None
        return ["continue"] * has_more + [*WAYS]

    def choose(self, name: str) -> Any:
        """Run the command of an item or a key; what is not a page comes in the lab."""
        self.note, lab, outcome = "", self._lab, None
        if name != "continue":
            outcome = lab.perform(name)
        elif name not in self.names:
            raise UsageError(LOOKING if self.is_looking else "No saved run yet.")
        elif lab.hint is not None and not self._is_under_way:
            outcome = lab.open_run(lab.hint)
        if name == "watch":
            lab.session.is_running = not lab.session.owes_a_move
        return outcome if isinstance(outcome, Open) or outcome == "" else Leave(outcome)

    # what is shown

    def page(self) -> Page:
        work = None
        if self.is_looking:
            work = Work(lambda stop: self._lab.find_hint(), then=self._take_run)
        elif not self._is_under_way and self.frame < len(FRAMES) - 1:
            work = Work(lambda stop: None, PICTURE_SECONDS, then=self.tick)
        says = "continue where you were"
        return Page(
            "HOME",
            Beside((self.board(), self.menu())),
            keys=(
                Key("c", "continue", lambda: self.choose("continue"), says, hidden=True),
                *(key_for(name, self.choose) for name in WAYS),
                Key(
                    "enter",
                    "open",
                    lambda: self.choose(self.names[self.at.cursor]),
                    "do what is selected",
                    hidden=True,
                ),
                Key("n o", "new", lambda: self.choose("setup"), BY_NAME["setup"].help),
                *(key_for(name, self.choose, name) for name in BESIDES),
                key_for("theme", self.choose),
                Key("escape", "", Leave, "to the lab"),
                Key("q", "quit", partial(self._lab.perform, "quit"), BY_NAME["quit"].help),
            ),
            work=work,
            of_run=True,
        )

    def menu(self) -> Menu:
        dim = LOOKING if self.is_looking else self._lab.remark
        return Menu(
            title="tic-tac-toe, learned from scratch",
            about=TOLD["about"],
            items=[self._item(name) for name in self.names],
            at=self.at,
            least_columns=MENU_COLUMNS,
            spot=True,
            remark=((self.note, "remark"),) if self.note else ((dim, "dim"),),
            clicked=lambda row: self.choose(self.names[row]),
        )

    def _item(self, name: str) -> Item:
        lab = self._lab
        if name == "continue":
            if lab.hint is not None and not self._is_under_way:
                hint, place = lab.hint, games_text(lab.hint.games)
                if hint.in_game:
                    place = f"game {hint.games + 1:,}, your move"
                says = f"{players_of(hint)}, {place}."
                return Item("c", f"continue {hint.name}", says, ago(hint.updated))
            session, game = lab.session, f"Game {lab.session.timeline.game + 1:,}"
            says = f"{game}, your move." if session.waits else f"{game} of {session.run.games:,}."
            if session.is_training:
                says = f"Training: {games_text(games_of(session))} so far."
            return Item("c", name, says)
        title, says = WAYS[name]
        if name == "play":
            games = games_of(lab.session) if lab.is_started else 0
            says = "A beginner: it has never played. Beat it."
            if games:
                says = f"It played {games_text(games)}. Can you win?"
        return Item(BY_NAME[name].shown, title, says)

    def board(self) -> Stack:
        """Return the board of the current run, or of the recording, and its caption."""
        if self._is_under_way:
            from afterstate_lab.tui.lab.panes import board_view

            run = self._lab.session.run
            caption = Text((f"{run.x} v {run.o}",), LEGEND_ROWS, title="where you were", rank=1)
            return Stack((board_view(self._lab.session), caption))
        frame = FRAMES[self.frame]
        games, values = games_text(frame["games"]), [value / 1000 for value in frame["values"]]
        scale, best = HeatScale(values, (1.0, 0.5, 0.0)), max(values)
        cells = [
            CellView(label=str(n), value=v, heat=scale.heat(v), best=v == best > scale.low)
            for n, v in enumerate(values, 1)
        ]
        now = f"After {games}, {frame['beatable']} can be beaten."
        told = (TOLD["legend"], "", ((now, "strong"),))
        caption = Text(told, LEGEND_ROWS, title="recorded earlier", rank=1)
        return Stack((Cells(cells=cells, right=games, scale=scale), caption))


def open_on(lab: LabController, data: None, text: str) -> Opened:
    return Home(lab).page

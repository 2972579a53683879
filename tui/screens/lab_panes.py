"""The panes of the lab: what each shows, and how much room it gets."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size
from textual.widget import Widget

from afterstate_lab.tui.lab import lazy_session
from afterstate_lab.tui.lab.commands import footer
from afterstate_lab.tui.lab.lazy_session import LazySession
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.screens.base import SMALLEST
from afterstate_lab.tui.screens.zoom import keys_of_zoom
from afterstate_lab.tui.theme.look import Look
from afterstate_lab.tui.views.lab import KeysView
from afterstate_lab.tui.widgets.block_pane import BlockPane
from afterstate_lab.tui.widgets.cards import TOUR_ROWS, TooSmall, TourPane
from afterstate_lab.tui.widgets.mode_line import KeyBar, ModeLine
from afterstate_lab.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from afterstate_lab.tui.lab.session import Session

WIDEST = 160
"""From so many columns on the board and the curve have half of them."""
LEAST_CURVE = 12
"""Rows that the board leaves to the curve below it, where it could have more."""


class LabPanes:
    """All panes of the lab.

    Args:
        lazy: the session that they show, or what is shown before there is one.
        look: colours and characters.
    """

    def __init__(self, lazy: LazySession, look: Look) -> None:
        self._lazy = lazy
        self.mode_line = ModeLine(look=look)
        self.board = BlockPane(look=look)
        self.curve = BlockPane(look=look)
        self.log_ = BlockPane(look=look)
        self.stats = BlockPane(look=look)
        self.too_small = TooSmall(look=look, id="too-small")
        self.tour = TourPane(look=look)
        self.tour.display = False
        self.film = BlockPane(look=look)
        self.film.styles.height = 1
        self.film.display = False
        self.keys = KeyBar(look=look)
        self._left = Container(self.board, self.curve, id="left")
        self._middle = Container(
            self._left, Container(self.log_, self.stats, id="right"), id="panes"
        )
        self._look = look
        self._size = Size(80, 24)
        self._lit: tuple[str, Pane[Any]] | None = None
        """The pane in the spotlight, by its name in a lesson."""

    def rows(self) -> tuple[Widget, ...]:
        """All that is in the lab from top to bottom; the microscope's panes come when wanted."""
        return self.mode_line, self._middle, self.film, self.too_small, self.tour, self.keys

    @cached_property
    def microscope(self) -> MicroscopePanes:
        """The panes of one update, made when they are first wanted."""
        microscope = MicroscopePanes(self._look)
        self._middle.screen.mount(microscope, after=self._middle)
        microscope.make_room(self._size, self._rows)
        return microscope

    @property
    def has_microscope(self) -> bool:
        """Whether those are there."""
        return "microscope" in self.__dict__

    def wear(self, look: Look) -> None:
        """Show everything in other colours."""
        self._look = look
        microscope = self.microscope.all() if self.has_microscope else ()
        for pane in (*vars(self).values(), *microscope):
            if isinstance(pane, Pane):
                pane.look = look

    def arrange(self, size: Size) -> None:
        """Give each pane its room in a terminal of this size."""
        self._size = size
        columns, rows = size.width, self._rows
        middle = rows - 2
        if columns >= WIDEST:
            left = max(28, min(columns // 2, 3 * (middle - LEAST_CURVE)))
            high = max(11, min(left * 9 // 20 + 2, middle * 2 // 3))
        else:
            left = min(max(28, columns * 2 // 5 - 4), max(28, 2 * (middle - LEAST_CURVE)))
            high = max(11, left * 9 // 20 + 2, min(left // 2, middle * 5 // 8))
        self._left.styles.width = left
        self.board.styles.height = min(middle - 6, high)
        self.stats.styles.height = 9 if rows < 30 else 11
        if self.has_microscope:
            self.microscope.make_room(size, rows)

    @property
    def _rows(self) -> int:
        """The rows that are left for the lab."""
        return self._size.height - self.rows_of_tour - self.film.display

    @property
    def _footer(self) -> tuple[tuple[str, str], ...]:
        """The keys that do something now."""
        lazy = self._lazy
        is_empty = not lazy.is_started or not (
            lazy.session.run.games or lazy.session.timeline.recording.size
        )
        is_over = lazy.is_started and (
            not lazy.session.game_goes_on
            if lazy.mode is Mode.PLAY
            else not lazy.session.is_training
        )
        return footer(lazy.mode, is_empty=is_empty, is_over=is_over)

    @property
    def _shows_film(self) -> bool:
        """Whether the film of the run is open, where it is watched or was trained."""
        if not self._lazy.is_started or self._lazy.mode not in (Mode.WATCH, Mode.TRAIN):
            return False
        session = self._lazy.session
        film = session.film
        return film is not None and film.run is session.run and not session.is_training

    @property
    def rows_of_tour(self) -> int:
        """The rows that the card of a tour takes."""
        return TOUR_ROWS if self.tour.display else 0

    @property
    def fits(self) -> bool:
        """Whether the terminal is large enough for the lab."""
        return self._size.width >= SMALLEST.width and self._size.height >= SMALLEST.height

    def redraw(self, offset: int) -> None:
        """Show the session as it is; hidden panes are left alone."""
        mode = self._lazy.mode
        fits, stepping = self.fits, mode is Mode.STEP
        has_film = fits and self._shows_film
        if self.film.display != has_film:
            self.film.display = has_film
            self.arrange(self._size)
        self._middle.display = fits and not stepping
        if stepping or self.has_microscope:
            self.microscope.display = fits and stepping
        self.too_small.display = not fits
        self.mode_line.display = self.keys.display = fits
        if not fits:
            self.too_small.view = (self._size.width, self._size.height, *SMALLEST)
            return
        self.keys.view = KeysView(self._footer)
        if not self._lazy.is_started:
            self._open()
            return
        from afterstate_lab.tui.lab.panes import mode_view

        session = self._lazy.session
        self.mode_line.view = mode_view(session)
        if stepping:
            self.microscope.draw(session, offset)
        else:
            self._draw(session, offset)

    def light(self, name: str) -> None:
        """Light the frame of a pane that a lesson talks of, and of no other."""
        if self._lit is not None and self._lit[0] == name:
            return
        panes: dict[str, Pane[Any]] = {
            "board": self.board, "log": self.log_, "stats": self.stats, "curve": self.curve,
        }  # fmt: skip
        if self.has_microscope:
            scope = self.microscope
            panes |= {
                "state": scope.afterstate, "next state": scope.next_afterstate,
                "choice": scope.choice, "equation": scope.update_, "diagram": scope.diagram,
                "values": scope.entries, "life": scope.life,
            }  # fmt: skip
        lit = panes.get(name)
        if self._lit is not None:
            self._lit[1].is_lit = False
        self._lit = None if lit is None else (name, lit)
        if lit is not None:
            lit.is_lit = True

    def show_zoom_keys(self) -> None:
        """Say first how to show all panes again, while one is alone."""
        if self.keys.view is not None:
            self.keys.view = KeysView((*keys_of_zoom(), *self._footer))

    def _draw(self, session: Session, offset: int) -> None:
        """Show board, log, stats and curve; the engine comes with the session."""
        from afterstate_lab.tui.lab.board import board_view
        from afterstate_lab.tui.lab.coach import board_message
        from afterstate_lab.tui.lab.log import log_view
        from afterstate_lab.tui.lab.panes import curve_view, stats_view

        if session.film is not None:
            from afterstate_lab.tui.lab.film import film_view

            self.film.view = film_view(session)
        self.board.view = board_view(session, board_message(session))
        self.log_.view = log_view(session, offset)
        self.stats.view = stats_view(session)
        self.curve.view = curve_view(session)

    def _open(self) -> None:
        settings = self._lazy.settings
        self.mode_line.view = lazy_session.first_mode(settings)
        self.board.view = lazy_session.first_board(settings)
        self.log_.view = lazy_session.first_log()
        self.stats.view = lazy_session.first_stats()
        self.curve.view = lazy_session.first_curve()


class MicroscopePanes(Container):
    """Two states, the choice, the equation, the backup diagram, and what surrounds them.

    Args:
        look: colours and characters.
    """

    def __init__(self, look: Look) -> None:
        super().__init__(id="microscope")
        self.afterstate = BlockPane(look=look)
        self.next_afterstate = BlockPane(look=look)
        self.choice = BlockPane(look=look)
        self.update_ = BlockPane(look=look)
        self.diagram = BlockPane(look=look)
        self.entries = BlockPane(look=look)
        self.life = BlockPane(look=look)
        self.log_ = BlockPane(look=look)
        self.curve = BlockPane(look=look)
        self.states = Container(self.afterstate, self.next_afterstate, self.choice, classes="row")
        self.diagrams = Container(self.diagram, self.entries, self.life, classes="row")
        self.around = Container(self.log_, self.curve, classes="row")

    def all(self) -> tuple[Pane[Any], ...]:
        return tuple(pane for pane in vars(self).values() if isinstance(pane, Pane))

    def compose(self) -> ComposeResult:
        """Three rows and the equation."""
        yield self.states
        yield self.update_
        yield self.diagrams
        yield self.around

    def make_room(self, size: Size, rows: int) -> None:
        """Give each pane its room: on wide terminals tables and curves grow, and the words stay.

        Args:
            size: the terminal's.
            rows: those of them that are left for the lab.
        """
        tall, high = rows >= 36, rows >= 50
        wide, widest = size.width >= 110, size.width >= WIDEST
        state = 36 if widest else 30 if wide else 21
        above = 15 if high and widest else 13 if high else 11 if tall else 7 if rows >= 20 else 6
        self.states.styles.height = above
        self.afterstate.styles.width = state
        self.next_afterstate.styles.width = state
        self.update_.styles.height = 8 if tall and (widest or not high) else 10 if high else 7
        self.diagram.styles.width = 54 if widest else 46 if wide else 41
        self.diagrams.styles.height = "1fr" if not tall else rows - 43 if high else 11
        self.around.display = tall
        self.life.display = wide
        self.life.styles.width = size.width // 2 - 10 if widest else 36
        self.log_.styles.width = size.width // 2 - (20 if widest else 10 if wide else 0)

    def draw(self, session: Session, offset: int) -> None:
        """Show one update from all sides; the engine comes with the session."""
        from afterstate_lab.tui.blocks.choice import Choice
        from afterstate_lab.tui.blocks.diagram import Diagram
        from afterstate_lab.tui.blocks.entries import Entries
        from afterstate_lab.tui.blocks.equation import Equation
        from afterstate_lab.tui.blocks.small_board import SmallBoard
        from afterstate_lab.tui.lab.log import log_view
        from afterstate_lab.tui.lab.microscope.entries import value_history_view
        from afterstate_lab.tui.lab.panes import break_words, curve_view
        from afterstate_lab.tui.lab.searches import microscope_of

        scope = microscope_of(session)
        if scope is None:
            self.afterstate.view = SmallBoard("." * 9, title="Sₜ")
            self.next_afterstate.view = SmallBoard("." * 9, title="Sₜ₊₁")
            self.choice.view = Choice()
            self.update_.view = Equation(words="No event yet.", notice=session.note)
            self.diagram.view = Diagram(title="backup diagram")
            self.entries.view = Entries(title="entries changed", right="v* exact")
        else:
            self.afterstate.view = scope.afterstate()
            self.next_afterstate.view = scope.next_afterstate()
            self.choice.view = scope.choice()
            equation = scope.equation()
            selection = (*equation.selection, *break_words(session))
            self.update_.view = replace(equation, notice=session.note, selection=selection)
            self.diagram.view = scope.diagram()
            self.entries.view = scope.entries()
            if self.life.display:
                self.life.view = value_history_view(session, scope.context, scope.selected)
        if self.around.display:
            asked = session.what_if
            if asked is not None and asked.is_about(session.run, session.timeline.game):
                from afterstate_lab.tui.lab.what_if import summary_view

                self.log_.view = summary_view(asked, self.log_.size.height - 2)
            else:
                self.log_.view = log_view(session, offset)
            self.curve.view = curve_view(session)

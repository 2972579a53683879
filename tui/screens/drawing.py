"""What the panes show of a session. Imported with the first session: it brings the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.lab.board import board_view
from tui.lab.coach import glance
from tui.lab.log import log_view
from tui.lab.mode import mode_view
from tui.lab.stats import curve_view, stats_view

if TYPE_CHECKING:
    from tui.lab.session import Session
    from tui.screens.lab_panes import LabPanes
    from tui.screens.microscope_panes import MicroscopePanes


def draw_mode(panes: LabPanes, session: Session) -> None:
    """The mode line."""
    panes.mode_line.view = mode_view(session)


def draw_lab(panes: LabPanes, session: Session, offset: int) -> None:
    """Board, log, stats and curve; the log scrolled back by so many lines."""
    panes.board.view = board_view(session, glance(session))
    panes.log_.view = log_view(session, offset)
    panes.stats.view = stats_view(session)
    panes.curve.view = curve_view(session)


def draw_microscope(panes: MicroscopePanes, session: Session, offset: int) -> None:
    """One update from all sides."""
    from tui.lab.microscope.entries import value_history_view
    from tui.lab.microscope.microscope import Microscope
    from tui.lab.microscope.update import current_update
    from tui.views.update import AfterstateView, ChoiceView, DiagramView, EntriesView, UpdateView

    update = current_update(session.timeline)
    if update is None:
        panes.afterstate.view = AfterstateView("." * 9, "Sₜ")
        panes.next_afterstate.view = AfterstateView("." * 9, "Sₜ₊₁")
        panes.choice.view = ChoiceView(())
        panes.update_.view = UpdateView((), words=glance(session) or "No event yet.")
        panes.diagram.view = DiagramView(())
        panes.entries.view = EntriesView(())
    else:
        scope = Microscope(session.timeline, update, session.selection)
        panes.afterstate.view = scope.afterstate()
        panes.next_afterstate.view = scope.next_afterstate()
        panes.choice.view = scope.choice()
        equation = scope.equation()
        panes.update_.view = replace(equation, words=session.note) if session.note else equation
        panes.diagram.view = scope.diagram()
        panes.entries.view = scope.entries()
        if panes.life.display:
            panes.life.view = value_history_view(session, scope.update, scope.selected, scope.v)
    if panes.around.display:
        supposed = session.supposed
        if supposed is not None and supposed.is_about(session.run, session.timeline.game):
            panes.log_.view = supposed.seen(panes.log_.size.height - 2)
        else:
            panes.log_.view = log_view(session, offset)
        panes.curve.view = curve_view(session)

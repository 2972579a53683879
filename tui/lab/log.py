"""The log as it is shown: earlier games in a line each, the game of now event by event."""

from __future__ import annotations

from dataclasses import replace

from learners.judge.figures import BEATABLE
from learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from learners.tape.timeline import GameSummary
from tui.lab.coach import coach_sentence
from tui.lab.history import History
from tui.lab.labels import entry_label, result_mark, side_role
from tui.lab.modes import Mode
from tui.lab.outcomes import MessageKind
from tui.lab.session import Session
from tui.theme.numerals import decimals, short, signed
from tui.views.log import LogView
from tui.views.words import Words

EARLIER = 12
"""Earlier games in the log."""


def log_view(session: Session, offset: int = 0) -> LogView:
    """The log pane; at its end the long messages, and why nothing is saved."""
    if session.mode is Mode.TRAIN:
        view = training_log(session.history, offset)
    else:
        view = games_log(session, offset)
    texts = (session.text_of(MessageKind.LOG), session.text_of(MessageKind.TROUBLE))
    messages = [((text, "remark"),) for text in texts if text]
    return replace(view, lines=(*view.lines, *messages)) if messages else view


def games_log(session: Session, offset: int) -> LogView:
    """Games that are over in a line each, and the events of the game of now."""
    timeline = session.timeline
    game = timeline.game
    lines: list[Words] = []
    for number in range(max(0, game - EARLIER), game):
        summary = timeline.summaries.get(number)
        if summary is not None:
            lines.append(summary_line(summary))
    events = timeline.events_so_far()
    lines += [event_line(event) for event in events]
    cursor = len(lines) - 1 if events else None
    if session.mode is Mode.PLAY:
        lines.append(((coach_sentence(session), "text"),))
    if not lines:
        lines = [(("no game yet", "dim"),)]
    return LogView(lines=tuple(lines), cursor=cursor, offset=offset, jump=4)


def summary_line(summary: GameSummary) -> Words:
    """A game that is over."""
    mark, role = result_mark(summary.result)
    words = [(f"{summary.game + 1:,} ", "dim"), (mark, role)]
    words.append((f"  {summary.plies} plies  max|δ| {decimals(summary.largest_error)}", "dim"))
    if summary.exploratory:
        words.append((f"  {summary.exploratory} explored", "dim"))
    if summary.resigned:
        words.append(("  resigned", "dim"))
    return tuple(words)


def event_line(event: Event) -> Words:
    """An event of the game of now."""
    if isinstance(event, Move):
        exploring = event.exploratory
        said = "exploratory" if exploring else event.choice
        if event.choice == "scripted":
            said = "played"
        return (
            (f"{event.player}→{event.cell + 1}", side_role(event.player, strong=True)),
            (f" {said}", "remark" if exploring else "dim"),
        )
    if isinstance(event, Backup):
        return (
            ("  backup ", "dim"),
            (entry_label(event), side_role(event.player)),
            (f" {decimals(event.old, 5)}→", "dim"),
            (decimals(event.new, 5), "strong"),
            (f" δ{signed(event.error, 4)}", "worse" if event.error < 0 else "better"),
        )
    if isinstance(event, NoBackup):
        return (
            ("  no backup ", "remark"),
            (entry_label(event), side_role(event.player)),
            (f" {event.reason} move", "dim"),
        )
    if isinstance(event, GameOver):
        mark, role = result_mark(event.result)
        if event.result == "draw":
            return ((f"game {event.game + 1:,} drawn", "strong"),)
        how = " wins, the other resigned" if event.resigned else " wins"
        return ((mark, role), (f"{how} game {event.game + 1:,}", "text"))
    raise TypeError(f"no such event: {event!r}")


def training_log(history: History, offset: int) -> LogView:
    """Training: a line for each point of the learning curve."""
    lines: list[Words] = []
    for point in history.points:
        x, o = point.evaluation or (None, None)
        verdicts = []
        for mark, side in (("X", x), ("O", o)):
            if side is not None:
                beatable = side[BEATABLE]
                verdicts.append((f"  {mark} ", side_role(mark, strong=True)))
                verdicts.append(
                    ("beatable" if beatable else "unbeatable", "worse" if beatable else "better")
                )
        shares = " ".join(decimals(point.share(which), 2) for which in range(3))
        lines.append(((f"{short(point.games):>6}", "text"), (f"  {shares}", "dim"), *verdicts))
    return LogView(lines=tuple(lines), offset=offset, jump=4, right="games  X = O")

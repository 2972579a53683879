"""The mode line as it is shown."""

from __future__ import annotations

from game import Side
from learners.tape.events import Backup, NoBackup
from learners.tape.timeline import PHASES
from tui.lab.modes import Mode
from tui.lab.player_label import player_label
from tui.lab.session import Session
from tui.theme.numerals import count, duration, short
from tui.views.mode import ModeView


def mode_view(session: Session) -> ModeView:
    """The top line."""
    human = session.mode is Mode.PLAY
    labels = [player_label(spec) for spec in (session.run.x, session.run.o)]
    if human:
        labels[Side.parse(session.human)] = "you"
    return ModeView(
        mode=session.mode.value.upper(),
        x=labels[0],
        o=labels[1],
        fields=fields(session),
        status=status(session),
        phases=PHASES if session.mode is Mode.STEP else (),
        phase=session.timeline.phase if session.mode is Mode.STEP else None,
    )


def fields(session: Session) -> tuple[tuple[str, str], ...]:
    """Game, ply, and what else belongs to the mode."""
    timeline = session.timeline
    if session.mode is Mode.TRAIN:
        games = session.run.games if session.snapshot is None else session.snapshot.games
        return (("games", count(games)), ("seed", str(session.run.seed)))
    newest = max(session.run.games, timeline.recording.last, 1)
    game = ("game", f"{timeline.game + 1:,}/{newest:,}")
    if session.mode is Mode.STEP:
        rows = timeline.rows
        told = [game, ("event", f"{timeline.row - rows.start + 1}/{len(rows)}")]
        event = timeline.event
        if isinstance(event, Backup | NoBackup):
            told.append(("", event.player))
        return tuple(told)
    return (game, ("ply", str(session.board.ply)), ("seed", str(session.run.seed)))


def status(session: Session) -> str:
    """What goes on, at the right end."""
    if session.mode is Mode.TRAIN:
        shot = session.snapshot
        if shot is None:
            return ""
        if session.training is None:
            return f"{count(shot.done)} games in {taken(shot.seconds)}"
        if session.training.is_paused:
            return "‖ paused"
        left = f"  {duration(shot.seconds_left)} left" if shot.seconds_left is not None else ""
        return f"▶ {short(shot.rate)}/s{left}"
    if session.mode is Mode.WATCH:
        return f"▶ {session.speed:g}/s" if session.is_running else "‖ paused"
    if session.mode is Mode.PLAY:
        return "learns" if session.learner_learns else "frozen"
    return ""


def taken(seconds: float) -> str:
    """The time that something took: `1.8 s`, `2:05`."""
    return f"{seconds:.1f} s" if seconds < 60 else duration(seconds)

"""The mode line, the stats and the learning curve."""

from __future__ import annotations

from itertools import starmap
from typing import Any

from afterstate_lab.learners.judge import figures as f
from afterstate_lab.learners.judge.curve import Point
from afterstate_lab.learners.judge.evaluation import Evaluation
from afterstate_lab.learners.judge.figures import BEATABLE
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.tape.seating import Seat
from afterstate_lab.tui.blocks.curve import Curve, Series
from afterstate_lab.tui.blocks.span import Words
from afterstate_lab.tui.blocks.stats import SideStats, Stats
from afterstate_lab.tui.lab.first_blocks import first_curve, training_notes
from afterstate_lab.tui.lab.labels import SHORT, player_label
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.session import Session
from afterstate_lab.tui.theme.numerals import count, duration, short


def player_names(session: Session) -> list[str]:
    """Return short names of X and O; a person is `you`."""
    labels = [player_label(spec) for spec in (session.run.x, session.run.o)]
    return ["you" if on else label for label, on in zip(labels, people(session), strict=True)]


def people(session: Session) -> tuple[bool, bool]:
    """Return whether a person plays X, and O, in the current game."""
    seats = session.run.seating_of(session.timeline.game)
    is_training = session.mode is Mode.TRAIN
    return (
        seats.x is Seat.HUMAN and not is_training,
        seats.o is Seat.HUMAN and not is_training,
    )


def fields(session: Session) -> tuple[tuple[str, str], ...]:
    """Return the mode line's fields: game, ply and details of the mode."""
    timeline = session.timeline
    if session.mode is Mode.TRAIN:
        games = session.run.games if session.snapshot is None else session.snapshot.games
        return (("games", count(games)), ("seed", str(session.run.seed)))
    newest = max(session.run.games, timeline.game + 1)
    game = ("game", f"{timeline.game + 1:,}/{newest:,}")
    if session.mode is Mode.STEP:
        rows = timeline.rows
        return (game, ("event", f"{timeline.row - rows.start + 1}/{len(rows)}"))
    return (game, ("ply", str(session.board.ply)), ("seed", str(session.run.seed)))


def break_words(session: Session) -> Words:
    """Return the breakpoint, if there is one."""
    condition = session.breakpoint
    return (("break at ", "dim"), (condition, "key")) if condition else ""


def status(session: Session) -> str:
    """Return the right end of the status line."""
    if session.mode is Mode.TRAIN:
        shot = session.snapshot
        if shot is None:
            return ""
        if session.training is None:
            return f"{count(shot.done)} games in {taken(shot.seconds)}"
        if session.training.is_paused:
            return "‖ paused"
        return f"▶ {short(shot.rate)}/s"
    if session.film is not None and session.film.is_playing:
        return "▶ film"
    if session.mode is Mode.WATCH:
        return f"▶ {session.speed:g} moves/s" if session.is_running else "‖ paused"
    if session.mode is Mode.PLAY:
        opponent = session.run.o if session.human == "X" else session.run.x
        if not opponent.learns:
            return ""
        return "learns" if session.learner_learns else "frozen"
    return ""


def taken(seconds: float) -> str:
    """Return the time that something took: `27 ms`, `1.8 s`, `2:05`."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 60 else duration(seconds)


LOGARITHMIC = 20_000
"""With this many games the learning curve's axis is logarithmic, since most is learned early."""


def side_stats(mark: str, found: Evaluation | None, is_person: bool = False) -> SideStats:
    """Return the exact metrics of a side, if they apply."""
    if found is None or is_person:
        return SideStats(mark, is_person=is_person)
    return SideStats(
        mark,
        found[f.BEATABLE],
        found[f.WIN],
        found[f.DRAW],
        found[f.LOSS],
        found[f.PERFECT_DRAW],
        *found[f.OPTIMAL],
        found.values.get(f.RMS_MINIMAX.name),
        worst=found[f.WORST_LOSS],
        as_played=None if found.as_played is None else side_stats(mark, found.as_played),
    )


def stats_view(session: Session) -> Stats:
    """Return the stats pane: at the run's newest point or at the current moment."""
    sides = list(zip("XO", session.evaluation, people(session), strict=True))
    seen = [(mark, *side[f.COVERAGE]) for mark, side, is_person in sides if side and not is_person]
    if session.run.layout.is_counted_once:
        seen = [("", *seen[0][1:])]
    training = session.snapshot if session.is_training else None
    left = training.seconds_left if training else None
    rate = session.snapshot.rate if session.snapshot and session.snapshot.done else None
    until = until_unbeatable(session) if training and training.goal.until_unbeatable else ()
    return Stats(
        sides=tuple(starmap(side_stats, sides)),
        results=shown_results(session),
        seen=tuple(seen),
        rate=rate,
        progress=training.done / training.goal.games if training and not until else None,
        left=left,
        until=until,
        hints=() if training else training_notes(),
    )


def rms_label(metric: f.Figure[Any]) -> str:
    """Return the short name of an error: `rms V−mm`."""
    return metric.error_label.replace(metric.against, SHORT.get(metric.against, metric.against))


def until_unbeatable(session: Session) -> tuple[str, ...]:
    """Return the progress until unbeatable, longest text first."""
    found = zip("XO", session.evaluation, strict=True)
    sides = [(mark, side[BEATABLE]) for mark, side in found if side]
    left = " and ".join(mark for mark, beatable in sides if beatable)
    if not left:
        return ("unbeatable",)
    now = "".join(f"{mark} is unbeatable now; " for mark, beatable in sides if not beatable)
    return (f"{now or 'until unbeatable; '}{left} still beatable", f"{left} still beatable")


def shown_point(session: Session) -> Point:
    """Return the point of the learning curve at the current moment."""
    if session.mode is Mode.TRAIN or session.is_at_end:
        return session.history.last
    return session.history.at(session.timeline.game)


def shown_results(session: Session) -> tuple[int, int, int] | None:
    """Return the latest results there: won by X, drawn, won by O; None if not kept."""
    if not session.is_training and session.is_at_end:
        return recent_results(session.run.tally, 200)
    game = session.timeline.game
    points = session.history.points
    is_known = points and points[0].games <= game
    results = shown_point(session).results if is_known else (0, 0, 0)
    return None if results == (0, 0, 0) and game else results


def curve_view(session: Session) -> Curve:
    """Return the learning curve: shares of the latest games, with the current moment."""
    points = session.history.points
    games = max(1, points[-1].games)
    if games == 1:
        return first_curve()
    looking_back = session.mode is not Mode.TRAIN and not session.is_at_end
    series = tuple(
        Series(
            points=tuple((p.games, p.share(which)) for p in points if sum(p.results)),
            role=role,
            label=label,
            name=name,
        )
        for which, role, label, name in (
            (1, "dim", "=", "draw"),
            (2, "o", "O", "O won"),
            (0, "x", "X", "X won"),
        )
    )
    return Curve(
        series=series,
        x_range=(0, games) if games < LOGARITHMIC else (LOGARITHMIC / 100, games),
        y_range=(0.0, 1.0),
        log_x=games >= LOGARITHMIC,
        cursor=float(session.timeline.game) if looking_back else None,
        right="share of the latest games",
    )

"""The stats and the learning curve as they are shown."""

from __future__ import annotations

from collections.abc import Iterable

from game import Side
from learners.judge import figures as f
from learners.judge.curve import Point
from learners.judge.evaluation import Evaluation
from learners.kernel.kernel import recent_results
from tui.lab.modes import Mode
from tui.lab.session import Session
from tui.theme.numerals import short
from tui.views.curve import CurveView, SeriesView
from tui.views.stats import SideStats, StatsView

LOGARITHMIC = 20_000
"""From so many games on the learning curve has a logarithmic axis: most is learned early."""


def sides_stats(sides: Iterable[Evaluation | None]) -> tuple[SideStats, ...]:
    """The exact figures of X and of O."""
    return tuple(side_stats(*pair) for pair in zip(Side.__members__, sides, strict=True))


def side_stats(mark: str, found: Evaluation | None) -> SideStats:
    """One player's exact figures."""
    if found is None:
        return SideStats(mark)
    optimal, of = found[f.OPTIMAL]
    return SideStats(
        mark=mark,
        beatable=found[f.BEATABLE],
        win=found[f.WIN],
        draw=found[f.DRAW],
        loss=found[f.LOSS],
        perfect_draw=found[f.PERFECT_DRAW],
        optimal=optimal,
        of=of,
        rms=found[f.RMS_MINIMAX],
        others=tuple((figure.label, figure.kind.text(value)) for figure, value in found.others),
    )


def stats_view(session: Session) -> StatsView:
    """The stats pane: of the run's newest point, or of the place that is looked at."""
    sides = session.evaluation
    seen = [side[f.COVERAGE] for side in sides if side is not None]
    training = session.snapshot if session.is_training else None
    results = shown_point(session).results
    if not session.is_training and session.is_at_end:
        results = recent_results(session.run.tally, 200)
    left = training.seconds_left if training else None
    rate = session.snapshot.rate if session.snapshot and session.snapshot.done else None
    return StatsView(
        sides=sides_stats(sides),
        results=results,
        seen=sum(n for n, _ in seen) if seen else None,
        seen_of=sum(of for _, of in seen) if seen else None,
        rate=rate,
        progress=training.done / training.goal.games if training else None,
        left=left,
        note="" if training else "t trains at full speed",
    )


def shown_point(session: Session) -> Point:
    """The point of the learning curve at the place that is looked at."""
    if session.mode is Mode.TRAIN or session.is_at_end:
        return session.history.last
    return session.history.at(session.timeline.game)


def curve_view(session: Session) -> CurveView:
    """The learning curve: shares of the latest games, with the place that is looked at."""
    points = session.history.points
    games = max(1, points[-1].games)
    looking_back = session.mode is not Mode.TRAIN and not session.is_at_end
    series = tuple(
        SeriesView(
            points=tuple((p.games, p.share(which)) for p in points if sum(p.results)),
            role=role,
            label=label,
        )
        for which, role, label in ((1, "dim", "="), (2, "o", "O"), (0, "x", "X"))
    )
    return CurveView(
        series=series,
        x_range=(0, games) if games < LOGARITHMIC else (LOGARITHMIC / 100, games),
        log_x=games >= LOGARITHMIC,
        cursor=float(session.timeline.game) if looking_back else None,
        right=f"{short(games)} games" if games > 1 else "",
    )

"""The mode line, the log, the stats and the learning curve as they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from game import Side
from learners.judge import figures as f
from learners.judge.curve import History, Point
from learners.judge.evaluation import Evaluation
from learners.judge.figures import BEATABLE
from learners.kernel.kernel import recent_results
from learners.rules.base import Rule
from learners.tape.events import Backup, Event, GameOver, Move, NoBackup
from learners.tape.state import Seat
from learners.tape.timeline import PHASES, GameSummary
from tui.lab.coach import coach_sentence
from tui.lab.labels import entry_label, player_label, result_mark, side_role
from tui.lab.lazy_session import first_curve, training_notes
from tui.lab.microscope.update import is_together
from tui.lab.modes import Mode
from tui.lab.outcomes import MessageKind
from tui.lab.session import Session
from tui.theme.numerals import count, decimals, duration, short, signed
from tui.views.lab import CurveView, LogView, ModeView, SeriesView, SideStats, StatsView
from tui.views.words import Words


def mode_view(session: Session) -> ModeView:
    labels = [player_label(spec) for spec in (session.run.x, session.run.o)]
    labels = ["you" if on else label for label, on in zip(labels, people(session), strict=True)]
    return ModeView(
        mode=session.mode.value.upper(),
        x=labels[0],
        o=labels[1],
        fields=fields(session),
        status=session.follows or status(session),
        phases=PHASES if session.mode is Mode.STEP else (),
        phase=session.timeline.phase if session.mode is Mode.STEP else None,
    )


def people(session: Session) -> tuple[bool, bool]:
    """Whether a person plays X, and O, in the game that is looked at."""
    seats = session.run.seating_of(session.timeline.game)
    is_training = session.mode is Mode.TRAIN
    return (
        seats.x is Seat.HUMAN and not is_training,
        seats.o is Seat.HUMAN and not is_training,
    )


def fields(session: Session) -> tuple[tuple[str, str], ...]:
    """Game, ply, and what else belongs to the mode."""
    timeline = session.timeline
    if session.mode is Mode.TRAIN:
        games = session.run.games if session.snapshot is None else session.snapshot.games
        return (("games", count(games)), ("seed", str(session.run.seed)))
    newest = max(session.run.games, timeline.game + 1)
    game = ("game", f"{timeline.game + 1:,}/{newest:,}")
    if session.mode is Mode.STEP:
        rows = timeline.rows
        told = [game, ("event", f"{timeline.row - rows.start + 1}/{len(rows)}")]
        event = timeline.event
        if isinstance(event, Backup | NoBackup):
            told.append(("", event.player))
        return tuple(told)
    return (game, ("ply", str(session.board.ply)), ("seed", str(session.run.seed)))


def break_words(session: Session) -> tuple[Words, ...]:
    """The break that is set, in the border below the update."""
    condition = session.breakpoint
    return ((("  break at ", "dim"), (condition, "key")),) if condition else ()


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
    """The time that something took: `27 ms`, `1.8 s`, `2:05`."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 60 else duration(seconds)


BELOW_BOARD = 26
"""Columns of a note below a small board; the log has room for a longer one."""
EARLIER = 12
"""Earlier games in the log."""


def log_view(session: Session, offset: int = 0) -> LogView:
    """The log pane; at its end a long remark, long messages, and why nothing is saved."""
    if session.film is not None and session.film.is_playing:
        from tui.lab.filming import film_log

        view = film_log(session, session.film)
    elif session.mode is Mode.TRAIN:
        view = training_log(session.history, offset)
    else:
        view = games_log(session, offset)
    is_long = len(session.note) > BELOW_BOARD and session.mode in (Mode.WATCH, Mode.TRAIN)
    remark = session.note if is_long else ""
    texts = (remark, session.text_of(MessageKind.LOG), session.text_of(MessageKind.TROUBLE))
    messages = [((text, "remark"),) for text in texts if text]
    return view._replace(lines=(*view.lines, *messages)) if messages else view


def games_log(session: Session, offset: int) -> LogView:
    """Games that are over in a line each, and the events of the current game."""
    timeline = session.timeline
    game = timeline.game
    lines: list[Words] = []
    for number in range(max(0, game - EARLIER), game):
        summary = timeline.summaries.get(number)
        if summary is not None:
            lines.append(summary_line(summary, len(f"{game:,}")))
    events = timeline.events_so_far()
    for event, error in errors_applied(session, events):
        counts = isinstance(event, Move | Backup) and counts_beads(session, event.player)
        line = bead_line(event) if counts else event_line(event, error)
        is_aside = session.mode is Mode.PLAY and isinstance(event, Backup | NoBackup)
        if is_aside and not isinstance(line, str):
            line = tuple((text, "dim") for text, _ in line)
        lines.append(line)
    if session.is_asked and events and isinstance(events[-1], Backup):
        backup = events[-1]
        lines[-1] = asked_line(backup, 0 if counts_beads(session, backup.player) else 5)
    cursor = len(lines) - 1 if events else None
    if session.mode is Mode.PLAY:
        lines.append(((coach_sentence(session), "strong"),))
        # Why nothing is saved stands in the log anyway.
        if len(session.note) > BELOW_BOARD and not session.text_of(MessageKind.TROUBLE):
            lines.append(((session.note, "remark"),))
        if not session.game_goes_on:
            lines.append((("Enter", "key"), (" reviews the game, ", "dim"), ("n", "key"),
                          (" begins a new one", "dim")))  # fmt: skip
    if not lines:
        lines = [(("no game yet", "dim"),)]
    return LogView(lines=tuple(lines), cursor=cursor, offset=offset, jump=4)


def errors_applied(
    session: Session, events: Sequence[Event]
) -> Iterator[tuple[Event, float | None]]:
    """Each event of a game; a backup by a trace with the δ of the first one of its step."""
    error, earlier = 0.0, None
    for event in events:
        if not isinstance(event, Backup):
            yield event, None
        else:
            rule = rule_of(session, event.player)
            if earlier is None or not (rule.shares_error and is_together(earlier, event)):
                error = event.error
            yield event, error
        earlier = event


def summary_line(summary: GameSummary, digits: int) -> Words:
    """A game that is over; its number in so many columns."""
    mark, role = result_mark(summary.result)
    plies = "1 ply  " if summary.plies == 1 else f"{summary.plies} plies"
    words = [(f"{summary.game + 1:>{digits},} ", "dim"), (mark, role)]
    words.append((f"  {plies}  max|δ| {decimals(summary.largest_error)}", "dim"))
    if summary.exploratory:
        words.append((f"  {summary.exploratory} explored", "dim"))
    if summary.resigned:
        words.append(("  resigned", "dim"))
    return tuple(words)


def event_line(event: Event, error: float | None = None) -> Words:
    """An event of the current game.

    Args:
        event: the event.
        error: the δ that a backup applies, where that is another's (by its trace).
    """
    if isinstance(event, Move):
        exploring = event.exploratory
        said = "exploratory" if exploring else event.choice
        if event.choice == "scripted":
            said = "played"
        elif event.choice == "drawn":
            said = "by chance"
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
            (f" δ{signed(event.error if error is None else error, 4)}", "text"),
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
            return ((f"game {event.game + 1:,} is a draw", "strong"),)
        how = " wins, the other resigned" if event.resigned else " wins"
        return ((mark, role), (f"{how} game {event.game + 1:,}", "text"))
    raise TypeError(f"no such event: {event!r}")


def counts_beads(session: Session, player: str) -> bool:
    """Whether a side learns by beads."""
    rule = rule_of(session, player)
    return rule.learns and not rule.estimates


def rule_of(session: Session, player: str) -> type[Rule]:
    """The rule by which a side plays."""
    return session.run.layout.table(Side.parse(player)).spec.rule


def bead_line(event: Event) -> Words:
    """A move or a backup of a learner that counts beads."""
    if isinstance(event, Backup):
        return (
            ("  beads ", "dim"),
            (entry_label(event), side_role(event.player)),
            (f" {event.old:.0f}→", "dim"),
            (f"{event.new:.0f}", "strong"),
            (f" {signed(event.new - event.old, 0)}", "text"),
        )
    words = event_line(event)
    if isinstance(event, Move) and event.choice == "drawn" and not isinstance(words, str):
        return (words[0], (" bead drawn", "dim"))
    return words


def asked_line(backup: Backup, places: int) -> Words:
    """A backup whose write the user is to foretell."""
    return (
        ("  backup ", "dim"),
        (entry_label(backup), side_role(backup.player)),
        (f" {decimals(backup.old, places)}→", "dim"),
        ("?", "strong"),
    )


def training_log(history: History, offset: int) -> LogView:
    """Training: a line for each point at which something had changed, and for the newest."""
    lines: list[Words] = []
    judged: Point | None = None
    for point in history.points:
        changes: list[Words] = [] if point.evaluation is None else changes_since(judged, point)
        judged = judged if point.evaluation is None else point
        if changes or point is history.last:
            lines += point_lines(point, changes)
    heads = (
        (f"{'games':>6}", "dim"),
        ("  X won draw O won", "dim"),
        ("  what changed", "dim"),
    )
    return LogView(lines=tuple(lines), heads=heads, yields=1, offset=offset, jump=4)


def point_lines(point: Point, changes: list[Words]) -> list[Words]:
    """A point of the learning curve, and what changed there: the second change in a second line."""
    shares = "".join(f"{point.share(which):>{wide}.0%}" for which, wide in ((0, 5), (1, 5), (2, 6)))
    if not sum(point.results):
        shares = " " * len(shares)
    head = ((f"{short(point.games):>6}", "text"), (f"  {shares}", "dim"), ("  ", "dim"))
    blank = tuple((" " * len(text), "dim") for text, _ in head)
    return [(*(blank if n else head), *change) for n, change in enumerate(changes or [()])]


def changes_since(before: Point | None, now: Point) -> list[Words]:
    """What the exact verdicts say now that they did not say before."""
    changes: list[Words] = []
    if now.opening and (before is None or before.opening != now.opening):
        cells = " ".join(str(cell + 1) for cell in now.opening)
        said = "opens with" if before is None else "opening turned to"
        alike = len(now.opening) == 9
        changes.append((("opens anywhere" if alike else f"{said} {cells}", "text"),))
    for which, mark in enumerate("XO"):
        was, verdict = (
            None if point is None or point.evaluation is None else point.evaluation[which]
            for point in (before, now)
        )
        if verdict is None:
            continue
        beatable = verdict[BEATABLE]
        if beatable != (was is None or was[BEATABLE]):
            word, role = ("beatable again", "worse") if beatable else ("unbeatable", "better")
            changes.append(((f"{mark} ", side_role(mark, strong=True)), (word, role)))
    return changes


LOGARITHMIC = 20_000
"""From so many games on the learning curve has a logarithmic axis: most is learned early."""


def sides_stats(sides: Iterable[Evaluation | None]) -> tuple[SideStats, ...]:
    """The exact figures of X and of O."""
    return tuple(side_stats(*pair) for pair in zip(Side.__members__, sides, strict=True))


def side_stats(mark: str, found: Evaluation | None) -> SideStats:
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
    persons = people(session)
    evaluations = zip(session.evaluation, persons, strict=True)
    sides = [None if is_person else side for side, is_person in evaluations]
    seen = [side[f.COVERAGE] for side in sides if side is not None]
    if session.run.layout.is_counted_once:
        seen = seen[:1]
    training = session.snapshot if session.is_training else None
    results: tuple[int, int, int] | None = shown_point(session).results
    if not session.is_training and session.is_at_end:
        results = recent_results(session.run.tally, 200)
    elif results == (0, 0, 0) and session.timeline.game:
        results = None
    left = training.seconds_left if training else None
    rate = session.snapshot.rate if session.snapshot and session.snapshot.done else None
    until = until_unbeatable(session) if training and training.goal.until_unbeatable else ()
    return StatsView(
        sides=tuple(
            stats._replace(is_person=is_person)
            for stats, is_person in zip(sides_stats(sides), persons, strict=True)
        ),
        results=results,
        seen=sum(n for n, _ in seen) if seen else None,
        seen_of=sum(of for _, of in seen) if seen else None,
        rate=rate,
        progress=training.done / training.goal.games if training and not until else None,
        left=left,
        until=until,
        rms_label=f.RMS_MINIMAX.error_label,
        note=() if training else training_notes(),
    )


def until_unbeatable(session: Session) -> tuple[str, ...]:
    """How far a training until unbeatable has come, the longest words first."""
    since = {
        mark: unbeatable_since(session.history, which)
        for which, (mark, side) in enumerate(zip("XO", session.evaluation, strict=True))
        if side is not None
    }
    done = [(mark, games) for mark, games in since.items() if games is not None]
    left = " and ".join(mark for mark, games in since.items() if games is None)
    if not left:
        return ("unbeatable",)
    if not done:
        return (f"until unbeatable; {left} still beatable", f"{left} still beatable")
    ((mark, games),) = done
    return (
        f"{mark} unbeatable since game {games:,}; {left} still beatable",
        f"{mark} since game {games:,}; {left} still beatable",
        f"{left} still beatable",
    )


def unbeatable_since(history: History, which: int) -> int | None:
    """The games after which every verdict on a side was unbeatable; None where the last was not."""
    since = None
    for point in reversed(history.points):
        verdict = None if point.evaluation is None else point.evaluation[which]
        if verdict is not None:
            if verdict[BEATABLE]:
                break
            since = point.games
    return since


def shown_point(session: Session) -> Point:
    """The point of the learning curve at the place that is looked at."""
    if session.mode is Mode.TRAIN or session.is_at_end:
        return session.history.last
    return session.history.at(session.timeline.game)


def curve_view(session: Session) -> CurveView:
    """The learning curve: shares of the latest games, with the place that is looked at."""
    points = session.history.points
    games = max(1, points[-1].games)
    if games == 1:
        return first_curve()
    looking_back = session.mode is not Mode.TRAIN and not session.is_at_end
    series = tuple(
        SeriesView(
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
    return CurveView(
        series=series,
        x_range=(0, games) if games < LOGARITHMIC else (LOGARITHMIC / 100, games),
        log_x=games >= LOGARITHMIC,
        cursor=float(session.timeline.game) if looking_back else None,
        right="share of the latest games",
    )

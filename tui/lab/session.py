"""The state of the lab, without a screen: a run, a moment in it, the players, and the answers to
questions about the moment.

Everything that needs the engine is imported with this file, so that the commands stay light.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Any, Final

from afterstate_lab.game import Board, IllegalMoveError, Side, space
from afterstate_lab.game.exact import Floats, Refutation, likeliest_refutation
from afterstate_lab.learners import lean_dataclass
from afterstate_lab.learners.ask import marks as m
from afterstate_lab.learners.ask.be import Predictions
from afterstate_lab.learners.ask.conditions import Change, Wrote, find, parse
from afterstate_lab.learners.ask.marks import Film, Mark, Marks, find_marks
from afterstate_lab.learners.ask.what_if import WhatIf, replay_game
from afterstate_lab.learners.ask.why import SOON, Why, chain, explained, last_write
from afterstate_lab.learners.errors import UsageError, shown
from afterstate_lab.learners.judge.curve import History, Point
from afterstate_lab.learners.judge.evaluated_state import EvaluatedState, true_values
from afterstate_lab.learners.judge.evaluation import Evaluations, evaluate_memory
from afterstate_lab.learners.judge.figures import FIGURES
from afterstate_lab.learners.kernel.kernel import recent_results
from afterstate_lab.learners.players.agent import agent_of
from afterstate_lab.learners.rules.spec import PlayerSpec
from afterstate_lab.learners.runs.address import Address, AddressError, AddressPlace
from afterstate_lab.learners.runs.replay import (
    OpenedRun,
    address_of,
    changed_files,
    go_to,
    open_address,
    place_of,
)
from afterstate_lab.learners.tape.recording import Backup, GameOver, Move, TapePosition
from afterstate_lab.learners.tape.run import FEW_GAMES, Run, Seat, Seating
from afterstate_lab.learners.tape.timeline import LINEAR, TARGET, Sweep, Timeline
from afterstate_lab.learners.training import Goal, Snapshot, Training
from afterstate_lab.tui.blocks.block import Quantity
from afterstate_lab.tui.lab.commands import STRIDES
from afterstate_lab.tui.lab.microscope.picture import LEFT, RIGHT, Hero
from afterstate_lab.tui.lab.microscope.reading import update_at
from afterstate_lab.tui.lab.modes import SPEEDS, Help, Mode, Settings
from afterstate_lab.tui.lab.outcomes import (
    GIVEN_UP,
    Key,
    Outcome,
    Running,
    Work,
    question,
    search,
    sentence,
)
from afterstate_lab.tui.theme.numerals import decimals

REWARDS: Final = ("win", "draw", "loss")
Search = Callable[..., Any]
"""Looks through a run; takes `progress` and `stop`."""
MOST_TRIED: Final = 20
"""Maximum number of games played to find a changed value: a draw may change none."""


TOLD: Final = {
    "draw": ("●", "draw", "Game {game} is the first draw."),
    m.ERROR: ("◆", "largest |δ|", "Game {game} has the largest TD error: {value}."),
    **{kind: ("★", kind, f"After game {{game}} {side.mark} cannot be beaten, for the first time.")
       for side, kind in m.HOLDS.items()},
}  # fmt: skip
"""Kinds of milestones: sign, short text and sentence; a first verdict may change later."""


def mark_told(mark: Mark) -> tuple[str, str, str]:
    """Return the sign of a milestone, it in a few words, and its sentence."""
    first = "●", mark.kind, f"Game {{game}} is the first that {mark.kind}."
    sign, words, says = TOLD.get(mark.kind, first)
    value = "" if mark.error is None else decimals(mark.error)
    return (
        sign,
        f"{words} {value}".rstrip(),
        says.format(game=f"{mark.place.game + 1:,}", value=value),
    )


@lean_dataclass
class WhatIfSummary:
    """A game under another rule, and the original run and game."""

    run: Run
    """The run of the original game."""
    result: WhatIf
    player: str
    """The side with another rule, X or O."""
    spec: PlayerSpec
    """Its other rule."""


class Session:
    """A run in the lab, the current moment, and the game being played.

    Args:
        begun: the first players, or the run of plain mode.
    """

    speed = SPEEDS[2]
    """Moves per second in Watch."""
    script: dict[int, int]
    """The person's moves in the unfinished game, by ply."""

    def __init__(self, begun: Settings | Run) -> None:
        self.strides: dict[Mode, str] = {}
        """How far one key moves, if not the default."""
        self.details = False
        """Whether Step shows everything about a backup, not its picture."""
        if isinstance(begun, Run):
            self._open(begun)
        else:
            self.start(begun)

    @property
    def stride(self) -> str:
        """How far one key moves back and forward, such as `game`."""
        return self.strides.get(self.mode) or next(iter(STRIDES[self.mode]))

    def start(self, settings: Settings) -> None:
        self._open(Run.of(settings.x, settings.o, settings.seed))
        if self.mode is Mode.PLAY:
            self.new_game()

    def resume(self, opened: OpenedRun, mode: Mode | None = None) -> str:
        """Resume a run, even in the middle of a person's game; go to the moment of an address.

        Args:
            opened: the saved run, or the run of the address.
            mode: by default the microscope if the address names a moment.

        Returns:
            The message about it; may be empty.

        Raises:
            AddressError: the moment does not exist; the lab is at the end of the run then.
        """

        run, place = opened.run, opened.place
        if run is not self.run:
            self._open(run, opened.history)
        self.is_running = self.waits = False
        self.script = dict(opened.script)
        if run.seating.has_human:
            self.mode = Mode.PLAY
            try:
                self.replay()
            except IllegalMoveError:
                self.new_game()
        else:
            self.mode = Mode.WATCH
            self.go_to_end()
        if place is not None:
            go_to(self.timeline, place)
            self.mode = Mode.STEP
        if mode is not None and (mode is not Mode.PLAY or self.run.seating.has_human):
            self.mode = mode
        if opened.warning or not opened.name:
            return opened.warning
        if opened.is_same_engine:
            gone = " and ".join(changed_files(run))
            uses = " is gone or has changed; the run uses what it contained."
            return f"Resumed {opened.name}.{f' {gone}{uses}' if gone else ''}"
        return (
            f"Resumed {opened.name}, which another version played. "
            "Its link plays it again: afterstate runs NAME."
        )

    def _open(self, run: Run, points: Sequence[Point] = ()) -> None:
        """Open a run with the points of its learning curve; forget the previous run."""
        self.run = run
        self.timeline = Timeline(run)
        self.history = History(points)
        if not points:
            self._remember()
        self.training: Training | None = None
        self.snapshot: Snapshot | None = None
        self.mode = Mode.PLAY if self.run.seating.has_human else Mode.WATCH
        self.is_running = False
        self.help = Help.OFF
        self.script = {}
        self.left_game: tuple[Run, int, str, dict[int, int]] | None = None
        """The run, its games, the side and the moves of the unfinished game left last, to which
        `take_back` returns until another is played."""
        self.waits = False
        """Whether your game waits for a move, wherever you are."""
        seats = run.seating
        self.human = "O" if seats.o is Seat.HUMAN and seats.x is not Seat.HUMAN else "X"
        self.learner_learns = not seats.has_human or Seat.FROZEN not in (seats.x, seats.o)
        self.cursor: int | None = None
        self.branches: list[dict[str, Any]] = []
        """What a session has of each branch that was left."""
        self.shown_game: Run | None = None
        """The latest branch with a shown game; the next one replaces it."""
        self._judged: tuple[object, Evaluations] | None = None
        """The latest verdicts, with their moment."""
        self.film: Film | None = None
        """The latest film."""
        self.predictions = Predictions()
        self.quizzes = count()
        """Quizzes on this run so far: each has other questions."""
        self.breakpoint = ""
        """As typed."""
        self.selection: Quantity | None = None
        """The number selected under the microscope."""
        self.sweep: Sweep | None = None
        """The values of the run over its games, for Step's picture, or their replay."""
        self.what_if: WhatIfSummary | None = None
        """The latest what-if."""
        self.note = ""
        """The message of the last command."""

    @property
    def settings(self) -> Settings:
        """The current players, people included, and the seed."""
        run, person = self.run, PlayerSpec.parse("human")
        players = (run.seating.x, run.x), (run.seating.o, run.o)
        x, o = (person if seat is Seat.HUMAN else spec for seat, spec in players)
        return Settings(x, o, run.seed)

    def sweep_work(self, columns: int | None = None) -> Work | None:
        """Replay the run for the columns of a terminal: a short run now, a long one in a thread."""

        run, games = self.run, max(self.run.games, self.timeline.game + 1)
        sweep = self.sweep
        known = LINEAR if sweep is None else sweep.columns
        columns = known if columns is None else columns - LEFT - RIGHT
        if sweep is None or not sweep.fits(run, games, columns):
            self.sweep = sweep = Sweep(run, games, columns)
        if sweep.values is not None:
            return None
        if sweep.games > FEW_GAMES:
            return Work(sweep.make)
        sweep.make()
        return None

    def take_seat(self, side: str | None = None) -> None:
        """Seat a person, against the learner of the other side."""
        self.human = side or self.human
        learner = Seat.LEARNS if self.learner_learns else Seat.FROZEN
        seats = (Seat.HUMAN, learner) if self.human == "X" else (learner, Seat.HUMAN)
        self.run.seat(Seating(*seats))
        self.mode = Mode.PLAY

    def leave_seat(self) -> None:
        """Let the two learners play again; drop the person's unfinished game."""
        self.run.seat(Seating())
        if not self.timeline.recording.is_over and self.timeline.recording.size:
            self.go_to_end()
        self.script, self.waits = {}, False

    def new_game(self) -> None:
        """Start a game between the person and the learner."""
        self.take_seat()
        self.script = {}
        self.replay()

    def swap_sides(self) -> None:
        """Swap the person's side, in a new game; a player that learns nothing moves with them.

        Raises:
            UsageError: the other player cannot play that side.
        """
        now = self.settings
        other = now.o if self.human == "X" else now.x
        if not other.rule.learns and self.run.seating_of(0).has_human:
            self.start(Settings(now.o, now.x, now.seed))
            return
        self.human = "O" if self.human == "X" else "X"
        self.new_game()

    @property
    def game_goes_on(self) -> bool:
        """Whether a person's game waits for a move."""
        return self.mode is Mode.PLAY and not self.timeline.recording.is_over

    def move(self, cell: int) -> None:
        """Make the person's move, or raise `IllegalMoveError`."""
        self.timeline.seek(self.timeline.recording.size)
        board = self.board
        board.play(cell)
        self.script[board.ply + 1] = cell
        self.replay()

    def take_back(self) -> bool:
        """Take back the person's last move and the reply, or return to the game left last, if no
        game was played since; return False if there is neither.
        """
        if self.mode is not Mode.PLAY:
            return False
        if self.script:
            if self.timeline.recording.is_over:
                self.run.rewind(self.run.games - 1)
                self._cut_history()
            del self.script[max(self.script)]
        elif self.left_game is not None and self.left_game[:2] == (self.run, self.run.games):
            *_, human, self.script = self.left_game
            self.left_game = None
            self.take_seat(human)
        else:
            return False
        self.replay()
        return True

    def replay(self) -> None:
        """Play the person's game as far as it goes."""
        recording = self.run.play(self.script)
        self.timeline.show(recording, at_end=True)
        self.waits = not recording.is_over
        if recording.is_over:
            self._remember()

    def _remember(self) -> None:
        self.history.add(
            self.run.games, recent_results(self.run.tally, 200), self.run.layout, self.run.memory
        )

    def _cut_history(self) -> None:
        """Drop the points after the run's games; a curve without one begins there."""
        self.history.cut(self.run.games)
        if not self.history.points:
            self._remember()

    def play_game(self) -> None:
        """Play the learners' next game, and go to its start."""
        self.timeline.show(self.run.play())
        self._remember()

    def go_to_end(self) -> None:
        """Go to the end of the run's last game, if there is one."""
        if self.run.games:
            self.timeline.go_to(self.run.games - 1, at_end=True)

    def go_on(self) -> None:
        """Step one event; at the end of the run, start a game."""
        if not self.timeline.step():
            self.play_game()
            self.timeline.step()

    def go_on_a_move(self) -> None:
        """Step to the end of the next move and of its backups; stop where a person must move."""
        if self.owes_a_move and self.is_at_end:
            self.is_running = False
            return
        self.go_on()
        while not self.is_move_watched:
            self.go_on()

    def play_until_change(self, *, at_last: bool = True) -> bool:
        """Play until a game changes a value; go to its last such backup, or to the first.

        Returns:
            False if `MOST_TRIED` games change nothing; then the last of them is over.
        """
        for _ in range(MOST_TRIED):
            self.play_game()
            rows = self.own_changes()
            if rows:
                self.timeline.seek(rows[-1 if at_last else 0] + 1)
                return True
        self.timeline.seek(self.timeline.recording.size)
        return False

    def enter_step_mode(self) -> None:
        """Step from the current moment; a game just played, from its start.

        A picture is of the last backup so far in this game that changes a value, before its write.
        """
        was_playing, timeline = self.mode is Mode.PLAY, self.timeline
        is_new = self.mode is not Mode.STEP or self.is_over
        self.mode = Mode.STEP
        if timeline.event is None and self.run.games:
            timeline.go_to(self.run.games - 1, at_end=not self.details)
        rows = self.own_changes(timeline.rows.start, timeline.row)
        if not self.details and is_new and rows:
            timeline.seek(rows[-1] + 1)
            timeline.step_phase_back()
        elif timeline.recording.size and (was_playing or self.is_over):
            timeline.go_to(timeline.game)

    def begin_training(self, goal: Goal) -> Training:
        """Prepare a training run; run its `work` in a thread."""
        self.leave_seat()
        self.mode = Mode.TRAIN
        self.training = Training(self.run, goal, is_judged=True)
        self._points_taken = 0
        self.snapshot = self.training.snapshot
        return self.training

    def look_at_training(self) -> None:
        """Show the latest snapshot."""
        if self.training is None or self.training.snapshot is self.snapshot:
            return
        self.snapshot = self.training.snapshot
        points = self.training.points[self._points_taken :]
        self._points_taken += len(points)
        self.history.add_all(points)

    def end_training(self) -> None:
        """Show the last game of a finished training run."""
        self.look_at_training()
        self.training = None
        if self.run.games:
            self.timeline = Timeline(self.run)
            self.go_to_end()

    def fork(self, cell: int) -> None:
        """Replace the current move, in a new branch.

        Raises:
            IllegalMoveError: the current event is not a move, or the cell is not free.
        """
        event = self.move_looked_at
        if event is None:
            raise IllegalMoveError("go to a move first: a fork plays another one in its place")
        Board.from_id(event.board).play(cell)
        given = self.script
        if event.game < self.run.games:
            given = dict(enumerate(self.run.scripts.get(event.game, ())))
        script = {ply: old for ply, old in given.items() if ply < event.ply and old >= 0}
        script[event.ply] = cell
        self.branches.append(self.branch())
        self._fork_at(event.game)
        self.script = script
        self.replay()
        if self.timeline.recording.is_over:
            go_to(self.timeline, AddressPlace(event.game + 1, event.ply))
        else:
            self.mode = Mode.PLAY

    def show_game(self, game: int, script: dict[int, int]) -> None:
        """Play a game in its own branch, with some moves given; nobody learns from it.

        Args:
            game: its number; the branch has the earlier games.
            script: the moves, cells 0-8 by ply; they must end the game.
        """
        if self.run is not self.shown_game:
            self.branches.append(self.branch())
        self._fork_at(game)
        self.shown_game = self.run
        self.run.seat(Seating(Seat.FROZEN, Seat.FROZEN))
        self.script, self.waits = {}, False
        self.run.play(script)
        self.timeline.go_to(game)
        self.mode = Mode.STEP

    def _fork_at(self, game: int) -> None:
        """Replace the run by its games before this one."""
        self.run, self.film = self.run.fork(game), None
        self.timeline = Timeline(self.run)
        self.history = History(self.history.points)
        self._cut_history()

    def branch(self) -> dict[str, Any]:
        """Return what a session has of the current branch."""
        own = ("run", "timeline", "history", "film", "script", "waits", "mode")
        return {name: getattr(self, name) for name in own}

    read_address = staticmethod(Address.parse)

    def address(self, *, with_engine: bool = False) -> Address:
        """Return the address of the current moment.

        Raises:
            UsageError: the file of a player is gone.
        """
        snapshot = self.snapshot if self.training is not None else None
        run = self.run if snapshot is None else snapshot.state
        is_end = self.mode is not Mode.STEP and (self.is_at_end or self.mode is Mode.PLAY)
        place = None if snapshot is not None or is_end else place_of(self.timeline)
        asked = None if place is None else self.what_if_of(place.game - 1)
        return address_of(
            run,
            self.script if self.waits else None,
            place=place,
            what_if=None if asked is None else (asked.player.lower(), asked.spec),
            with_engine=with_engine,
        )

    def what_if_of(self, game: int) -> WhatIfSummary | None:
        """Return the latest what-if, if it is about a game of the run."""
        asked = self.what_if
        if asked is None or asked.run is not self.run or asked.result.original.first != game:
            return None
        return asked

    def go_to_place(self, text: str) -> None:
        """Go to a typed moment: a game, a ply, an event, a phase."""
        place = AddressPlace.read(text.strip().replace(",", "").replace("_", "").removesuffix("."))
        if place is None:
            said = f"{shown(text)} is not a moment"
            raise UsageError(f"{said}. Try 424, or 424.5 for its fifth move.")
        before = place_of(self.timeline)
        try:
            go_to(self.timeline, place)
        except AddressError:
            if before is not None:
                go_to(self.timeline, before)
            raise

    # predictions

    def stops_before_write(self, before: tuple[TapePosition, int]) -> bool:
        """Return whether a step led to a backup, and show it before its write."""
        timeline = self.timeline
        is_stepped = self.mode is Mode.STEP and (timeline.place, timeline.phase) > before
        if not (is_stepped and isinstance(timeline.event, Backup)):
            return False
        if timeline.phase > TARGET:
            timeline.step_phase_back()
        return True

    @property
    def prediction(self) -> Key | None:
        """The question what the next backup will write, if it can be predicted."""
        backup, timeline = self.timeline.event, self.timeline
        if not isinstance(backup, Backup) or timeline.phase != TARGET:
            return None

        def answer(text: str) -> Outcome:
            said = self.predictions.judge(text, backup.old, backup.new)
            if said is None:
                raise UsageError(
                    f"{shown(text)} is not a prediction. "
                    "Try .42, or + for more, - for less, = for the same."
                )
            timeline.step_phase()
            return sentence(said)

        return question(
            "predict",
            "the value to be written, or +, - or =",
            answer,
            usage="predict .42 says what will be written; predict +, predict - or predict = "
            "which way.",
        )

    # the film

    @property
    def played_film(self) -> Film | None:
        """The film while it plays."""
        film = self.film
        return film if film is not None and film.is_playing else None

    def with_marks(self, then: Callable[[Film], Outcome]) -> Outcome:
        """Find the milestones of the run's latest games, then continue."""
        if self.is_training:
            raise UsageError("Still training. Press Esc to stop, then play the film.")
        run, film = self.run, self.film
        if run.games < 2:
            raise UsageError("A film needs games: train first.")
        known = film.marks if film is not None and film.marks.games <= run.games else None

        def found(marks: Marks | None) -> Outcome:
            if marks is None:
                raise UsageError(GIVEN_UP)
            self.film = Film(run, marks)
            return then(self.film)

        if film is not None and film.marks.games == run.games:
            return then(film)
        return search(run, "what happened when", partial(find_marks, run, known), found)

    def look_back(self) -> None:
        """Pause, and switch to Watch unless stepping."""
        if self.mode is not Mode.STEP:
            if not self.owes_a_move:
                self.leave_seat()
            self.mode = Mode.WATCH
        self.is_running = False

    mark_told = staticmethod(mark_told)

    def tick_film(self, now: float) -> None:
        """Show the picture of this time."""
        if (film := self.played_film) is not None:
            self.timeline.go_to(film.game_at(now), at_end=True)

    # what the lab opens

    def ask_agents(self, settings: Settings, stop: Running) -> None:
        """Ask the agents among the players for their moves, each once."""

        def progress(done: int, of: int, said: str) -> None:
            stop.tell(min(1.0, done / of))
            if stop():
                raise UsageError(GIVEN_UP)

        for side, spec in zip(Side, (settings.x, settings.o), strict=True):
            if spec.rule.is_asked:
                agent_of(spec).moves(side, spec.settings, progress)

    def opened(self, address: Address, files: Collection[str], **more: Any) -> OpenedRun | None:
        """Play the run of an address, unless it is this run."""
        return open_address(address, files, base=self.run, with_points=True, **more)

    def replay_as(
        self, player: str, spec: PlayerSpec, told: Callable[[WhatIfSummary], Sequence[str]]
    ) -> Work:
        """Play the current game again with another player and the same random numbers.

        Args:
            player: the side, X or O.
            spec: its other player.
            told: describes the difference.
        """
        run = self.run

        def found(result: WhatIf | None) -> Outcome:
            if result is None:
                raise UsageError(GIVEN_UP)
            self.what_if = WhatIfSummary(run, result, player, spec)
            return " ".join(told(self.what_if))

        other: dict[str, Any] = {player.lower(): spec}
        look = partial(replay_game, run, self.timeline.game, **other)
        return search(run, f"what if {player} were {spec}", look, found)

    # the moment on screen

    @property
    def board(self) -> Board:
        """The board at the current moment."""
        move = self.last_move
        return Board() if move is None else Board.from_id(move.afterstate)

    @property
    def last_move(self) -> Move | None:
        """The last move on the board at the current moment."""
        timeline = self.timeline
        made = (timeline.event_at(row) for row in reversed(timeline.rows) if row < timeline.at)
        return next((event for event in made if isinstance(event, Move)), None)

    @property
    def picture(self) -> Hero | None:
        """The picture of the current update; None before the first event."""
        update = update_at(self.timeline, asks=self.predictions.wanted)
        return None if update is None else Hero(update=update, chosen=self.selection)

    @property
    def entry(self) -> int | None:
        """The selected memory entry, or else the entry of S_t."""
        if (picture := self.picture) is None:
            return None
        if picture.selected is not None and picture.selected.entry >= 0:
            return picture.selected.entry
        learned = picture.update.learned
        entry = picture.update.entry if learned is None else learned.entry
        return entry if entry >= 0 else None

    @property
    def is_at_end(self) -> bool:
        """Whether the latest event of the run is on screen."""
        timeline = self.timeline
        newest = timeline.recording.last >= self.run.games
        return newest and timeline.at == timeline.recording.size

    @property
    def known(self) -> tuple[Floats, int]:
        """Memory, and its game: of the training run, or at the current moment."""
        if self.is_training and self.snapshot is not None:
            return self.snapshot.state.memory, self.snapshot.games
        return self.timeline.v, self.timeline.game

    @property
    def evaluation(self) -> Evaluations:
        """The exact verdicts on both players at the current moment."""
        if self.mode is Mode.TRAIN and self.is_training and self.snapshot is not None:
            return self.snapshot.evaluation
        timeline = self.timeline
        place = timeline, timeline.game, timeline.at
        if self._judged is None or self._judged[0] != place:
            self._judged = place, evaluate_memory(self.run.layout, timeline.v)
        return self._judged[1]

    @property
    def is_over(self) -> bool:
        """Whether the current game is over at this moment."""
        return isinstance(self.timeline.event, GameOver)

    @property
    def is_training(self) -> bool:
        """Whether a training run is running or paused."""
        return self.training is not None

    @property
    def is_move_watched(self) -> bool:
        """Whether a move and its backups were all shown."""
        timeline = self.timeline
        is_end = timeline.at >= timeline.rows.stop
        return is_end or isinstance(timeline.event_at(timeline.at), Move)

    def own_changes(self, first: int = 0, last: float = inf) -> list[int]:
        """Return the rows in a range whose backups change a value; if a player is a rule of the
        user's own, of that one.
        """
        timeline, players = self.timeline, (("X", self.run.x), ("O", self.run.o))
        rows = [row for row in Change().stops(timeline.recording).tolist() if first <= row <= last]
        own = [mark for mark, spec in players if not spec.rule.is_trusted]
        mine = [row for row in rows if getattr(timeline.event_at(row), "player", "") in own]
        return mine or rows

    @property
    def move_looked_at(self) -> Move | None:
        """The current move; of a backup, the move that it learns from."""
        events = reversed(self.timeline.events_so_far())
        return next((event for event in events if isinstance(event, Move)), None)

    @property
    def owes_a_move(self) -> bool:
        """Whether the person has begun a game and not ended it."""
        return self.waits and bool(self.script)

    # searches

    def to_condition(self, text: str, *, forwards: bool) -> Search:
        """Find the nearest place where a condition holds."""
        return partial(find, self.run, parse(text), self.timeline.place, forwards=forwards)

    def near_change(self, *, forwards: bool) -> int | None:
        """Return the row of the nearest backup in the recording that changes a value.

        A backup that is not shown yet counts as the next.
        """
        timeline, row = self.timeline, self.timeline.row
        rows = Change().stops(timeline.recording)
        is_shown = timeline.phases_done == 0
        near = rows[rows >= row + is_shown] if forwards else rows[rows < row][::-1]
        return int(near[0]) if len(near) else None

    def to_last_write(self, entry: int) -> Search:
        """Find the last backup of an entry before this moment."""
        return partial(last_write, self.run, entry, self.timeline.place)

    def why(self, entry: int) -> Search:
        """Find the backups that made a value, newest first; None if none changed it."""
        run, timeline = self.run, self.timeline
        place, is_shown = timeline.place, timeline.at > timeline.row

        def look(*, progress: Callable[[float], None], stop: Callable[[], bool]) -> Why | None:
            until = TapePosition(place.game, place.row + is_shown)
            writer = last_write(run, entry, until, progress=progress, stop=stop)
            if writer is None:
                return None
            return explained(run, chain(run, writer, stop=stop), stop=stop, seconds=SOON)

        return look

    # the breakpoint

    def set_break(self, text: str) -> None:
        """Set the breakpoint, if its condition is one of this run."""
        parse(text).check(self.run.layout)
        self.breakpoint = text

    # the game that beats a player

    @property
    def coming_game(self) -> int:
        """The current game; if it is over and not a shown game, the next."""
        is_to_come = self.is_over and self.run is not self.shown_game
        return min(self.run.games, self.timeline.game + is_to_come)

    def refutation(self, side: Side) -> tuple[dict[int, int], Refutation] | None:
        """Return the game that beats a side as it plays before the current game, if any.

        With it come the moves to be given, cells 0-8 by ply: the opponent's, and those that the
        side may not make.
        """
        game = self.coming_game
        policy = EvaluatedState(self.run.layout, self.run.memory_at(game), game).greedy(side)
        found = likeliest_refutation(policy, side)
        if found is None:
            return None
        s, board, script = space(), 0, {}
        for ply, cell in enumerate(found.cells, 1):
            edge = s.edge_of[board, cell]
            if (ply - 1) % 2 != side or policy[edge] < 1.0:
                script[ply] = cell
            board = int(s.successor[board, cell])
        return script, found

    # the live numbers of a script

    def number(self, found: re.Match[str]) -> float | str:
        """Return a live number by its name and the parts of that."""
        name = found[0]
        if found["entry"]:
            return self._of_entry(found)
        if found["word"]:
            return self._of_player(found["word"], Side.parse(found["side"]))
        timeline, event, move = self.timeline, self.timeline.event, self.move_looked_at
        backups = [one for one in timeline.events_so_far() if isinstance(one, Backup)]
        known: dict[str, float | str] = {
            "games": self.run.games,
            "game": timeline.game + 1,
            "ply": self.board.ply,
            "written": sum(one.new != one.old for one in backups),
        }
        if move is not None:
            known |= {"player": move.player, "cell": move.cell + 1}
        if isinstance(event, Backup):
            known["change"] = event.new - event.old
        value: float | str | None = known.get(name, getattr(event, name, None))
        if value is None:
            raise UsageError(f"{name} is not known here: it needs a backup, a move or a result")
        return value

    def _of_entry(self, found: re.Match[str]) -> float:
        player, board = found["of"], found["board"]
        layout, v = self.run.layout, self.timeline.v
        if found["entry"] == "v*":
            values = true_values(layout, Side.parse(player), self.timeline.game)
            return float(values[Board.parse(board).id])
        entries = Wrote.read(player, board, found["cell"]).entries(layout)
        if len(entries) != 1:
            said = f"{player} keeps a value for each move here: V {player} {board}@5 is one"
            raise UsageError(said)
        return float(v[entries[0] + (len(v) // 2 if found["entry"] == "visits" else 0)])

    def _of_player(self, word: str, side: Side) -> float | str:
        spec = self.run.x if side is Side.X else self.run.o
        if word in REWARDS and spec.learns:
            return float(spec.rewards[REWARDS.index(word)])
        if word in spec.settings:
            option = next(option for option in spec.rule.options if option.name == word)
            return option.format(spec.settings[word])
        figure = next((figure for figure in FIGURES if figure.name == word), None)
        if figure is None or not spec.learns:
            raise UsageError(f"{spec} has no {shown(word)}")
        state = EvaluatedState(self.run.layout, self.timeline.v, self.timeline.game)
        value = figure.measure(state, side)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return float(figure.kind.number(value))

"""The lab without a screen: a line in, some lines out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from learners.errors import UsageError, shown
from learners.tape.run import Run
from tui.lab.modes import Mode
from tui.plain.commands import COMMANDS, WHERE, Command, help_lines, named, nearest, spelled
from tui.plain.handlers import Concerns
from tui.plain.speech import sentence

if TYPE_CHECKING:
    from learners.rules.spec import PlayerSpec
    from learners.store import LoadedRun
    from tui.lab.autosave import Keeper
    from tui.plain.session import PlainSession

HELP: Final = tuple(help_lines(Mode.PLAY))
"""What h tells while a person plays."""
NO_COMMAND: Final = "is no move and no command"
QUOTED: Final = 16
"""Characters of a line that means nothing that are told again."""
EXPERIMENTS: Final = (
    "The book's exercises run on the command line, with exact verdicts:",
    "afterstate experiment --list names them; afterstate experiment NAME runs one.",
)


def silent(line: str) -> None:
    """Say nothing."""


class Dialogue:
    """Somebody at the keyboard, and the lab's session.

    Args:
        run: the run that goes on at first.
        show: what is told before the other side moves: `values`, `exact` or `none`.
        keeper: saves what is played; None saves nothing.
        tell: says a line at once, while something long goes on.
    """

    def __init__(
        self,
        run: Run,
        show: str = "values",
        *,
        keeper: Keeper | None = None,
        tell: Callable[[str], None] = silent,
    ) -> None:
        self.is_over = False
        self._parts = Concerns(run, show, keeper, tell)
        self._last: list[str] = []
        self._own: dict[str, Callable[[str], list[str]]] = {
            "new": lambda text: self.new_game(),
            "play": self._play,
            "open": self._open,
            "players": self._players,
            "experiments": lambda text: list(EXPERIMENTS),
            "tour": self._tour,
            "where": lambda text: self._where(),
            "again": lambda text: self._last,
            "help": self._help,
            "quit": self._leave,
        }

    @property
    def session(self) -> PlainSession:
        """What goes on."""
        return self._parts.session

    @property
    def humans(self) -> str:
        """The sides on which people sit: X, O or XO."""
        return self.session.humans

    @property
    def prompt(self) -> str:
        """What asks for the next line."""
        mode, playing = self.session.mode, self._parts.playing
        if mode is Mode.STEP:
            return "stepping (h for help): "
        if mode is Mode.WATCH or playing.is_over:
            return "n for a new game, h for help: "
        return f"{playing.board.to_move}, your move (h for help): "

    def begin(self, loaded: LoadedRun | None = None) -> list[str]:
        """Begin a game; or go on with a run, in the middle of its game where it is in one."""
        self._last = self.new_game() if loaded is None else self._taken(loaded)
        return self._last

    def answer(self, line: str) -> list[str]:
        """Do what a line asks for, and tell what came of it."""
        text = " ".join(line.split())
        word, _, rest = text.partition(" ")
        mode = self.session.mode
        if not text and mode is Mode.STEP:
            word = "next"
        if mode is Mode.PLAY and is_number(text):
            told, name = self._parts.playing.move(int(word[:9]) - 1), "cell"
        elif (command := spelled(word, mode)) is not None:
            told = (self._own.get(command.word) or self._parts.answer_to(command.word))(rest)
            if command.word == "again":
                return told
            name = "one_event" if text == "watch event" else command.tour
        else:
            return [self._unknown(word.lower() if rest else text.lower(), word)]
        if self._parts.is_touring:
            told = [*told, *self._parts.touring.follow(name)]
        self._last = [*told, *self._parts.saved.keep()]
        return self._last

    def new_game(self) -> list[str]:
        """Begin a game; one that is not over is dropped."""
        return self._parts.playing.new_game()

    def close(self) -> None:
        """Save what is not saved yet."""
        self._parts.saved.close()

    def _unknown(self, text: str, word: str) -> str:
        """One sentence about a line that means nothing here."""
        if is_number(word) and self.session.mode is Mode.PLAY:
            return "A number alone marks a cell, 1 to 9."
        if is_number(word):
            return "A number marks a cell while you play; play goes to your game, help lists words."
        for command in named(word):
            return f"{command.word} works {WHERE[min(command.modes, key=list(Mode).index)]}."
        near = nearest(word)
        if near:
            return f"{shown(text, QUOTED)} {NO_COMMAND}: did you mean {near}?"
        letters = ", ".join(short_words(self.session.mode))
        cells = "1 to 9, " if self.session.mode is Mode.PLAY else ""
        return f"{shown(text, QUOTED)} {NO_COMMAND}: {cells}{letters} or q."

    def _play(self, text: str) -> list[str]:
        if self.session.return_to_game():
            return ["Back to your game.", *self._parts.playing.where()]
        return self.new_game()

    def _where(self) -> list[str]:
        if self.session.mode is Mode.PLAY:
            return self._parts.playing.where()
        if self.session.mode is Mode.STEP:
            return ["Stepping.", *self._parts.stepping.where()]
        return ["Between games; n begins one, w watches one.", *self._parts.stepping.where()]

    def _open(self, text: str) -> list[str]:
        loaded = self._parts.saved.load(text)
        return [loaded] if isinstance(loaded, str) else self._taken(loaded)

    def _taken(self, loaded: LoadedRun) -> list[str]:
        """What is told of a run that is gone on with."""
        lines = self._parts.saved.take(loaded)
        if self.session.mode is Mode.PLAY:
            return [*lines, *self._parts.playing.where()]
        return [*lines, "n begins a game, w watches one, step steps through the last."]

    def _players(self, text: str) -> list[str]:
        from tui.plain.players import chosen, players

        if not text:
            return players(self.session)
        settings = chosen(self.session, text)
        if isinstance(settings, str):
            return [settings]
        lines = self._parts.saved.keep(at_once=True)
        try:
            self.session.start(settings)
        except UsageError as error:
            return [sentence(str(error))]
        x, o = settings.x, settings.o
        lines.append(f"A new run: X is {x}, O is {o}, seed {settings.seed}.")
        if self.session.mode is Mode.PLAY:
            return [*lines, *self._parts.playing.where()]
        return [*lines, "n begins a game against O, w watches one, t trains."]

    def _tour(self, text: str) -> list[str]:
        return [*self._parts.saved.keep(at_once=True), *self._parts.touring.ask(text)]

    def _help(self, text: str) -> list[str]:
        from tui.plain.players import rule_lines

        if not text:
            return list(help_lines(self.session.mode))
        lines = [line for command in named(text) for line in command_help(command)]
        lines = lines or rule_lines(text.lower())
        if lines:
            return lines
        near = nearest(text)
        hint = f": did you mean help {near}?" if near else "; help alone lists all words."
        return [f"There is no help on {shown(text, QUOTED)}{hint}"]

    def _leave(self, text: str) -> list[str]:
        self.is_over = True
        return ["Bye."]


def is_number(word: str) -> bool:
    """Whether a word is a number in ASCII digits."""
    return word.isascii() and word.isdigit()


def short_words(mode: Mode) -> list[str]:
    """The letters that belong to a mode, and that for help."""
    of_mode = [c for c in COMMANDS if c.short and mode in c.modes and len(c.modes) < len(WHERE)]
    return [*(command.short for command in of_mode), "h"]


def command_help(command: Command) -> list[str]:
    """How a word is used."""
    return [f"{command.names}: {command.help}", *command.more]


def sit_down(x: PlayerSpec, o: PlayerSpec, seed: int) -> Run:
    """A run with a seat for a person.

    Raises:
        UsageError: nobody is a person.
    """
    if not (x.rule.human or o.rule.human):
        raise UsageError("play needs a person on one side: --x human or --o human")
    return Run.of(x, o, seed)

"""Every word that plain mode understands, once: the dialogue and its help are made from it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tui.lab.modes import Mode

ALL: Final = frozenset({Mode.PLAY, Mode.WATCH, Mode.STEP})
PLAY: Final = frozenset({Mode.PLAY})
STEP: Final = frozenset({Mode.STEP})
OUTSIDE: Final = frozenset({Mode.WATCH, Mode.STEP})
BOARD: Final = frozenset({Mode.PLAY, Mode.STEP})
BETWEEN: Final = frozenset({Mode.PLAY, Mode.WATCH})


@dataclass(frozen=True)
class Command:
    """Something that can be asked for."""

    word: str
    help: str
    """What it does, to follow the word and a colon."""
    short: str = ""
    modes: frozenset[Mode] = ALL
    more: tuple[str, ...] = ()
    """How it is used, in sentences."""
    aliases: tuple[str, ...] = ()
    tour: str = ""
    """What the lab calls it, for the tour."""

    @property
    def names(self) -> str:
        """All that it answers to: `undo, u`."""
        return ", ".join(filter(None, (self.word, self.short, *self.aliases)))


COMMANDS: Final[tuple[Command, ...]] = (
    Command("undo", "take back your last move.", "u", PLAY),
    Command("new", "a new game.", "n", BETWEEN),
    Command("swap", "swap sides, in a new game.", "s", PLAY),
    Command(
        "values", "what a learner expects of each move.", "v", BOARD,
        ("While you play: what a learner in your seat expects of each move.",
         "While stepping: the moves that were chosen from, best first, and the dice."),
    ),
    Command("exact", "what each move is really worth.", "e", BOARD),
    Command(
        "show", "what is told before the other side moves.", "", PLAY,
        ("show values: what it expects of each move.  show exact: what each is worth.",
         "show none: only its move."),
        tour="help_level",
    ),
    Command(
        "learning", "let the learner learn from your games, or not.", "", PLAY,
        ("It changes over each time; it counts from the next game on.",),
    ),
    Command("next", "the next phase of the update; so does an empty line.", "n", STEP,
            ("next: the next phase.  next event: the next event.  next game: the next game.",),
            tour="phase"),
    Command("back", "the phase before.", "b", STEP,
            ("back: the phase before.  back event: the event before.",
             "back game: the start of this game, or of the one before."),
            tour="phase_back"),
    Command("go", "to any game of the run.", "g", STEP,
            ("go 123: to game 123.  go 123.4: to its fourth move.",
             "go first, go last: to the ends of the run."),
            tour="go_to"),
    Command("break", "set the condition to which c and C run.", "", STEP,
            ("break error > .4: a TD error above .4.  break flip: a greedy move changes.",
             "break wrote X ....X....: that value of X is written.",
             "break exploratory, break first visit, break X loses, break draw, break game 9.",
             "Join them with and, or. break alone tells it; break off drops it."),
            tour="breaks"),
    Command("continue", "run on to the break.", "c", STEP, tour="to_break"),
    Command("reverse", "run back to the break.", "C", STEP, tour="back_to_break"),
    Command("writer", "go to who last wrote this value.", "", STEP, tour="last_writer"),
    Command("why", "the backups that made this value, newest first.", "y", STEP,
            tour="provenance"),
    Command("equation", "the update in numbers, with its line of code.", "=", STEP),
    Command("predict", "say what will be written, before it is.", "", STEP,
            ("At a target, predict .42: the value to be written.",
             "predict +, predict -, predict =: more, less, or the same. It is scored."),
            tour="predict"),
    Command("whatif", "this game again, same dice, with another player.", "", STEP,
            ("whatif q, whatif td:alpha=.5: who plays instead of the player told here.",)),
    Command("fork", "play this move differently, in a line of its own.", "", STEP,
            ("fork 5: mark cell 5 instead. Going on from there leaves the old line as it is.",
             "line: to the line that was forked, and back.")),
    Command("line", "to the line that was forked, and back.", "", ALL),
    Command("step", "step through what was learned.", "", BETWEEN),
    Command("play", "back to your game, or a new one.", "p", OUTSIDE),
    Command("watch", "watch the next move, and what is learned from it.", "w", ALL,
            ("watch: the next move.  watch event: the next event.  watch game: a whole game.",
             "At the end of the run the two learners play another game."),
            tour="watch"),
    Command("train", "let the two learners play each other.", "t", ALL,
            ("train 20000, train 100k, train 1m: so many games.",
             "train until unbeatable: until neither can be beaten.",
             "Ctrl-C stops it; what was learned is kept.")),
    Command("stats", "how good they are, exactly."),
    Command("table", "the values that were learned, a few at a time.", "", ALL,
            ("table: the player's whole table, what is written most often first.",
             "table O: of the other player.  table by error: largest error first.",
             "table visits>10 error>.1 ply=3 X.O...... never: only such entries.",
             "A board is nine characters, with ? for any; class takes its mirror images too."),
            tour="table"),
    Command("more", "the next lines of a list.", "m"),
    Command("runs", "the saved runs, the latest first.", "",
            more=("runs WORD: those with this word in name, note or players.",)),
    Command("open", "go on with a saved run.", "",
            more=("open 2: the second of the list.  open NAME: the one of this name.",)),
    Command("save", "give this run a name.", "",
            more=("save as NAME. What you do is saved by itself, after every line.",)),
    Command("compare", "this run beside a saved one.", "",
            more=("compare 2: the second of the list.  compare NAME: the one of this name.",
                  "It tells what differs, then the values that differ most.")),
    Command("note", "what this run is for.", "",
            more=("note TEXT: remember it.  note: tell it.  note off: forget it.",)),
    Command("delete", "delete a saved run.", "",
            more=("delete 2, delete NAME. restore brings back the one deleted last.",)),
    Command("restore", "bring back the run deleted last."),
    Command("players", "who plays; or begin a new run with others.", "",
            more=("players x td:alpha=.2: another X.  players o random: another O.",
                  "players td q: both.  players seed 7: the same players on other dice.",
                  "players recipe two-agents: the players of a recipe.",
                  "human is you. help td tells what td is and its options."),
            aliases=("setup",)),
    Command("experiments", "where the book's exercises are."),
    Command("tour", "begin the tour of a dozen lessons, or end it."),
    Command("where", "where you are.", "?"),
    Command("again", "the last thing said, once more.", "a"),
    Command("help", "this help.", "h", more=("help WORD: how a word is used.",)),
    Command("quit", "leave.", "q"),
)  # fmt: skip
"""In the order of the help."""
CELLS: Final = "1 to 9: mark that cell (1 2 3 is the top row)."
WHERE: Final = {
    Mode.PLAY: "while you play: play goes there",
    Mode.WATCH: "between games: watch goes there",
    Mode.STEP: "while stepping: step goes there",
}


def spelled(word: str, mode: Mode) -> Command | None:
    """The command that a word stands for in a mode; None where there is none."""
    in_mode = [command for command in COMMANDS if mode in command.modes]
    small = word.lower()
    for command in in_mode:
        if (word and word == command.short) or small in (command.word, *command.aliases):
            return command
    return next((command for command in in_mode if small and small == command.short), None)


def named(word: str) -> list[Command]:
    """The commands that a word stands for in any mode."""
    small = word.lower()
    return [c for c in COMMANDS if small in (c.word, *c.aliases) or (word and word == c.short)]


def nearest(word: str) -> str:
    """The known word that is most like another one; empty where none is."""
    known = [name for c in COMMANDS for name in (c.word, *c.aliases)]
    return next(iter(difflib.get_close_matches(word[:40].lower(), known, n=1)), "")


def help_lines(mode: Mode) -> Iterator[str]:
    """What can be said in a mode: a line each, then the words that are always understood."""
    if mode is Mode.PLAY:
        yield CELLS
    for command in COMMANDS:
        if mode in command.modes and (command.modes != ALL or command.word in ("help", "quit")):
            yield f"{command.names}: {command.help}"
    always = [c.names for c in COMMANDS if c.modes == ALL and c.word not in ("help", "quit")]
    yield f"Always: {'; '.join(always)}."
    yield "help WORD tells more."

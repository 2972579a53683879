"""Everything a user can ask for, once: keys, footer, palette and help, and plain mode's words.

`METHODS` of `tui.lab.controller` has what each command does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from afterstate_lab.tui.lab.modes import Mode

ALL = frozenset(Mode)
PLAY = frozenset({Mode.PLAY})
WATCH = frozenset({Mode.WATCH})
STEP = frozenset({Mode.STEP})
TRAIN = frozenset({Mode.TRAIN})
PLAIN = ALL - TRAIN
"""In plain mode a line waits until a training is over."""


class Tells(Enum):
    """What plain mode tells once a command is done; the screen shows it all the time."""

    NOTHING = auto()
    PLACE = auto()
    """The place on the tape."""
    FOUND = auto()
    """The same, and its number."""
    STEPPING = auto()
    """The same where stepping begins."""
    BRANCH = auto()
    """The place, the players and the board of another branch."""
    SELECTION = auto()
    BOARD = auto()
    """The board, or how the game ended."""
    GAME = auto()
    """A new game."""
    MOVE = auto()
    """The person's move, and the replies to it."""
    WHERE = auto()
    VALUES = auto()
    EXACT = auto()
    EQUATION = auto()
    STATS = auto()
    TOUR = auto()
    LESSON = auto()


@dataclass(frozen=True)
class Plain:
    """What to type for a command in plain mode."""

    line: str
    """A word, or a word and what stands behind it: `next event`."""
    help: str = ""
    """What it does, to follow the word and a colon; only the word by itself has help."""
    short: str = ""
    modes: frozenset[Mode] = PLAIN
    usage: tuple[str, ...] = ()
    """How it is used, in sentences."""
    also: tuple[str, ...] = ()
    """Other lines for the same."""
    done: str = ""
    """Said where the command was done and has nothing else to say."""
    tells: Tells = Tells.NOTHING
    wrong: str = ""
    """Said of a `{text}` behind the word that means nothing; without it the text is ignored."""
    first: str = ""
    """The command that takes what stands behind the word, before this one is done."""

    @property
    def word(self) -> str:
        """Its first word."""
        return self.line.partition(" ")[0]

    @property
    def is_word(self) -> bool:
        """Whether it is a word by itself, with help."""
        return " " not in self.line

    @property
    def names(self) -> str:
        """All that it answers to: `undo, u`."""
        aliases = (name for name in self.also if " " not in name)
        return ", ".join(filter(None, (self.line, self.short, *aliases)))


@dataclass(frozen=True)
class SameAs:
    """Plain mode does it by the line of another command."""

    line: str


@dataclass(frozen=True)
class NoWord:
    """Only the screen has it."""

    reason: str


class Screen(Enum):
    """What can be opened: the name of its file in `tui.screens`, where `open_on` has how."""

    HOME = "home"
    TABLE = "table"
    RUNS = "runs"
    EXPERIMENTS = "experiments"
    LESSONS = "lessons"
    SETUP = "setup"
    PROVENANCE = "provenance"
    REVIEW = "review"
    MATCHBOX = "matchbox"
    QUIZ = "quiz"
    FILM = "film"
    WHAT_IF = "what_if"
    COMPARISON = "comparison"
    HELP = "help"
    EXPLAIN = "explain"


@dataclass(eq=False)
class Command:
    """Something that can be asked for; a user may give it other keys (`tui.lab.own_keys`)."""

    name: str
    keys: tuple[str, ...]
    """Textual's names of the keys; none where the screen shows it unasked, or elsewhere."""
    shown: str
    """The keys as the footer and help write them."""
    label: str
    """In the footer: a word or two."""
    help: str
    """In help and palette: what it does."""
    modes: frozenset[Mode] = ALL
    footer: int = 0
    """Place in the footer, the smallest first; 0 is not there."""
    opens: Screen | None = None
    """The screen that it opens, where it does nothing else."""
    second: str = ""
    """A key that does the same, as help writes it beside the first."""
    plain: Plain | SameAs | NoWord | None = None
    usual: tuple[str, ...] = ()
    """The keys that it has by default, however they are named; only where it was given others."""

    @property
    def all_shown(self) -> str:
        """The keys as help writes them, those for other keyboards too."""
        return f"{self.shown} {self.second}".rstrip()

    def answers_to(self, key: str) -> bool:
        """Whether a key asks for it by default, by Textual's name or as it is written."""
        return key in (self.usual or (self.shown, self.second, *self.keys))


def plain_only(name: str, plain: Plain) -> Command:
    """A command without a key: the screen shows it unasked, or has it in the list of runs."""
    return Command(name, (), "", "", "", frozenset(), plain=plain)


PACE = NoWord("plain mode has no clock: it tells each event as soon as it is asked for")
REWIND = NoWord("while stepping, back goes back")
NUMBERS = NoWord("a number marks its cell at once")
STOPS = NoWord("Ctrl-C ends a training or a search")
LOOKS = NoWord("it changes what the terminal looks like")

ZOOM = Command("zoom", ("z",), "z", "",
    "one pane alone: that under the mouse, or the largest; again: all", plain=LOOKS)  # fmt: skip
EXPLAIN = Command("explain", ("i",), "i", "explain", "what a word, a sign or a number means",
    footer=97, opens=Screen.EXPLAIN, plain=Plain("what", "what a word of the lab means.",
        usage=("what is rms, what is alpha: a sentence, the formula, and what it is now.",)),
)  # fmt: skip
NEXT_PANE = Command("next_pane", ("Z",), "Z", "", "the next pane alone", plain=LOOKS)

COMMANDS: tuple[Command, ...] = (
    Command("run", ("space",), "space", "run/pause", "run or pause", WATCH | TRAIN, 1,
        plain=SameAs("watch game")),
    Command("stop", ("escape",), "esc", "stop", "stop training; what was learned stays", TRAIN, 2,
        plain=STOPS),
    Command("faster", ("plus", "equals_sign"), "+", "", "watch more moves a second", WATCH, 5,
        plain=PACE),
    Command("slower", ("minus",), "−", "speed", "watch fewer moves a second", WATCH, 6,
        plain=PACE),
    Command("move_back", ("left",), "←", "", "to the move before", WATCH, 1, plain=REWIND),
    Command("watch_move", ("right",), "→", "move", "watch one move, and what is learned from it",
        WATCH, 2,
        plain=Plain("watch", "watch the next move, and what is learned from it.", "w",
            usage=(
                "watch: the next move.  watch event: the next event.  watch game: a whole game.",
                "At the end of the run the two learners play another game."),
            also=("watch move",), tells=Tells.PLACE,
            wrong="{text} cannot be watched: watch move, watch event or watch game.")),
    Command("one_event", ("right_square_bracket", "full_stop"), "]", "event",
        "to the next event", WATCH, 4, second=".",
        plain=Plain("watch event", tells=Tells.PLACE)),
    Command("phase", ("right",), "→", "phase", "to the next phase of the update", STEP, 2,
        plain=Plain("next", "the next phase of the update; so does an empty line.", "n", STEP,
            usage=(
                "next: the next phase.  next event: the next event.  next game: the next game.",
                "next change: the next backup that changes a value.",),
            also=("next phase",), tells=Tells.PLACE,
            wrong="{text} is no step: next phase, next event, next change or next game.")),
    Command("phase_back", ("left",), "←", "", "to the phase before", STEP, 1,
        plain=Plain("back", "the phase before.", "b", STEP,
            usage=("back: the phase before.  back event: the event before.",
                   "back game: the start of this game, or of the one before.",
                   "back change: the last backup that changed a value."),
            also=("back phase",), tells=Tells.PLACE,
            wrong="{text} is no step: back phase, back event, back change or back game.")),
    Command("event_back", ("left_square_bracket", "comma"), "[", "",
        "to the event before", STEP | WATCH, 3,
        second=",", plain=Plain("back event", modes=STEP, tells=Tells.PLACE)),
    Command("event", ("right_square_bracket", "full_stop"), "]", "event",
        "to the next event", STEP, 4,
        second=".", plain=Plain("next event", modes=STEP, tells=Tells.PLACE)),
    Command("next_change", ("space",), "space", "change",
        "to the next backup that changes a value; past the end, plays on", STEP, 5,
        plain=Plain("next change", modes=STEP, tells=Tells.FOUND)),
    Command("change_back", ("backspace",), "Bksp", "",
        "to the last backup that changed a value", STEP,
        plain=Plain("back change", modes=STEP, tells=Tells.FOUND)),
    Command("game_back", ("left_curly_bracket", "left_parenthesis"), "{", "",
        "to the game before", STEP | WATCH, 8,
        second="(", plain=Plain("back game", modes=STEP, tells=Tells.PLACE)),
    Command("game", ("right_curly_bracket", "right_parenthesis"), "}", "game",
        "to the next game", STEP | WATCH, 9,
        second=")", plain=Plain("next game", modes=STEP, tells=Tells.PLACE)),
    Command("select", ("down", "tab"), "↓", "select",
        "select the next number (Tab), for writer and whence", STEP, 7,
        plain=Plain("select", "the next number of the update, in words.", "", STEP,
            usage=("select: the next number.  select back: the one before.  select off: none.",
                   "writer and why then ask about the selected value, here and elsewhere."),
            tells=Tells.SELECTION,
            wrong="{text} cannot be selected: select, select back or select off.")),
    Command("select_back", ("up", "shift+tab"), "↑", "",
        "select the one before (Shift+Tab); Esc: none", STEP, 6,
        plain=Plain("select back", modes=STEP, tells=Tells.SELECTION)),
    plain_only("unselect", Plain("select off", modes=STEP, done="Nothing is selected.")),
    Command("home", ("home",), "Home", "", "to the first event of the run", STEP | WATCH,
        plain=Plain("go first", modes=STEP, also=("go start",), tells=Tells.PLACE)),
    Command("end", ("end",), "End", "", "to the last event of the run", STEP | WATCH,
        plain=Plain("go last", modes=STEP, also=("go end",), tells=Tells.PLACE)),
    Command("go_to", ("g",), "g", "go", "go to any game, or game.ply.event.phase", STEP | WATCH, 10,
        plain=Plain("go", "to any game of the run.", "g", STEP,
            usage=("go 123: to game 123.  go 123.4: to its fourth move.",
                   "go 123.4.2: to the second event of that move.  go 123.4.1.2: its second phase.",
                   "go first, go last: to the ends of the run.  go ADDRESS: to another run."),
            tells=Tells.PLACE)),
    Command("film", ("m",), "m", "film", "play the whole run in some seconds; any key stops it",
        WATCH | TRAIN, 28, plain=SameAs("film")),
    plain_only("marks", Plain("film", "what happened first in this run, and in which game.",
        usage=("film: first wins, unbeatable players, the largest error. go 123 goes there.",
               "A first time need not be the last: a verdict can turn back."))),
    Command("next_mark", ("apostrophe",), "'", "", "to the next mark of the film: what came first",
        WATCH | TRAIN | STEP, plain=Plain("next mark", modes=STEP, tells=Tells.PLACE)),
    Command("mark_back", ("semicolon",), ";", "", "to the mark before",
        WATCH | TRAIN | STEP, plain=Plain("back mark", modes=STEP, tells=Tells.PLACE)),
    Command("to_break", ("c",), "c", "", "run on to the breakpoint", STEP, 12,
        plain=Plain("continue", "run on to the break.", "c", STEP,
            tells=Tells.FOUND, first="breaks")),
    Command("back_to_break", ("C",), "C", "break", "run back to the breakpoint", STEP, 13,
        plain=Plain("reverse", "run back to the break.", "C", STEP,
            tells=Tells.FOUND, first="breaks")),
    Command("breaks", ("b",), "b", "", "set the breakpoint", STEP, 11,
        plain=Plain("break", "set the condition to which c and C run.", "", STEP,
            usage=("break error > .4: a TD error above .4.  break flip: a greedy move changes.",
                   "break wrote X ....X....: that value of X is written.",
                   "break change: a backup changes a value.  break draw, break game 9.",
                   "break exploratory, break first visit, break X loses.",
                   "Join them with and, or. break alone tells it; break off drops it."))),
    Command("last_writer", ("B",), "B", "writer", "go to who last wrote this value", STEP, 16,
        plain=Plain("writer", "go to who last wrote this value.", "", STEP, tells=Tells.FOUND)),
    Command("provenance", ("r",), "r", "whence", "the backups that made this value", STEP, 17,
        plain=Plain("why", "the backups that made this value, newest first.", "y", STEP,
            usage=("why: what this value is made of, and its backups, a line each.",
                   "why 2: what the second line was made of; why 2.1: the first line of that."))),
    plain_only("equation", Plain("equation", "the update in numbers, with its line of code.", "=",
        STEP, tells=Tells.EQUATION)),
    Command("what_if", ("W",), "W", "what if",
        "the same game and dice under another rule", STEP, 16,
        plain=Plain("whatif", "this game again, same dice, with another player.", "", STEP,
            usage=("whatif q, whatif td:alpha=.5: who plays instead of the player told here.",
                   "next difference, back difference: where else the two games differ."))),
    plain_only("difference", Plain("next difference", modes=STEP)),
    plain_only("difference_back", Plain("back difference", modes=STEP)),
    Command("give_up", ("escape",), "esc", "", "give up a search or a selection; else watch",
        STEP | WATCH,
        plain=SameAs("select off")),
    plain_only("prediction", Plain("predict", "say what will be written, before it is.", "", STEP,
        usage=("At a target, predict .42: the value to be written.",
               "predict +, predict -, predict =: more, less, or the same. It is scored."),
        tells=Tells.PLACE)),
    Command("predict", ("y",), "y", "predict", "say what will be written before it is", STEP, 15,
        plain=SameAs("predict")),
    Command("quiz", ("Q",), "Q", "", "ten questions on the games of this run", PLAIN,
        plain=Plain("quiz", "questions on the games of this run, with a score.", "",
            usage=("quiz: ten questions. Answer with a word or a number; quiz off ends it.",))),
    plain_only("end_quiz", Plain("quiz off")),
    Command("matchbox", ("O",), "O", "", "the matchbox of this board, bead by bead",
        plain=Plain("box", "the matchbox of this board, and what this game did to its beads.",
            usage=("box: the boxes of this game so far, the latest first.",
                   "box XO.......: the box of that board; nine characters, . is empty."))),
    Command("fork", ("f",), "f", "fork",
        "play this move differently, in a line of its own", STEP, 14,
        plain=Plain("fork", "play this move differently, in a line of its own.", "", STEP,
            usage=("fork 5: mark cell 5 instead. Going on from there leaves the old line as it is.",
                   "line: to the line that was forked, and back."),
            tells=Tells.BRANCH)),
    Command("other_line", ("F",), "F", "", "to the line that was forked, and back", STEP | PLAY,
        plain=Plain("line", "to the line that was forked, and back.", done="The other line.",
            tells=Tells.BRANCH)),
    Command("refutation", ("J",), "J", "", "step through the game that beats a player, if any does",
        plain=Plain("beat", "the game that beats a player, if any does.",
            usage=("beat X, beat O: the game that beats this one.  line: back to the run.",),
            tells=Tells.BRANCH, wrong="{text} is no player: beat, beat X or beat O.")),
    plain_only("refutation_x", Plain("beat X", also=("beat x",), tells=Tells.BRANCH)),
    plain_only("refutation_o", Plain("beat O", also=("beat o",), tells=Tells.BRANCH)),
    Command("cell", tuple("123456789"), "1–9", "move", "mark a cell", PLAY, 1, plain=SameAs("5")),
    Command("cursor_left", ("left",), "arrows", "", "choose a cell", PLAY,
        plain=NUMBERS),
    Command("cursor_right", ("right",), "", "", "", PLAY, plain=NUMBERS),
    Command("cursor_up", ("up",), "", "", "", PLAY, plain=NUMBERS),
    Command("cursor_down", ("down",), "", "", "", PLAY, plain=NUMBERS),
    Command("mark", ("enter",), "Enter", "", "mark that cell; after a game: review it", PLAY,
        plain=SameAs("review")),
    plain_only("review", Plain("review", "your last game, move by move, and what it taught.",
        usage=("review: how good each move was, what it learned from you, what it does next.",))),
    Command("keypad", ("0",), "0", "", "number the cells like a keypad, or like a phone", PLAY,
        plain=NUMBERS),
    Command("take_back", ("u",), "u", "undo", "take back your last move", PLAY, 2,
        plain=Plain("undo", "take back your last move.", "u", PLAY,
            done="Taken back.", tells=Tells.BOARD)),
    Command("new_game", ("n",), "n", "new", "a new game", PLAY, 3,
        plain=Plain("new", "a new game.", "n", PLAY | WATCH, tells=Tells.GAME)),
    Command("swap", ("x",), "x", "sides", "swap sides, in a new game", PLAY, 5,
        plain=Plain("swap", "swap sides, in a new game.", "s", PLAY, tells=Tells.GAME)),
    plain_only("values", Plain("values", "what a learner expects of each move.", "v", PLAY | STEP,
        usage=("While you play: what a learner in your seat expects of each move.",
               "While stepping: the moves that were chosen from, best first, and the dice."),
        tells=Tells.VALUES)),
    plain_only("exact", Plain("exact", "what each move is really worth.", "e", PLAY | STEP,
        tells=Tells.EXACT)),
    plain_only("show", Plain("show", "what is told before the other side moves.", "", PLAY,
        usage=("show values: what it expects of each move.  show exact: what each is worth.",
               "show none: only its move."))),
    Command("help_level", ("h",), "h", "hints",
        "help: off, hint, ranks, the learner's values, exact values", PLAY, 4,
        plain=SameAs("show")),
    Command("learning", ("L",), "L", "learn", "let the learner learn from your games, or not", PLAY,
        plain=Plain("learning", "let the learner learn from your games, or not.", "", PLAY,
            usage=("It changes over each time; it counts from the next game on.",))),
    Command("scroll_up", ("pageup",), "PgUp", "", "scroll the log back", plain=LOOKS),
    Command("scroll_down", ("pagedown",), "PgDn", "", "scroll the log on", plain=LOOKS),
    plain_only("step_through", Plain("step", "step through what was learned.",
        tells=Tells.STEPPING)),
    plain_only("return_to_game", Plain("play", "back to your game, or a new one.", "p",
        WATCH | STEP, tells=Tells.GAME)),
    plain_only("own_game", Plain("play", "your game, as it stands.", "p", PLAY,
        done="This is your game.", tells=Tells.BOARD)),
    plain_only("watch_game", Plain("watch game", tells=Tells.PLACE)),
    Command("play", ("p",), "p", "play", "play against a learner", ALL, 22, plain=SameAs("play")),
    Command("watch", ("w",), "w", "watch", "watch the two players", ALL, 21, plain=SameAs("watch")),
    Command("step", ("s",), "s", "step", "step through what is learned", ALL, 20,
        plain=SameAs("step")),
    Command("train", ("t",), "t", "train", "train at full speed", ALL, 23,
        plain=Plain("train", "let the two learners play each other.", "t",
            usage=("train 20000, train 100k, train 1m: so many games.",
                   "train until unbeatable: until neither can be beaten.",
                   "Ctrl-C stops it; what was learned is kept."))),
    plain_only("stats", Plain("stats", "how good they are, exactly.", tells=Tells.STATS)),
    Command("setup", ("o",), "o", "setup", "choose players, options and seed", ALL, 24,
        plain=Plain("players", "who plays; or begin a new run with others.",
            usage=("players x td:alpha=.2: another X.  players o random: another O.",
                   "players td q: both.  players seed 7: the same players on other dice.",
                   "players recipe two-agents: the players of a recipe.",
                   "human is you. help td tells what td is and its options."),
            also=("setup",))),
    Command("table", ("v",), "v", "table", "every entry: value, exact value, visits", ALL, 25,
        opens=Screen.TABLE, plain=Plain("table", "the values that were learned, a few at a time.",
            usage=("table: the player's whole table, what is written most often first.",
                   "table O: of the other player.  table by error: largest error first.",
                   "table visits>10 error>.1 ply=3 X.O...... never: only such entries.",
                   "A board is nine characters, with ? for any; class takes its mirror images too.",
            ))),
    plain_only("more", Plain("more", "the next lines of a list.", "m")),
    Command("runs", ("R",), "R", "runs", "saved runs: open, compare, export", ALL, 26,
        plain=Plain("runs", "the saved runs, the latest first.",
            usage=("runs WORD: those with this word in name, note or players.",))),
    plain_only("open", Plain("open", "go on with a saved run, or open an address.",
        usage=("open 2: the second of the list.  open NAME: the one of this name.",
               "open ADDRESS: a run and a place; FILE behind it, where a player needs one."),
        tells=Tells.WHERE)),
    Command("address", ("Y",), "Y", "", "copy the address: it opens this run and place anywhere",
        plain=Plain("address", "the address of this run and place.",
            usage=("address: a line that opens this run and place anywhere.",
                   "open ADDRESS and go ADDRESS go there; so does afterstate ADDRESS."))),
    Command("lecture", ("asterisk",), "*", "", "return to the walkthrough, or skip ahead in it",
        plain=Plain("walkthrough", "return to the walkthrough, or skip ahead in it.", "l",
            usage=("walkthrough: to where it is now; or to its next moment, without waiting.",),
            also=("lecture",))),
    Command("remark", ("quotation_mark",), '"', "", "a remark, for those who follow",
        plain=Plain("remark", "tell those who follow something.",
            usage=("remark TEXT: it is recorded with this place.",))),
    plain_only("save", Plain("save", "give this run a name.",
        usage=("save as NAME. What you do is saved by itself, after every line.",))),
    plain_only("compare", Plain("compare", "this run beside a saved one.",
        usage=("compare 2: the second of the list.  compare NAME: the one of this name.",
               "It tells what differs, then the values that differ most."))),
    plain_only("note", Plain("note", "what this run is for.",
        usage=("note TEXT: remember it.  note: tell it.  note off: forget it.",))),
    plain_only("delete", Plain("delete", "delete a saved run.",
        usage=("delete 2, delete NAME. restore brings back the one deleted last.",))),
    plain_only("restore", Plain("restore", "bring back the run deleted last.",
        wrong="restore alone brings back the run that was deleted last.")),
    Command("experiments", ("E",), "E", "experiments",
        "the book's exercises, with exact verdicts", ALL, 27, opens=Screen.EXPERIMENTS,
        plain=Plain("experiments", "where the book's exercises are.")),
    Command("answer", ("enter",), "Enter", "", "answer the question of a lesson",
        WATCH | STEP | TRAIN,
        plain=Plain("answer", "answer the question of a lesson.",
            usage=("answer .75, answer X: what the lesson asked for.",))),
    Command("tour", ("T",), "T", "", "begin the tour, or end the lesson that goes on",
        plain=Plain("tour", "begin the tour, or end the lesson that goes on.", tells=Tells.TOUR,
            wrong="{text} is no part of the tour: tour, tour next, tour back, tour off.")),
    Command("lesson_back", ("less_than_sign",), "<", "", "in a lesson: to the step before",
        plain=Plain("tour back", tells=Tells.LESSON)),
    Command("lesson", ("greater_than_sign",), ">", "", "the lessons; in one: to the next step",
        plain=Plain("tour next", tells=Tells.LESSON)),
    plain_only("lessons", Plain("lessons", "the lessons that there are, to be begun.",
        usage=("lessons 3, lessons menace: that one begins.",
               "tour next: its next step.  tour back: the one before.  tour off: its end."))),
    plain_only("end_tour", Plain("tour off", tells=Tells.LESSON)),
    Command("theme", ("d",), "d", "", "dark or light", plain=LOOKS),
    ZOOM,
    NEXT_PANE,
    plain_only("where", Plain("where", "where you are.", "?", tells=Tells.WHERE)),
    plain_only("again", Plain("again", "the last thing said, once more.", "a")),
    EXPLAIN,
    Command("help", ("question_mark", "f1"), "?", "help", "this help", ALL, 98, opens=Screen.HELP,
        plain=Plain("help", "this help.", "h", usage=("help WORD: how a word is used.",))),
    Command("go_home", ("q", "H"), "q", "home", "go home (or H); again: leave the lab",
        ALL, 99, plain=Plain("home", "what the lab is, and the ways into it.")),
    Command("quit", (), "Ctrl-C", "quit", "leave the lab at once; all is saved", ALL,
        plain=Plain("quit", "leave.", "q")),
)  # fmt: skip
"""In the order of the help page."""


BY_NAME = {command.name: command for command in COMMANDS}


def key_of(name: str) -> str:
    """The key of a command, as it is written."""
    return BY_NAME[name].shown


def answers_elsewhere(key: str, mode: Mode) -> str:
    """What a key does in other modes, in a sentence; empty where it does nothing there either."""
    named = (c for c in COMMANDS if key in c.keys and c.help and mode not in c.modes)
    command = next(named, None)
    if command is None:
        return ""
    modes = [m for m in Mode if m in command.modes and m is not Mode.TRAIN]
    where = " or ".join(f"{m.value.upper()} ({key_of(m.value)})" for m in modes)
    return f"{command.shown} answers in {where}: {command.help}." if where else ""


NEEDS_TAPE = frozenset({"move_back", "event_back", "game_back", "go_to", "film", "take_back"})
"""Commands that do nothing before the first move."""


NEEDS_GAME = frozenset({"cell", "help_level"})
"""Commands that do nothing once the person's game is over."""
LAST = frozenset({"explain", "help"})
"""Commands that every page has at the end of its footer."""
NEEDS_TRAINING = frozenset({"run", "stop"})
"""Commands that do something else once a training is over."""


def footer(
    mode: Mode, *, is_empty: bool = False, is_over: bool = False
) -> tuple[list[tuple[str, Command]], list[Command]]:
    """The commands of a mode: those of the footer with their keys as it writes them, then the rest.

    Keys without a word join the next: `← → phase`.

    Args:
        mode: what the lab does.
        is_empty: nothing was played yet.
        is_over: the person's game, or the training, is over.
    """
    left_out = {mode.value} | (NEEDS_TAPE if is_empty else set())
    first: list[Command] = []
    if is_over and mode is Mode.PLAY:
        left_out |= NEEDS_GAME
        first = [replace(BY_NAME["mark"], label="review", footer=1)]
    elif is_over and mode is Mode.TRAIN:
        left_out = left_out - {mode.value} | NEEDS_TRAINING
    of_mode = [c for c in COMMANDS if mode in c.modes]
    near = [c for c in (*first, *of_mode) if c.footer and c.name not in (*left_out, *LAST)]
    shown: list[tuple[str, Command]] = []
    joined = ""
    for command in sorted(near, key=lambda c: c.footer):
        joined += f"{command.shown} "
        if command.label:
            shown.append((joined.rstrip(), command))
            joined = ""
    named = {command.name for _, command in shown}
    return shown, [c for c in of_mode if c.name not in named]

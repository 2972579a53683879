"""All commands, players, lessons, experiments, runs and words, searched by what you type."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.learners.experiments.plan import catalogue
from afterstate_lab.learners.players.resolve import recipes
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.toml_reader import packaged
from afterstate_lab.tui.blocks import Column, Room, Stack, Table, Text, Window
from afterstate_lab.tui.lab.autosave import store
from afterstate_lab.tui.lab.commands import key_of, written
from afterstate_lab.tui.lab.modes import Mode, Settings
from afterstate_lab.tui.lab.outcomes import Key, Open
from afterstate_lab.tui.lab.scripts import NAMES
from afterstate_lab.tui.pages.explain import GlossaryWord, explain, glossary
from afterstate_lab.tui.pages.lessons import lesson_items
from afterstate_lab.tui.pages.line import read_anywhere
from afterstate_lab.tui.pages.page import Leave, Page
from afterstate_lab.tui.pages.setup import is_own, settings_in
from afterstate_lab.tui.verbs import BY_NAME, COMMANDS

COLUMNS: Final = (Column("", 30, role="strong"), Column("", 40, grows=True))
KEYS: Final = (Column("", 8, role="key"), Column("", 68))
FEW: Final = 6
"""Rows of the words of a screen, which stays in view."""
IN_FULL: Final = 3.0
"""Higher than any partial match."""
FILLERS: Final = "do", "how", "is", "it", "my", "the", "to", "what"
"""Words of a question that name nothing."""


class Entry(NamedTuple):
    """A line of the palette."""

    name: str
    says: str
    do: Key | Callable[[], Any] | None
    """A key of the page in front, or what is done in the lab, with no page in front."""
    more: str = ""
    word: GlossaryWord | None = None
    """The word that it explains."""

    @property
    def title(self) -> str:
        return f"{self.name}: {self.says}"


class Palette:
    """The entries, and those that fit the typed text.

    Args:
        desk: the screen (`LabScreen`), which runs what is chosen.
        first: what to list until something is typed: words to explain, or keys with what they do.
    """

    def __init__(self, desk: Any, first: Sequence[GlossaryWord | tuple[str, str]] = ()) -> None:
        self.desk, self.lab = desk, desk.controller
        self.keys: Sequence[Key] = () if desk.is_in_lab else desk.page.keys
        """The keys of the page below, if that is not the lab."""
        self.first = [
            explaining(one) if isinstance(one, GlossaryWord) else Entry(*one, None) for one in first
        ]
        self.at = Window()
        self.type("")

    @cached_property
    def entries(self) -> list[Entry]:
        """Everything: the keys of the page below come first."""
        own = (
            Entry(f"{key.word} ({key.signs or written(key.key.split()[0])})", key.help, key)
            for key in self.keys
            if key.word and key.key and key.word != "back"
        )
        found: dict[str, Entry] = {}
        for entry in (*own, *self.commands(), *self.things()):
            found.setdefault(entry.title, entry)
        return [*found.values()]

    def type(self, text: str) -> None:
        """Find the entries that fit a text; a word in full and a typed line come first."""
        self.at.cursor, self.found = 0, self.first
        if text.strip() or not self.first:
            ranked = [(fit, entry) for entry in self.entries if (fit := rank(entry, text))]
            ranked.sort(key=lambda one: -one[0])
            least = min(1.0, ranked[0][0]) if ranked else 0.0
            fitting = (entry for fit, entry in ranked if fit >= least)
            self.found = [*self.typed_line(text), *fitting]

    def choose(self, row: object = None) -> Leave | None:
        """Press a key of the page below, or leave that page for what is done in the lab."""
        if not self.found:
            return None
        do = self.found[self.at.cursor].do
        if not callable(do):
            return Leave(do)
        self.desk.go_to_lab()
        return Leave(do())

    def page(self) -> Page:
        found, is_first = self.found, self.found is self.first
        is_help = is_first and self.first[0].word is None
        few = len(self.first) + 2 if is_help else FEW
        table = Table(
            KEYS if is_help else COLUMNS,
            found,
            lambda entry: (entry.name, entry.says),
            self.at,
            title="keys" if is_help else "on this screen" if is_first else "everything",
            right="" if is_help else f"{len(found):,}",
            heads=False,
            clicked=self.choose,
            height=Room(FEW, few) if is_first else None,
            message="" if found else "Nothing has these words.",
            spot=True,
        )
        chosen = found[self.at.cursor] if found else Entry("", "", None)
        told: tuple[str, ...] = f"{chosen.name}: {chosen.says}", chosen.more
        if chosen.word is not None:
            told = explain(chosen.word, self.lab.session if self.lab.is_started else None)
        if is_help or not found:
            told = ()
        keys = (
            Key("enter", "do" if chosen.do else "close", self.choose, "do it, or close"),
            Key("escape", "back", Leave, "back to where you were"),
        )
        body = Stack((table, Text([*filter(None, told)], rank=-1)))
        return Page("COMMANDS", body, keys=keys, typing=self.type, is_over=True)

    def commands(self) -> Iterator[Entry]:
        """Yield the commands by their help; a command of another mode starts that mode."""
        mode = self.lab.mode
        for command in sorted(COMMANDS, key=lambda command: mode not in command.modes):
            if command.help and command.name != "cell":
                named = command.label if command.label in command.words else command.line
                word = named or command.label or command.name.replace("_", " ")
                name = f"{word} ({command.shown})"
                yield Entry(name, command.help, partial(self.perform, command.name))

    def perform(self, name: str) -> None:
        """Run a command, in a mode in which it works."""
        modes = BY_NAME[name].modes
        if self.lab.mode not in modes:
            mode = next(mode for mode in Mode if mode in modes - {Mode.TRAIN})
            self.desk.action_perform(mode.value)
        if self.lab.mode in modes:
            self.desk.action_perform(name)

    def things(self) -> Iterator[Entry]:
        """Yield players, recipes, lessons, experiments, saved runs, and words to explain."""
        lab, set_up = self.lab, self.lab.set_up
        for mark, spec in (("X", lab.settings.x), ("O", lab.settings.o)):
            for option in filter(is_own, spec.rule.options):
                value = option.format(spec.settings[option.name])
                says = f"{option.help}: {value} ({option.range})"
                yield Entry(f"{option.name} of {mark}", says, partial(Open, "setup", lab.settings))
        for name, rule in rules().items():
            kind = "learner" if rule.learns else "opponent"
            for mark in "OX":
                with contextlib.suppress(UsageError):
                    settings = settings_in(f"{mark.lower()} {name}", lab.settings)
                    chosen = f"choose {kind} {name} as {mark}"
                    yield Entry(chosen, rule.summary, partial(set_up, settings))
        for recipe in recipes().values():
            settings = Settings(*recipe.players, recipe.seed or lab.given.seed)
            told = f"{recipe.did} Wrong in it: {recipe.wrong} Here: {recipe.corrected}"
            more = f"{told} Train {recipe.games:,} games."
            yield Entry(f"recipe {recipe.name}", recipe.title, partial(set_up, settings), more)
        for name, (_, title, about, how_far) in zip(NAMES, lesson_items(), strict=True):
            says = f"{about} ({how_far})"
            yield Entry(f"lesson {title}", says, partial(lab.begin_lesson, name))
        for plan in catalogue():
            show = partial(Open, "experiments", text=plan.name)
            yield Entry(f"experiment {plan.title}", plan.source, show, plan.question)
        with contextlib.suppress(UsageError, OSError):
            for run in () if lab.autosave is None else store().list():
                says = f"{run.x} v {run.o}, {run.games:,} games"
                yield Entry(f"run {run.name}", says, partial(lab.open_run, run), run.note)
        yield from map(explaining, glossary())

    def typed_line(self, typed: str) -> Iterator[Entry]:
        """Yield a typed command such as `break flip` or `go 424.3`, in this mode or another."""
        text = " ".join(typed.split())
        line, mode = read_anywhere(text, self.lab.mode) or (None, None)
        if line is not None and mode is not None and line.rest:
            says = line.command.help or line.command.says
            yield Entry(text, says, partial(self.desk.do_line, line, mode))


def explaining(word: GlossaryWord) -> Entry:
    return Entry(f"what is {', '.join(word.names)}", word.says, None, word=word)


def taught() -> list[tuple[str, str]]:
    """Return the dozen keys that reach everything, and what they do."""
    rows = []
    for names, says in packaged(Path(__file__).with_name("taught.toml"))["rows"]:
        signs = (":" if name == "palette" else key_of(name) for name in names.split())
        rows.append((" ".join(signs), says))
    return [*rows, ("", ""), ("", "Every command has a letter, too: type its name here.")]


def rank(entry: Entry, typed: str) -> float:
    """Return how well an entry fits a text: 1 if it has each word that is not a filler."""
    title, text = entry.title.lower(), " ".join(typed.lower().split())
    names = entry.word.names if entry.word else ()
    full = max(
        1.5 * title.startswith(f"{text} ("),
        1.2 * (f" {text} as " in entry.name),  # a player is chosen rather than explained
        text in map(str.lower, names),
    )
    if text in title:
        return IN_FULL * full + 2.0 + 1 / (2 + title.index(text))
    words = [word for word in text.split() if len(word) > 1 and word not in FILLERS] or text.split()
    share = sum(word in title for word in words) / len(words)
    return share + (share == 1 and words[-1] in entry.name) / 2

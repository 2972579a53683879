"""The glossary: explain a word, a symbol or a number on the screen, or any other word.

Each has a sentence, and maybe a formula, a source and its current value. `glossary.toml` has the
words; metrics, learners and options come from their own tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from afterstate_lab.game import Side
from afterstate_lab.learners.errors import did_you_mean, shown
from afterstate_lab.learners.judge.figures import BY_NAME
from afterstate_lab.learners.rules.equation import TermRole as Role
from afterstate_lab.learners.rules.spec import rules
from afterstate_lab.learners.toml_reader import packaged
from afterstate_lab.tui.blocks import spoken
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import sentence
from afterstate_lab.tui.lab.session import Session

Written = Callable[[str], str]
"""Returns a text in the terminal's characters."""
WORD_OF_ROLE: Final = {
    Role.OLD: "old", Role.NEW: "new", Role.READ: "target", Role.ENTRY: "V",
    Role.REWARD: "R", Role.TARGET: "target", Role.ERROR: "δ",
    Role.STEP: "α", Role.DISCOUNT: "γ", Role.TRACE: "z", Role.BEADS: "beads",
}  # fmt: skip
"""The glossary's word for a number selected under the microscope."""


@dataclass(frozen=True)
class GlossaryWord:
    word: str
    says: str
    """One sentence, without its full stop."""
    formula: str = ""
    source: str = ""
    """The book's section (S&B), or a paper."""
    labels: tuple[str, ...] = ()
    """Its other spellings on screens."""
    figure: str = ""
    """The exact metric that gives its current value, if any."""
    group: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The terms and signs that show it on a screen."""
        return (self.word, *self.labels)


@cache
def glossary() -> tuple[GlossaryWord, ...]:
    """Return all words; of two with one name, the first counts."""
    return tuple(words())


def words() -> Iterator[GlossaryWord]:
    """Yield the words of `glossary.toml`, then the learners and opponents, and their options.

    The first word of a metric has its names in experiments and columns too.
    """
    groups, named = packaged(Path(__file__).with_name("glossary.toml")), set()
    for group, words in groups.items():
        for word, told in words.items():
            labels = told.pop("labels", ())
            figure = BY_NAME.get(told.get("figure", ""))
            if figure is not None:
                told = {"says": figure.meaning, "formula": figure.follows} | told
                if figure.name not in named:
                    columns = {figure.label, *(figure.symbol.format(x).strip() for x in "XO"), ""}
                    labels = [*labels, figure.name, *sorted(columns)]
                named.add(figure.name)
            own = tuple(name for name in dict.fromkeys(labels) if name not in ("", word))
            yield GlossaryWord(word, labels=own, group=group, **told)
    options: dict[str, GlossaryWord] = {}
    for rule in rules().values():
        equation = str(rule.equation)
        yield GlossaryWord(rule.name, rule.summary, equation, rule.source, group="players")
        for option in rule.options:
            told = GlossaryWord(option.name, option.help, f"range: {option.range}", group="options")
            options.setdefault(option.name, told)
    yield from options.values()


EVERYDAY: Final = re.compile(
    "by|done|drawn|drew|every|first|if|learn|left|los[et]|moves|next|now|old|over"
    "|played|right|run|seen|step|taken|was|worst|worth|writes?"
)
"""Terms that are also plain English: between two other words they are none."""
NUMBERED: Final = str.maketrans({0x2080 + digit: "ₜ" for digit in range(10)})
"""Turns S₀ and S₁₂ into Sₜ."""


@cache
def pattern(text: Written) -> tuple[re.Pattern[str], dict[str, GlossaryWord]]:
    """Return a pattern that finds the words on a screen, and the meaning of each match."""
    known: dict[str, GlossaryWord] = {}
    for word in glossary():
        for name in word.names:
            known.setdefault(text(name).translate(NUMBERED), word)
    names = sorted((name for name in known if name), key=len, reverse=True)
    parts = (rf"(?<!'){edge(name[0], '<')}{re.escape(name)}{end(name)}" for name in names)
    return re.compile("|".join(parts).replace("ₜ", "ₜ+")), known


def edge(character: str, behind: str) -> str:
    """Return a pattern for a word boundary; a sign needs none."""
    return f"(?{behind}![^\\W\\d])" if character.isalnum() else ""


def end(name: str) -> str:
    """Return a pattern for what may follow a name."""
    alone = rf"(?:(?<!\S {name})|(?! [\w.]|[.,;:?]))"
    return edge(name[-1], "") + alone * bool(EVERYDAY.fullmatch(name))


def words_in(line: str, text: Written = str) -> Iterator[tuple[re.Match[str], GlossaryWord]]:
    """Yield the glossary's words in a line and where they stand, from left to right."""
    regex, known = pattern(text)
    for match in regex.finditer(line.translate(NUMBERED)):
        yield match, known[re.sub("ₜ+", "ₜ", match[0])]


def look_up(text: str) -> GlossaryWord | None:
    """Return the likeliest meaning of a text, if it has one."""
    wanted = " ".join(text.split())
    parts = wanted.lower().split()

    def rank(word: GlossaryWord) -> int:
        if wanted in word.names:
            return 0
        names = [name.lower() for name in word.names]
        if wanted.lower() in names:
            return 1
        if len(wanted) == 1:
            return 4
        if any(name.startswith(wanted.lower()) for name in names):
            return 2
        told = f"{' '.join(names)} {word.says} {word.formula}".lower()
        return 3 if all(part in told for part in parts) else 4

    found = min(glossary(), key=rank)
    return found if parts and rank(found) < 4 else None


def explain(word: GlossaryWord, session: Session | None = None) -> tuple[str, ...]:
    """Return the sentence about a word and its details, with its current value in a session."""
    now = []
    if session is not None and word.figure:
        figure = BY_NAME[word.figure]
        now = [
            f"{side.mark} {figure.kind.text(one[figure])}"
            for side, one in zip(Side, session.evaluation, strict=True)
            if one is not None and figure.name in one.values
        ]
    told = (("Formula", word.formula), ("Source", word.source), ("Here and now", "  ".join(now)))
    return (sentence(word.says), *(f"{label}: {text}" for label, text in told if text))


FILLERS: Final = re.compile(r"^((is|are|does|a|an|the) )+|( means?)+$")


def asked_for(text: str) -> GlossaryWord | None:
    """Return the subject of a question such as `is the rms`, if there is one."""
    return look_up(FILLERS.sub("", text.rstrip(" ?")))


def words_on(
    lines: Sequence[str], page: str, session: Session | None, written: Written
) -> list[GlossaryWord]:
    """Return the words on screen, first the selected number's, or the page's in three sentences.

    Args:
        lines: the text of the screen.
        page: the name of the page in front.
        session: has the selected number; None before the first move.
        written: returns a text in the terminal's characters.
    """
    selected = session.selection if session is not None and page == Mode.STEP.name else None
    first = look_up(page if selected is None else WORD_OF_ROLE[selected.role])
    found = (word for line in lines[1:-1] for _, word in words_in(line, written))
    return list(dict.fromkeys(filter(None, (first, *found))))


def explanation(session: Session, text: str) -> list[str]:
    """Return the sentences about a word of the lab, for plain mode."""
    if not text:
        return ["what is rms, what is alpha, what is a backup: any word of the lab has a sentence."]
    word = asked_for(text)
    if word is None:
        names = [name for one in glossary() for name in one.names]
        hint = did_you_mean(text, names) or "; alpha, rms, backup and 300 others are."
        return [f"{shown(text[:40])} is not in the glossary{hint}"]
    says, *more = explain(word, session)
    return [spoken(line) for line in (f"{word.word}: {says}", *map(sentence, more))]

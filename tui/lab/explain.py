"""A word of the glossary explained: what it means, its formula and source, and what it is now."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from game import Side
from learners.errors import shown
from learners.judge.figures import FIGURES
from learners.tape.events import Backup
from tui.lab.glossary import GlossaryWord, glossary, look_up
from tui.lab.labels import SHORT
from tui.lab.outcomes import sentence
from tui.lab.panes import shown_results
from tui.theme.numerals import decimals, percents, signed
from tui.views.update import Role

if TYPE_CHECKING:
    from tui.lab.session import Session

BY_FIGURE: Final = {figure.name: figure for figure in FIGURES}
OPTIONS: Final = {short: name for name, short in SHORT.items()}
WORD_OF_ROLE: Final = {
    Role.OLD: "old", Role.NEW: "new", Role.READ: "target", Role.ENTRY: "V", Role.MEAN: "Q",
    Role.REWARD: "R", Role.TARGET: "target", Role.ERROR: "δ", Role.CHANGE: "step",
    Role.STEP: "α", Role.DISCOUNT: "γ", Role.TRACE: "z", Role.BEADS: "beads",
}  # fmt: skip
"""What a number that is selected under the microscope is called."""


@dataclass(frozen=True)
class Explanation:
    """What there is to say of a word."""

    word: str
    says: str
    """A sentence."""
    formula: str = ""
    source: str = ""
    now: str = ""
    """What it is at the place that is looked at."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentence, then what else there is."""
        told = (
            ("Formula", self.formula),
            ("Source", self.source),
            ("Here and now", self.now),
        )
        return (self.says, *(f"{label}: {text}" for label, text in told if text))


def explain(word: GlossaryWord, session: Session | None = None) -> Explanation:
    """Explain a word, with its figures at the place that a session looks at."""
    now = "" if session is None else value_now(word, session)
    return Explanation(word.word, sentence(word.says), word.formula, word.source, now)


def value_now(word: GlossaryWord, session: Session) -> str:
    """What a word stands for at the place that is looked at; empty where it is no number there."""
    run, timeline = session.run, session.timeline
    if word.figure:
        figure = BY_FIGURE[word.figure]
        if figure.follows == "counted":
            results = shown_results(session) or (0, 0, 0)
            parts = percents([part / max(1, sum(results)) for part in results])
            won, drawn, lost = (f"{part:.0f}%" for part in parts)
            x = {"won": won, "drawn": drawn, "lost": lost}
            o = {"won": lost, "drawn": drawn, "lost": won}
            return f"X {x[figure.name]}, O {o[figure.name]}" if sum(results) else ""
        sides = zip(Side, session.evaluation, strict=True)
        return "  ".join(
            f"{side.mark} {figure.kind.text(found[figure])}"
            for side, found in sides
            if found is not None and figure.name in found.values
        )
    name = OPTIONS.get(word.word, word.word)
    settings = [
        f"{mark} {option.format(spec.settings[name])}"
        for mark, spec in (("X", run.x), ("O", run.o))
        for option in spec.rule.options
        if option.name == name
    ]
    if settings:
        return "  ".join(settings)
    told = {
        "game": f"{timeline.game + 1:,} of {max(run.games, timeline.game + 1):,}",
        "seed": str(run.seed), "X": str(run.x), "O": str(run.o),
    }  # fmt: skip
    event = timeline.event
    if isinstance(event, Backup):
        told |= {
            "old": decimals(event.old, 6), "new": decimals(event.new, 6),
            "target": decimals(event.target, 6), "δ": signed(event.error, 6),
            "step": signed(event.new - event.old, 6),
        }  # fmt: skip
    return told.get(word.word, "")


def selected_word(session: Session) -> GlossaryWord | None:
    """The word of the number that is selected under the microscope."""
    selection = session.selection
    return None if selection is None else look_up(WORD_OF_ROLE[selection.role])[0]


FILLERS: Final = ("is", "are", "does", "mean", "means", "a", "an", "the")


def asked_for(text: str) -> list[GlossaryWord]:
    """The words that a question such as `is the rms` may be about, the likeliest first."""
    words = text.rstrip(" ?").split()
    while len(words) > 1 and words[0] in FILLERS:
        words.pop(0)
    while len(words) > 1 and words[-1] in ("mean", "means"):
        words.pop()
    return look_up(" ".join(words))


def not_found(text: str) -> str:
    """What is said of a text that is no word of the glossary."""
    names = [name for word in glossary() for name in word.names]
    near = difflib.get_close_matches(text[:40], names, n=1)
    hint = f": did you mean {near[0]}?" if near else "; alpha, rms, backup and 300 others are."
    return f"{shown(text[:40])} is no word of the glossary{hint}"

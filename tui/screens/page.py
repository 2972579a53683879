"""The lines around a page: its title and tabs, its footer, and the help on its keys."""

from __future__ import annotations

from collections.abc import Sequence

from afterstate_lab.tui.blocks.span import Line, Pen, blank, fit, on, spread, whole_words, width
from afterstate_lab.tui.lab.commands import Command, written
from afterstate_lab.tui.lab.labels import short_name
from afterstate_lab.tui.lab.modes import Mode
from afterstate_lab.tui.lab.outcomes import Key
from afterstate_lab.tui.pages.page import Page
from afterstate_lab.tui.theme.glyphs import Glyphs
from afterstate_lab.tui.verbs import BY_NAME

SHARED = (("↑ ↓", "move"),)
LAST = ((":", "all"), ("?", "help"))
ANSWERING = (("Enter", "takes it"), ("Esc", "leaves"))
OWN = (("i", "explain a word"), (":", "any command in words; each shows its letter"))
"""Commands of every page."""
MARKS = {"X": "x_strong", "O": "o_strong"}
"""Roles of the players' names in the top line."""
LEAST_PLAYER = 5
"""Minimum number of characters of a player's name."""
WIDE = 100
"""With this many columns, every top line has the name of the program."""
MOST = 8
"""Maximum number of entries of the footer."""


def top(page: Page, columns: int, pen: Pen) -> Line:
    """Return the first line: the title, and as many fields as fit."""
    is_named, is_tab = columns >= WIDE or not page.title, False
    head: Line = (("afterstate ", "strong"),) if is_named else ()
    for tab in tabs_of(page):
        is_here = tab.name == page.name.lower()
        is_tab = is_tab or is_here
        roles = ("tag", "tag") if is_here else ("key", "dim")
        name = page.name if is_here else tab.name
        head = (*head, (f" {tab.shown}", roles[0]), (f" {name} ", roles[1]))
    head = pen.line(head if is_tab else (*head, (f" {page.name} ", "tag")))
    right = (*pen.line(page.right), *blank(1))
    line: Line = (*blank(1), *head, *blank(1)) if is_named else head
    room = columns - width(line) - width(right) - 1
    fields = shortened(page.title[:4], room - 1)
    for label, value in (*fields, *page.title[len(fields) :]):
        more = (*blank(2), *pen.line(((f"{label} ", MARKS.get(label, "dim")), (value, "text"))))
        room = columns - width(line) - width(right) - 1
        if width(more) > room and label == page.title[0][0]:
            more = (*whole_words(more, room - 1), pen.piece("…", "dim"))
        if width(more) > room:
            break
        line = (*line, *more)
    return on(spread(line, right, columns), "bar")


def tabs_of(page: Page) -> list[Command]:
    """Return the commands of the four tabs; none where letters are typed."""
    return [BY_NAME[mode.value] for mode in Mode] if page.typing is None else []


def taken(fields: Sequence[tuple[str, str]]) -> int:
    return sum(len(label) + len(value) + 3 for label, value in fields)


def shortened(title: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """Shorten two players and some fields: both lose their options, then the longer name letters.

    Without room for them all even so, the last field is dropped.
    """
    if taken(title) <= room:
        return list(title)
    fields = [(label, short_name(value) if label in MARKS else value) for label, value in title]
    is_own = any(".py:" in value for _, value in title)  # shown whole
    while taken(fields) > room:
        label, name = long = max(fields, key=lambda field: len(field[1]) * (field[0] in MARKS))
        if is_own or label not in MARKS or len(name) <= LEAST_PLAYER:
            return shortened(title[:-1], room) if len(title) > len(MARKS) else fields
        fields[fields.index(long)] = label, f"{name.removesuffix('…')[:-1]}…"
    return fields


def footer(page: Page, columns: int, pen: Pen, is_asked: bool = False) -> Line:
    """Return the last line: the most important keys first; help and the way out always fit."""
    told = [*SHARED] * (page.window is not None)
    told += [(shown(key), key.word) for key in page.keys if key.word and not key.hidden]
    *others, out = [(closed(signs, pen.glyphs), word) for signs, word in told if signs]
    kept = [*(LAST if page.typing is None else ()), out]
    if is_asked:
        others, kept = [], list(ANSWERING)
    entries = {
        pair: (pen.piece(pair[0], "key"), pen.piece(f" {pair[1]}", "dim"), *blank(2))
        for pair in (*others[: MOST - len(kept)], *kept)
    }
    room = columns + 1 - sum(width(entries[pair]) for pair in kept)  # none at the end
    line: Line = blank(1)
    for pair, entry in entries.items():
        if pair in kept:
            line = (*line, *entry)
        elif width(entry) <= room:
            line, room = (*line, *entry), room - width(entry)
    return fit(line, columns)


def shown(key: Key) -> str:
    """Return a key's signs in the footer, by default its first key, if any."""
    return key.signs or written(key.key.partition(" ")[0])


def closed(signs: str, glyphs: Glyphs) -> str:
    """Return signs in the terminal's characters: two arrows are joined, two words are not."""
    parts = glyphs.text(signs).split()
    return ("" if max(map(len, parts), default=0) == 1 else " ").join(parts)


def help_of(page: Page) -> list[tuple[str, str]]:
    """Return a page's keys, then those of every page, with what they do."""
    keys = [key for key in page.keys if key.key and (key.word or key.help)]
    digits = [key.key for key in keys if key.word.isdecimal()]
    row = f"{digits[0]}–{digits[-1]}" if digits else ""
    told = dict.fromkeys(
        (row if key.word.isdecimal() else shown(key), key.help or key.asks or key.word)
        for key in keys
    )
    tabs = " ".join(tab.shown for tab in tabs_of(page))
    lead = [(tabs, "lead to the tabs: play, watch, step, train")] * bool(tabs)
    taken = {key for key, _ in told}
    others = [(key, what) for key, what in OWN if key not in taken]
    return [*told, ("", ""), *lead, *others]

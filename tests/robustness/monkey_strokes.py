"""What a monkey does to a terminal: a pure function of its seed, so that it can do it again.

It knows the keys of every screen and goes on trips: it opens a screen, and hits keys there, mostly
its own, now and then any key, the mouse, a paste, bytes that mean nothing, or the window's edge.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from monkey_texts import TEXTS, garbage, odd_text
from textual.keys import _character_to_key

from afterstate_lab.tui.lab.commands import COMMANDS, Command
from afterstate_lab.tui.lab.modes import Mode

ESCAPE = b"\x1b[27u"
"""Esc as terminals with the newer key protocol send it: nothing has to be waited for."""
BYTES = {
    "up": b"\x1b[A", "down": b"\x1b[B", "right": b"\x1b[C", "left": b"\x1b[D",
    "home": b"\x1b[H", "end": b"\x1b[F", "pageup": b"\x1b[5~", "pagedown": b"\x1b[6~",
    "f1": b"\x1bOP", "shift+tab": b"\x1b[Z", "enter": b"\r", "tab": b"\t", "backspace": b"\x7f",
    "delete": b"\x1b[3~", "escape": ESCAPE,
} | {_character_to_key(chr(code)): bytes([code]) for code in range(32, 127)}  # fmt: skip
"""What a terminal sends for Textual's names of keys."""
CLEAR = b"\x15"
"""Empties the line of a question."""
LONGEST_TYPED = 60
"""Characters; longer texts are pasted."""
SIZES = ((80, 24), (80, 24), (80, 24), (120, 40), (120, 40), (79, 23), (40, 12), (200, 60), (1, 1))
LARGEST = 500, 200


@dataclass(frozen=True)
class Stroke:
    """One thing that the monkey does."""

    data: bytes = b""
    """What the terminal sends."""
    size: tuple[int, int] | None = None
    """The window's new columns and rows."""
    settles: bool = True
    """Whether the lab may finish before the next stroke."""
    waits: bool = False
    """Whether what it started in the background may finish, too."""
    compares: bool = False
    """Whether what the terminal shows is then compared with a full repaint."""
    leaves: bool = False
    """Whether a lab that is asked to may really be left; else it stays open."""


def keys_of(commands: Sequence[Command], mode: Mode | None = None) -> tuple[bytes, ...]:
    """The keys of commands, of one mode where the mode counts."""
    return tuple(
        BYTES[key]
        for command in commands
        for key in command.keys
        if mode is None or mode in command.modes
    )


def each(keys: bytes) -> tuple[bytes, ...]:
    """The keys of a row of letters, one by one: a row itself would be taken for numbers."""
    return tuple(bytes([key]) for key in keys)


BYTES_OF_CELLS = each(b"123456789")
PAGE_KEYS = tuple(
    BYTES[key] for key in (*"uaizZq", "up", "down", "left", "right", "end", "tab", "enter")
)
"""What pages take."""
MOVES_IN_SETUP = ("up", "down", "left", "right", "pageup", "pagedown")


class Monkey:
    """Does things for ever.

    Args:
        seed: the same seed, the same things.
    """

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._columns, self._rows = SIZES[0]

    def strokes(self) -> Iterator[Stroke]:
        """All that it does, in its order."""
        trips: dict[Callable[[], Iterator[Stroke]], int] = {
            self._play: 3, self._watch: 2, self._step: 5, self._train: 14, self._setup: 3,
            self._table: 4, self._runs: 5, self._experiments: 5, self._anywhere: 2,
            self._what_if: 3, self._provenance: 3, self._refutation: 2, self._review: 2,
            self._doors: 2, self._storm: 6, self._leave: 1,
        }  # fmt: skip
        while True:
            (trip,) = self._dice.choices(list(trips), list(trips.values()))
            yield from trip()

    def _play(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._type(b"p")
        yield from self._hit(keys_of(COMMANDS, Mode.PLAY) + BYTES_OF_CELLS * 3, 40)

    def _watch(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._type(b"w", b" ", b"+", b"+")
        yield from self._hit(keys_of(COMMANDS, Mode.WATCH), 25)

    def _step(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._type(b"s")
        if self._dice.random() < 0.5:
            yield from self._answer(b"b", TEXTS["break"])
            yield from self._type(self._dice.choice((b"c", b"C")))
        if self._dice.random() < 0.2:
            yield from self._answer(b"y", ())
        yield from self._hit(keys_of(COMMANDS, Mode.STEP), 40)

    def _train(self) -> Iterator[Stroke]:
        """Train, and look at everything else meanwhile."""
        yield from self._go_home()
        if self._dice.random() < 0.2:
            yield from self._answer(b"t", TEXTS["train"])
            yield from self._hit(keys_of(COMMANDS, Mode.TRAIN), 20)
            return
        looks = (self._table_keys, self._runs_keys, self._experiments_keys, self._help_keys)
        yield from self._train_long()
        for _ in range(self._dice.randint(2, 6)):
            yield from self._dice.choice(looks)()
            yield from self._type(*[ESCAPE] * self._dice.randint(1, 3))
            yield from self._train_long()
            yield from self._hit((b" ", b"d", b"?", BYTES["pageup"], b"T"), 4)

    def _setup(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._type(b"o")
        specs = TEXTS["players"] if self._dice.random() < 0.8 else TEXTS["names"]
        for texts in (specs, specs, TEXTS["seed"], TEXTS["recipe"]):
            if self._dice.random() < 0.6:
                yield from self._type(CLEAR)
                yield from self._write(texts)
            yield from self._hit(tuple(BYTES[key] for key in MOVES_IN_SETUP), 3)
            yield from self._type(b"\t")
        yield from self._type(b"\r", *([ESCAPE] * self._dice.randint(0, 1)))

    def _table(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._table_keys()

    def _table_keys(self) -> Iterator[Stroke]:
        yield from self._type(b"v")
        if self._dice.random() < 0.6:
            yield from self._answer(b"/", TEXTS["filter"])
        yield from self._hit(PAGE_KEYS, 25)

    def _runs(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._runs_keys()

    def _runs_keys(self) -> Iterator[Stroke]:
        yield Stroke(b"R", waits=True)
        for _ in range(self._dice.randint(1, 4)):
            yield from self._hit((BYTES["down"], BYTES["down"], BYTES["up"], b"\x1b[6~"), 4)
            kind = self._dice.choice(("name", "note", "export", "search", "compare", "delete"))
            if kind == "compare":
                yield Stroke(b"A")
                yield Stroke(BYTES["down"])
                yield Stroke(b"A", waits=True)
                yield from self._hit(PAGE_KEYS, 6)
                yield from self._type(b"q")
            elif kind == "delete":
                yield Stroke(b"D", waits=True)
                yield Stroke(self._dice.choice((b"u", b"D", b"")), waits=True)
            else:
                key = {"name": b"e", "note": b"N", "export": b"X", "search": b"/"}[kind]
                yield from self._answer(key, TEXTS[kind])
        yield from self._hit(PAGE_KEYS, 12)

    def _experiments(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._experiments_keys()

    def _experiments_keys(self) -> Iterator[Stroke]:
        yield from self._type(b"E")
        if self._dice.random() < 0.6:
            yield from self._answer(b"/", TEXTS["plan"])
        else:
            yield from self._type(*[BYTES["down"]] * self._dice.randint(0, 8), b"\r")
        if self._dice.random() < 0.5:
            yield from self._answer(b"I", TEXTS["seeds"])
        if self._dice.random() < 0.5:
            yield from self._answer(b"G", TEXTS["games"])
        if self._dice.random() < 0.3:
            yield from self._answer(b"P", TEXTS["sweep"])
        yield from self._answer(b" ", TEXTS["note"])
        yield from self._hit(PAGE_KEYS, 25)

    def _help_keys(self) -> Iterator[Stroke]:
        yield from self._type(b"?")
        yield from self._hit((b"j", b"k", BYTES["down"], BYTES["pageup"], b" "), 5)
        yield from self._type(b":")
        yield from self._hit((b"t", b"e", BYTES["down"], BYTES["up"], b"\r", ESCAPE), 8)

    def _anywhere(self) -> Iterator[Stroke]:
        """Any key, wherever this is; sometimes with the tour going on."""
        if self._dice.random() < 0.5:
            yield from self._type(ESCAPE, ESCAPE, b"T")
        everything = tuple(BYTES.values())
        yield from self._hit(everything, 60)
        yield from self._help_keys()

    def _somewhere_in_a_game(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield from self._answer(b"t", ("50", "300"))
        yield Stroke(waits=True)
        yield from self._type(b"s", BYTES["home"], *[b"]"] * self._dice.randint(1, 9))

    def _what_if(self) -> Iterator[Stroke]:
        yield from self._somewhere_in_a_game()
        yield from self._answer(b"W", TEXTS["players"], waits=True)
        yield from self._hit(PAGE_KEYS + each(b"[]cC,."), 20)

    def _provenance(self) -> Iterator[Stroke]:
        yield from self._somewhere_in_a_game()
        yield Stroke(b"\x1b[F")
        yield from self._type(*[b"["] * self._dice.randint(1, 5))
        yield Stroke(b"r", waits=True)
        yield from self._hit(PAGE_KEYS, 10)
        yield from self._type(self._dice.choice((b"\r", BYTES["right"], b"q", ESCAPE)))

    def _refutation(self) -> Iterator[Stroke]:
        """Step through the game that beats a player."""
        yield from self._somewhere_in_a_game()
        yield Stroke(b"J", waits=True)
        yield from self._hit(keys_of(COMMANDS, Mode.STEP), 20)

    def _review(self) -> Iterator[Stroke]:
        """Play a game to its end, and look at it again."""
        yield from self._go_home()
        yield from self._type(b"p", *(b"%d" % cell for cell in self._dice.sample(range(1, 10), 9)))
        yield from self._type(b"a")
        yield from self._hit(PAGE_KEYS, 12)

    def _doors(self) -> Iterator[Stroke]:
        """What home leads to, and what each word means there."""
        yield from self._go_home()
        yield from self._type(b"H")
        yield from self._hit(each(b"cpwstT>oREd?") + PAGE_KEYS, 6)
        yield from self._type(b"i")
        yield from self._hit((BYTES["down"], BYTES["up"], b"\t", b"\r", b"\x1b[6~", b"/", b"z"), 8)

    def _storm(self) -> Iterator[Stroke]:
        """Drag the window, mostly where nothing moves; then it must look as if nobody had."""
        if self._dice.random() < 0.7:
            yield from self._go_home()
            yield Stroke(self._dice.choice((b"v", b"?", b"H", b"s", b"t", b"o", b"R", b"i", b"z")))
        for _ in range(self._dice.randint(1, 3)):
            for _ in range(self._dice.randint(2, 12)):
                size = [self._dice.randint(1, self._dice.choice((130, most))) for most in LARGEST]
                size = size if self._dice.random() < 0.7 else self._dice.choice(SIZES)
                yield replace(self._resize_to(*size), settles=False)
            yield replace(self._resize_to(*self._dice.choice(SIZES)), compares=True)

    def _leave(self) -> Iterator[Stroke]:
        yield from self._go_home()
        yield Stroke(b"q")
        yield Stroke(b"q", leaves=True)
        yield from self._type(self._dice.choice((b"c", b"w", b"p")))

    def _go_home(self) -> Iterator[Stroke]:
        """Close what is open; how many times Esc is needed is not known."""
        yield from self._type(*[ESCAPE] * self._dice.randint(3, 5))

    def _type(self, *keys: bytes) -> Iterator[Stroke]:
        for key in keys:
            yield Stroke(key)

    def _answer(self, key: bytes, texts: Sequence[str], *, waits: bool = False) -> Iterator[Stroke]:
        """Ask for a question, and answer it; a wrong answer is left standing now and then."""
        yield Stroke(key)
        if texts and self._dice.random() < 0.9:
            yield Stroke(CLEAR)
            yield from self._write(texts)
        yield Stroke(b"\r", waits=waits)
        if self._dice.random() < 0.5:
            yield Stroke(ESCAPE)

    def _train_long(self) -> Iterator[Stroke]:
        """Train for as long as it takes to look at everything else."""
        yield from self._type(b"t", CLEAR, b"900m", b"\r")

    def _write(self, texts: Sequence[str]) -> Iterator[Stroke]:
        """A text of these, mostly, by keys or pasted."""
        is_odd = self._dice.random() < 0.15
        text = odd_text(self._dice) if is_odd else self._dice.choice(texts)
        is_pasted = len(text) > LONGEST_TYPED or self._dice.random() < 0.2
        data = text.encode()
        yield Stroke(b"\x1b[200~" + data + b"\x1b[201~" if is_pasted else data)

    def _hit(self, keys: Sequence[bytes], most: int) -> Iterator[Stroke]:
        """Some of these keys, and other things between; in half of all cases without a pause."""
        hasty = self._dice.random() < 0.5
        for _ in range(self._dice.randint(1, most)):
            stroke = self._other() if self._dice.random() < 0.2 else self._press(keys)
            yield replace(stroke, settles=not hasty)

    def _press(self, keys: Sequence[bytes]) -> Stroke:
        """One of these keys, now and then held down."""
        times = self._dice.randint(2, 20) if self._dice.random() < 0.2 else 1
        return Stroke(self._dice.choice(keys) * times)

    def _other(self) -> Stroke:
        """What is no key of this place. An odd window does not stay for long."""
        if (self._columns, self._rows) not in SIZES[:5] and self._dice.random() < 0.5:
            return self._resize_to(*SIZES[0])
        chance = self._dice.random()
        if chance < 0.45:
            return Stroke(self._mouse())
        if chance < 0.6:
            return self._resize()
        if chance < 0.8:
            return Stroke(self._dice.choice(tuple(BYTES.values())))
        if chance < 0.95:
            return Stroke(garbage(self._dice))
        return Stroke(waits=True)

    def _resize(self) -> Stroke:
        if self._dice.random() < 0.7:
            return self._resize_to(*self._dice.choice(SIZES))
        return self._resize_to(*(self._dice.randint(1, most) for most in LARGEST))

    def _resize_to(self, columns: int, rows: int) -> Stroke:
        self._columns, self._rows = columns, rows
        return Stroke(size=(columns, rows))

    def _mouse(self) -> bytes:
        """A click, a drag, a wheel or a way; mostly within the window, often on the key bar."""
        x, y = self._dice.randint(1, self._columns + 2), self._dice.randint(1, self._rows + 2)
        y = self._rows if self._dice.random() < 0.2 else y
        held = self._dice.choice((0, 0, 0, 4, 8, 16))
        kind = self._dice.choice(("click", "click", "click", "drag", "wheel", "way"))
        if kind == "wheel":
            turn = self._dice.choice((64, 65, 66, 67)) + held
            return report(turn, x, y) * self._dice.randint(1, 5)
        way = [(x + step, y + step // 3) for step in range(self._dice.randint(1, 12))]
        if kind == "way":
            return b"".join(report(35 + held, *place) for place in way)
        button = self._dice.choice((0, 0, 0, 1, 2)) + held
        if kind == "click":
            way = way[:1]
        dragged = b"".join(report(32 + button, *place) for place in way[1:])
        return report(button, x, y) + dragged + report(button, *way[-1], end="m")


def report(button: int, x: int, y: int, end: str = "M") -> bytes:
    """What a terminal sends of the mouse."""
    return f"\x1b[<{button};{x};{y}{end}".encode()

"""A monkey at a lab in a real terminal: keys, mouse, pastes, garbage and resizes, for long.

    python tests/robustness/monkey.py [--strokes N] [--seed S] [--interpreted]

Does 200,000 things by default, at labs in pseudo-terminals; `--strokes 1000000` takes hours. After
each storm of resizes what the terminal shows is compared with a full repaint; now and then Esc must
lead home. A line a monkey (1,000 strokes) tells the memory, files and threads of its last lab. What
a monkey does is a function of its seed: a failure is told with the seed and the stroke.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("benchmarks", "learners")]

from labs import interpreted
from made import differs
from pseudo_terminal import MOVES, PseudoTerminal
from pseudo_terminal import SAFE_ESCAPE as ESCAPE

from afterstate_lab.learners.runs.store import Store

KEYS = {**MOVES, "esc": ESCAPE, "space": b" ", "clear": b"\x15"}
ANY = (*KEYS.values(), *(bytes([code]) for code in range(33, 127)))
SIZES = ((80, 24), (80, 24), (80, 24), (120, 40), (120, 40), (79, 23), (40, 12), (200, 60), (1, 1))
LARGEST = 500, 200
NUMBERS = (
    "", "0", "1", "-1", "+5", "1.5", "nan", "inf", "1e9", "9" * 400, "٣", "１２", "0x10", " 7 ",
)  # fmt: skip
TEXTS: dict[str, tuple[str, ...]] = {
    "train": ("50", "300", "2000", "100k", "1m", "unbeatable", "1_000", "5,000", *NUMBERS),
    "player": (
        "td", "q", "sarsa", "menace", "random", "perfect:epsilon=0.1", "human", "nstep:n=3",
        "td:alpha=0.5,epsilon=0.3", "tdlambda", "double-q", "negamax", "mc", "menace-code",
        "td:alpha=nan", "td:alpha=1e308", "td:alpha=", "td:=", "td:alpha=.1,alpha=.2", "nobody",
        "missing.npz", "missing.py:Rule", "td:" * 50, "one.npz",
    ),
    "seed": ("7", "123456789012345678", *NUMBERS),
    "recipe": ("menace", "two-agents", "none", ""),
    "break": (
        "error > .3", "flip", "first visit", "X loses", "game 9", "game 100000000",
        "wrote X ....X....", "flip and error > .4 or first visit", "((((", "error > nan", "and",
    ),
    "filter": ("visits>10", "error>.1 ply=3", "?.X@5", "never", "visits>", ""),
    "name": ("one", "two", "", "x" * 300, "día", "漢字", "a\tb", "..", "CON"),
    "note": ("", "a line", "x" * 3000, "🙂 wide", "[red]markup[/red]", "\u202ereversed"),
    "plan": ("tiny.toml", "tiny.toml", "1.4", "wrong.toml", "missing.toml", ""),
}  # fmt: skip
"""Right answers and wrong ones, by what they answer."""
LETTERS = (
    "aZ09 .,:=-+_()[]{}<>|\\\"'`!?*#%&;^@$€éß漢字あ🙂👩ا"
    "\u200d\u202e\u0301\u200b\u2028\ufffd\x00\x07\x08\x0b\x0c\x0e\x7f\x9b"
)
GARBAGE = (
    b"\x1b", b"\x1b[", b"\x1bO", b"\x1bP", b"\x1b]0;title\x07", b"\x1b[?", b"\x1b[<", b"\x1b[M",
    b"\x1b[1;5", b"\x1b[200~", b"\x1b[201~", b"\x1b[I", b"\x1b[O", b"\x1b[0;0R", b"\x1b[?2026;2$y",
    b"\x1b[?2048;0$y", b"\x1b[<0;-1;-1M", b"\x1b[<0;999999;999999M", b"\x1b[<0;999999;999999m",
    b"\x1b[99999999;1u", b"\x1b[;;;u", b"\x1b[1:2:3;4:5u", b"\xff", b"\xc3", b"\xf0\x9f",
    b"\xed\xa0\x80", b"\x00", b"\x9b", b"\x1b[57441u", b"\x1b[97;5u", b"\x1b[24~",
    b"\x1b\x1b", b"\x1b[1;2Z",
)  # fmt: skip
"""Beginnings of sequences, sequences out of place, and what is no UTF-8."""
LOOKS = (
    "v {filter} *25", "R down *4 e {name} *6", "R N {note} *6", "R A down A wait *6 q",
    "R D wait u wait", ": experiments space {plan} space wait enter *20",
    "E down down enter space *20",
    "? *5 : *8",
)  # fmt: skip
"""What can be looked at while a training goes on."""
GAME = "esc esc esc t clear 300 enter wait s home ] ] ]"
TRIPS = {
    "p 5 *40": 3,
    "w space + + *25": 2,
    "s b {break} c *40": 3,
    "s y *40": 2,
    "t {train} *20": 3,
    "look look look": 11,
    "o {player} tab {player} tab {seed} tab {recipe} enter *3": 3,
    "look": 12,
    "T *60": 2,
    f"{GAME} W {{player}} wait *20": 3,
    f"{GAME} end [ [ r wait *10 enter": 3,
    f"{GAME} J wait *20": 2,
    "p 5 1 9 7 3 2 8 4 6 a *12": 2,
    "H *6 i *8": 2,
    "storm": 6,
    "leave": 1,
}
"""Trips from home, and how often: keys, {what is answered}, and *N: up to N keys of all kinds."""


@dataclass(frozen=True)
class Stroke:
    """One thing that the monkey does: bytes that it types, or the window's new size."""

    data: bytes = b""
    size: tuple[int, int] | None = None
    waits: bool = False
    """Whether what it started in the background may finish."""
    compares: bool = False
    """Whether what the terminal shows is then compared with a full repaint."""
    leaves: bool = False
    """Whether q may end the lab."""


class Monkey:
    """Does things forever; the same seed, the same things."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._size = SIZES[0]

    def strokes(self) -> Iterator[Stroke]:
        while True:
            (trip,) = self._dice.choices(list(TRIPS), list(TRIPS.values()))
            yield from [Stroke(ESCAPE)] * self._dice.randint(3, 5)
            for word in trip.split():
                yield from self._step(word)

    def _step(self, word: str) -> Iterator[Stroke]:
        dice = self._dice
        if word == "look":
            yield from map(Stroke, (b"t", b"\x15", b"900m", b"\r"))
            for inner in dice.choice(LOOKS).split():
                yield from self._step(inner)
            yield from [Stroke(ESCAPE)] * dice.randint(1, 3)
        elif word == "storm":
            yield from self._storm()
        elif word == "leave":
            yield from (Stroke(b"q"), Stroke(b"q", leaves=True))
        elif word == "wait":
            yield Stroke(waits=True)
        elif word[0] == "{":
            yield from self._answer(TEXTS[word[1:-1]])
        elif word[0] == "*" and len(word) > 1:
            for _ in range(dice.randint(1, int(word[1:]))):
                yield self._anything()
        else:
            yield Stroke(KEYS.get(word, word.encode()))

    def _answer(self, texts: Sequence[str]) -> Iterator[Stroke]:
        """Answer a question by keys or a paste; a wrong answer is left standing now and then."""
        text = self._dice.choice(texts)
        if self._dice.random() < 0.15:
            text = "".join(self._dice.choices(LETTERS, k=self._dice.choice((1, 5, 20, 200, 5000))))
        data, is_pasted = text.encode(), len(text) > 60 or self._dice.random() < 0.2
        yield Stroke(b"\x15")
        yield Stroke(b"\x1b[200~" + data + b"\x1b[201~" if is_pasted else data)
        yield Stroke(b"\r")
        if self._dice.random() < 0.5:
            yield Stroke(ESCAPE)

    def _anything(self) -> Stroke:
        """Hit a key, now and then for long; or the mouse, the window's edge, or noise."""
        dice, chance = self._dice, self._dice.random()
        if self._size not in SIZES[:5] and dice.random() < 0.5:
            return self._resized(SIZES[0])  # an odd window does not stay for long
        if chance < 0.2:
            return self._ahead()
        if chance < 0.8:
            return Stroke(dice.choice(ANY) * (dice.randint(2, 20) if chance < 0.3 else 1))
        if chance < 0.9:
            return Stroke(self._mouse())
        if chance < 0.95:
            return self._resized(dice.choice(SIZES) if dice.random() < 0.7 else self._odd_size())
        return Stroke(b"".join(dice.choices((*GARBAGE, dice.randbytes(3)), k=dice.randint(1, 4))))

    def _ahead(self) -> Stroke:
        """Type far ahead of a slow line: many keys, and some of the mouse, in one packet."""
        dice = self._dice
        keys = dice.choices([key for key in ANY if key != b"q"], k=dice.randint(5, 400))
        if dice.random() < 0.3:
            keys.insert(dice.randrange(len(keys)), self._mouse())
        return Stroke(b"".join(keys))

    def _storm(self) -> Iterator[Stroke]:
        """Drag the window, mostly where nothing moves; then it must look as if nobody had."""
        if self._dice.random() < 0.7:
            yield Stroke(self._dice.choice((b"v", b"?", b"H", b"s", b"t", b"o", b"R", b"i")))
        for _ in range(self._dice.randint(1, 3)):
            for _ in range(self._dice.randint(2, 12)):
                yield self._resized(self._odd_size())
            yield replace(self._resized(self._dice.choice(SIZES)), compares=True)

    def _odd_size(self) -> tuple[int, int]:
        width, height = (self._dice.randint(1, self._dice.choice((130, n))) for n in LARGEST)
        return width, height

    def _resized(self, size: tuple[int, int]) -> Stroke:
        self._size = size
        return Stroke(size=size)

    def _mouse(self) -> bytes:
        """Click, drag, turn the wheel or move; mostly within the window, often on the last row."""
        dice, (columns, rows) = self._dice, self._size
        x, y = dice.randint(1, columns + 2), dice.choice((rows, dice.randint(1, rows + 2)))
        held = dice.choice((0, 0, 0, 4, 8, 16))
        kind = dice.choice(("click", "click", "click", "drag", "wheel", "way"))
        if kind == "wheel":
            return report(dice.choice((64, 65, 66, 67)) + held, x, y) * dice.randint(1, 5)
        way = [(x + step, y + step // 3) for step in range(1 + 11 * (kind != "click"))]
        button = (35 if kind == "way" else dice.choice((0, 0, 0, 1, 2))) + held
        if kind == "way":
            return b"".join(report(button, *place) for place in way)
        dragged = b"".join(report(32 + button, *place) for place in way[1:])
        return report(button, x, y) + dragged + report(button, *way[-1], end="m")


def report(button: int, x: int, y: int, end: str = "M") -> bytes:
    return f"\x1b[<{button};{x};{y}{end}".encode()


PRELUDE = """
import faulthandler, logging, os, signal, sys, threading
os.chdir(os.environ["HOME"])
faulthandler.register(signal.SIGUSR1, open("stacks", "w"))
logging.basicConfig(filename="raised", level=logging.ERROR)
def raised(what):
    kind = (what.exc_type, what.exc_value, what.exc_traceback)
    logging.error("nobody waited for it", exc_info=kind)
sys.unraisablehook = threading.excepthook = raised
from afterstate_lab.tui.command import main; main()
"""
"""Notes what is raised where nobody waits for it."""
OPENINGS = (("--seed", "0"), ("lesson", "credit"))
"""What the lab is opened with, in turn."""
HARMFUL = b"\x03\x1a\x1c/"
"""No Ctrl-C, Ctrl-Z and Ctrl-\\, and no slash: a file name must not lead out of the folder.

A lab that is ending has given the terminal back, which then sends a signal for such a key.
"""
REPAINT = b"\x0c"
MOMENT, PAUSE, WAITING = 0.004, 0.05, 0.3
"""Seconds in which what the lab paints is taken in."""
AT_REST = 1.5
"""Seconds after which all is painted: also what waits for the hand to rest, or a slow line."""
STUCK = 120.0
"""Seconds in which a way must lead home: a bound for a busy machine, not a budget."""
BETWEEN = 200
"""Strokes after which the way home is tried."""


class Window:
    """A lab in a window, opened again wherever the monkey leaves it, with its files in a folder."""

    def __init__(self, folder: Path, *, interpreted: bool) -> None:
        self._folder, self._interpreted = folder, interpreted
        shutil.copy(Path(__file__).parents[1] / "tiny.toml", folder)
        (folder / "wrong.toml").write_text("games = [")
        self.counts: Counter[str] = Counter()
        """Strokes, labs, pictures compared, and runs that were played again."""
        self.terminal = self._open()

    def _open(self) -> PseudoTerminal:
        options = OPENINGS[self.counts["labs"] % len(OPENINGS)]
        self.counts["labs"] += 1
        env = interpreted(self._folder / "data", HOME=str(self._folder))
        env["AFTERSTATE_CACHE"] = os.environ.get("AFTERSTATE_CACHE", str(self._folder / "cache"))
        if not self._interpreted:
            env["AFTERSTATE_INTERPRETED"] = None
        terminal = PseudoTerminal([sys.executable, "-c", PRELUDE, *options], env=env)
        terminal.read_until_shown("home")
        return terminal

    def close(self) -> None:
        self.terminal.__exit__()

    def let_loose(self, seed: int, strokes: int) -> None:
        """Let a monkey do so many things, come home, and replay the runs of its store."""
        number = 0
        try:
            for number, stroke in enumerate(islice(Monkey(seed).strokes(), strokes)):
                self.do(stroke)
                if number % BETWEEN == BETWEEN - 1:
                    self.go_home()
            self.go_home()
            self.check_store()
        except BaseException as error:
            error.add_note(f"monkey {seed}, stroke {number}, lab {self.counts['labs']}")
            raise

    def do(self, stroke: Stroke) -> None:
        """Do one thing; what is painted is taken in, but not waited for."""
        self.counts["strokes"] += 1
        if self.terminal.is_over():
            self._check()
            self.close()
            self.terminal = self._open()
        if stroke.size is not None:
            self.terminal.resize(*stroke.size)
        if stroke.data != b"q" or stroke.leaves:
            self.terminal.send(stroke.data.translate(None, HARMFUL))
        self.terminal.read(WAITING if stroke.waits else MOMENT)
        if stroke.compares:
            self.compare()

    def compare(self) -> None:
        """What the terminal shows is what a full repaint shows, where the lab is at rest."""
        terminal = self.terminal
        terminal.read(AT_REST)
        if not terminal.read_until_asleep(AT_REST) or terminal.is_over():
            return
        if "recorded earlier" in terminal.text:
            return  # the film at home goes on meanwhile
        before = terminal.cells
        terminal.send(REPAINT)
        if terminal.read_until_asleep(AT_REST) and not terminal.is_over():
            self.counts["compared"] += 1
            rows = [y for y, row in enumerate(terminal.cells) if row != before[y]]
            if rows and terminal.read(AT_REST):
                return  # something goes on in it, such as a clock
            corner = terminal.screen.buffer[terminal.screen.lines - 1][terminal.screen.columns - 1]
            assert corner.bg != "default", f"not all of the window is painted:\n{terminal.text}"
            shown = ["".join(str(cell[0]) for cell in before[y]) for y in rows]
            assert not rows, f"rows {rows} showed {shown}; repainted:\n{terminal.text}"

    def go_home(self) -> None:
        """Esc leads back to the lab from wherever this is, and nothing was said of an error."""
        until = time.perf_counter() + STUCK
        words = ("w WATCH", "log", "stats", "Esc home")
        while not (self.terminal.is_over() or all(word in self.terminal.text for word in words)):
            if time.perf_counter() > until:
                os.kill(self.terminal.pid, signal.SIGUSR1)
                self.terminal.read(WAITING)
                does = (self._folder / "stacks").read_text()
                raise TimeoutError(f"no way led home; {does}\nit shows:\n{self.terminal.text}")
            for _ in range(8):
                self.terminal.send(ESCAPE)
                self.terminal.read(PAUSE)
            self.terminal.send(b"w")
            self.terminal.resize(79, 24)
            self.terminal.read(WAITING)
            self.terminal.resize(80, 24)
            self.terminal.read_until_quiet(WAITING, 2)
        self._check()

    def _check(self) -> None:
        told = bytes(self.terminal.written[-20_000:]).decode(errors="replace")
        for report in (*(self._folder / "data" / "reports").glob("*"), self._folder / "raised"):
            assert not report.exists() or not report.read_text(), report.read_text()
        assert "Traceback" not in told, told
        assert self.terminal.status in (None, 0), f"status {self.terminal.status}: {told}"

    def check_store(self, most: int = 2_000) -> None:
        """Play the runs of at most so many games again: each comes to its bits."""
        store = Store.open(self._folder / "data" / "runs.sqlite")
        for info in store.list():
            if info.games <= most:
                wrong = differs(store.load(info.id))
                assert not wrong, f"{info.name}: {'; '.join(wrong)}"
                self.counts["replayed"] += 1

    def held(self) -> str:
        """Tell what the lab holds (Linux): it must not grow with the number of strokes."""
        process = Path(f"/proc/{self.terminal.pid}")
        if self.terminal.is_over():
            return "over"
        files, threads = (len(list((process / name).iterdir())) for name in ("fd", "task"))
        return f"{self.terminal.memory():.0f} MB, {files} files, {threads} threads"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strokes", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--interpreted", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter(failed=0)
    seed = options.seed
    while counts["strokes"] < options.strokes:
        with tempfile.TemporaryDirectory() as folder:
            window = Window(Path(folder), interpreted=options.interpreted or seed % 2 == 1)
            try:
                window.let_loose(seed, min(1_000, options.strokes))
            except Exception:
                counts["failed"] += 1
                traceback.print_exc()
            held = window.held()
            window.close()
            counts.update(window.counts)
        print(f"monkey {seed}: {held}; {dict(counts)}", file=sys.stderr, flush=True)
        seed += 1
    print(json.dumps({"first_seed": options.seed, **counts}))
    sys.exit(bool(counts["failed"]))


if __name__ == "__main__":
    main()

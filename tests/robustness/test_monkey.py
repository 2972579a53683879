"""A monkey at a lab in a real terminal: keys, mouse, pastes, garbage and resizes, on every page.

A failure is told as the trips that led to it. Hundreds of labs, for hours:

    HYPOTHESIS_PROFILE=search python -m pytest -n 0 -m slow tests/robustness/test_monkey.py
"""

import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from labs import interpreted
from made import differs
from pseudo_terminal import MOVES, PseudoTerminal
from pseudo_terminal import SAFE_ESCAPE as ESCAPE

from afterstate_lab.learners.runs.store import Store

KEYS = {**MOVES, "esc": ESCAPE, "space": b" ", "clear": b"\x15"}
HARMFUL = b"\x03\x1a\x1c/"
"""No Ctrl-C, Ctrl-Z and Ctrl-\\, and no slash: a file name must not lead out of the folder.

A lab that is ending has given the terminal back, which then sends a signal for such a key.
"""
ANY = (*KEYS.values(), *(bytes([code]) for code in range(33, 127) if code != ord("q")))
SIZES = ((80, 24), (120, 40), (79, 23), (40, 12), (200, 60), (1, 1))
TEXTS: dict[str, tuple[str, ...]] = {
    "train": ("300", "2000", "100k", "1m", "unbeatable", "5,000", "-1"),
    "player": (
        "td", "q", "sarsa", "menace", "random", "perfect:epsilon=0.1", "human", "nstep:n=3",
        "tdlambda", "double-q", "negamax", "mc", "menace-code", "td:alpha=nan", "missing.npz",
    ),
    "seed": ("7", "123456789012345678", "nan"),
    "recipe": ("menace", "two-agents", "none"),
    "break": (
        "error > .3", "first visit", "X loses", "game 9", "game 100000000", "wrote X ....X....",
        "flip and error > .4 or first visit", "((((",
    ),
    "filter": ("visits>10", "error>.1 ply=3", "?.X@5", "never"),
    "name": ("one", "día", "漢字", ".."),
    "note": ("a line", "🙂 wide", "[red]markup[/red]", "\u202ereversed"),
    "plan": ("tiny.toml", "1.4", "wrong.toml", "missing.toml"),
}  # fmt: skip
"""Right answers and wrong ones, by what they answer; any other text may stand for them."""
BUSY = "t clear 900m enter "
GAME = "t clear 300 enter wait s home ] ] ] "
TRIPS = (
    "p 5 *40", "p 5 1 9 7 3 2 8 4 6 a *12", "w space + + *25", "s b {break} c *40", "s y *40",
    "t {train} *20", "o {player} tab {player} tab {seed} tab {recipe} enter *3", "T *60",
    "H *6 i *8", GAME + "W {player} wait *20", GAME + "end [ [ r wait *10 enter",
    GAME + "J wait *20", BUSY + "v {filter} *25", BUSY + "R down *4 e {name} *6",
    BUSY + "R N {note} *6", BUSY + "R A down A wait *6", BUSY + "R D wait u wait",
    BUSY + ": experiments space {plan} space wait enter *20", BUSY + "E down down enter space *20",
    BUSY + "? *5 : *8",
)  # fmt: skip
"""Trips from home: keys, {what is answered}, and *N: up to N strokes of all kinds."""
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
REPAINT = b"\x0c"
MOMENT, PAUSE, WAITING = 0.004, 0.05, 0.3
"""Seconds in which what the lab paints is taken in."""
AT_REST = 1.5
"""Seconds after which all is painted: also what waits for the hand to rest, or a slow line."""
STUCK = 120.0
"""Seconds in which a way must lead home: a bound for a busy machine, not a budget."""
LONGEST = 2_000
"""Games of the longest run that is played again."""
Stroke = bytes | tuple[int, int] | float
"""What is typed, the window's new size, or seconds to wait."""

sizes = st.sampled_from(SIZES) | st.tuples(st.integers(1, 500), st.integers(1, 200))
key = st.sampled_from(ANY)
sequence = st.from_regex(rb"\x1b[][OP?<]{0,2}[0-9;:-]{0,9}[a-zA-Z$~]?", fullmatch=True)
"""Sequences of a terminal: their beginnings, those out of place, and such as there are none."""


def pointed(button: int, x: int, y: int, end: str = "M") -> bytes:
    return f"\x1b[<{button};{x};{y}{end}".encode()


@st.composite
def mouse(draw: st.DrawFn) -> bytes:
    """Draw a click, a drag, a turn of the wheel or a move; often on the last row."""
    kind = draw(st.sampled_from(("click", "drag", "wheel", "move")))
    x, y = draw(st.integers(1, 122)), draw(st.sampled_from((24, 40)) | st.integers(1, 42))
    held = draw(st.sampled_from((0, 4, 8, 16)))
    if kind == "wheel":
        turned = pointed(draw(st.integers(64, 67)) + held, x, y)
        return turned * draw(st.integers(1, 5))
    way = [(x + step, y + step // 3) for step in range(1 if kind == "click" else 12)]
    if kind == "move":
        return b"".join(pointed(35 + held, *place) for place in way)
    button = draw(st.integers(0, 2)) + held
    dragged = b"".join(pointed(32 + button, *place) for place in way[1:])
    return pointed(button, x, y) + dragged + pointed(button, *way[-1], end="m")


anything = st.one_of(
    key,
    st.builds(bytes.__mul__, key, st.integers(2, 20)),
    st.builds(bytes.__mul__, st.lists(key | mouse()).map(b"".join), st.integers(1, 40)),
    mouse(),
    sizes,
    st.lists(sequence | st.binary(max_size=3), max_size=4).map(b"".join),
)


@st.composite
def answer(draw: st.DrawFn, texts: tuple[str, ...]) -> list[Stroke]:
    """Draw how a question is answered: by keys or a paste, and a wrong answer may be left there."""
    random = st.builds(str.__mul__, st.text(max_size=20), st.sampled_from((1, 250)))
    said = draw(st.sampled_from(texts) | random).encode(errors="replace")
    is_pasted = len(said) > 60 or draw(st.booleans())
    typed = b"\x1b[200~" + said + b"\x1b[201~" if is_pasted else said
    return [b"\x15", typed, b"\r", *[ESCAPE] * draw(st.integers(0, 1))]


def strokes(word: str) -> st.SearchStrategy[list[Stroke]]:
    if word[0] == "{":
        return answer(TEXTS[word[1:-1]])
    if word[0] == "*":
        return st.lists(anything, min_size=1, max_size=int(word[1:]))
    return st.just([WAITING if word == "wait" else KEYS.get(word, word.encode())])


class Monkey(RuleBasedStateMachine):
    """Makes trips from the lab, which must lead home again; then its runs come to their bits."""

    @initialize(
        words=st.sampled_from((("--seed", "0"), ("lesson", "credit"))), is_slow=st.booleans()
    )
    def open(self, words: tuple[str, ...], is_slow: bool) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        shutil.copy(Path(__file__).parents[1] / "tiny.toml", self.folder)
        (self.folder / "wrong.toml").write_text("games = [")
        env = interpreted(self.folder / "data", HOME=str(self.folder))
        env["AFTERSTATE_CACHE"] = os.environ.get("AFTERSTATE_CACHE", str(self.folder / "cache"))
        env["AFTERSTATE_INTERPRETED"] = "1" if is_slow else None
        self.command, self.env = [sys.executable, "-c", PRELUDE, *words], env
        self.start()

    def start(self) -> None:
        self.terminal = PseudoTerminal(self.command, env=self.env)
        self.terminal.read_until_shown("home")

    def do(self, stroke: Stroke) -> None:
        """Do one thing; what is painted is taken in, but not waited for."""
        if self.terminal.is_over():
            self.check()
            self.start()
        if isinstance(stroke, float):
            self.terminal.read(stroke)
        elif isinstance(stroke, bytes):
            self.terminal.send(stroke.translate(None, HARMFUL))
        else:
            self.terminal.resize(*stroke)
        self.terminal.read(MOMENT)

    @rule(trips=st.permutations(TRIPS), data=st.data())
    def travel(self, trips: list[str], data: st.DataObject) -> None:
        for trip in trips:
            for word in ("esc " * 4 + trip).split():
                for stroke in data.draw(strokes(word)):
                    self.do(stroke)

    @rule(page=st.sampled_from(["", *"v?HstoRi"]), dragged=st.lists(sizes), last=sizes)
    def drag_the_window(
        self, page: str, dragged: list[tuple[int, int]], last: tuple[int, int]
    ) -> None:
        """What the terminal then shows is what a full repaint shows, where the lab is at rest."""
        for stroke in (page.encode(), *dragged, last):
            self.do(stroke)
        terminal = self.terminal
        terminal.read(AT_REST)
        if "recorded earlier" in terminal.text or not terminal.read_until_asleep(AT_REST):
            return  # the film at home, or a clock, moves on meanwhile
        before = terminal.cells
        terminal.send(REPAINT)
        if not terminal.read_until_asleep(AT_REST):
            return
        rows = [y for y, row in enumerate(terminal.cells) if row != before[y]]
        if rows and terminal.read(AT_REST):
            return
        corner = terminal.screen.buffer[last[1] - 1][last[0] - 1]
        assert corner.bg != "default", f"not all of the window is painted:\n{terminal.text}"
        shown = ["".join(str(cell[0]) for cell in before[y]) for y in rows]
        assert not rows, f"rows {rows} showed {shown}; repainted:\n{terminal.text}"

    @rule()
    def leave(self) -> None:
        self.go_home()
        self.terminal.send(b"qq")
        assert self.terminal.wait(STUCK) == 0

    @rule()
    def go_home(self) -> None:
        """Esc leads back to the lab from wherever this is, and nothing is told of an error."""
        words, until = ("w WATCH", "log", "stats", "Esc home"), time.perf_counter() + STUCK
        while not (self.terminal.is_over() or all(word in self.terminal.text for word in words)):
            if time.perf_counter() > until:
                self.terminal.signal(signal.SIGUSR1)
                self.terminal.read(WAITING)
                does = (self.folder / "stacks").read_text()
                raise TimeoutError(f"no way led home; {does}\nit shows:\n{self.terminal.text}")
            for _ in range(8):
                self.do(ESCAPE)
                self.terminal.read(PAUSE)
            for stroke in (b"w", (79, 24), WAITING, (80, 24)):
                self.do(stroke)
            self.terminal.read_until_quiet(WAITING, 2)
        self.check()

    def check(self) -> None:
        told = bytes(self.terminal.written[-20_000:]).decode(errors="replace")
        for report in (*(self.folder / "data" / "reports").glob("*"), self.folder / "raised"):
            assert not report.exists() or not report.read_text(), report.read_text()
        assert "Traceback" not in told, told
        assert self.terminal.status in (None, 0), f"status {self.terminal.status}: {told}"

    def teardown(self) -> None:
        """Play the runs of the store again: each comes to its bits."""
        self.go_home()
        self.terminal.__exit__()
        store = Store.open(self.folder / "data" / "runs.sqlite")
        for info in store.list():
            if info.games <= LONGEST:
                assert differs(store.load(info.id)) == [], info.name
        self.place.cleanup()


@pytest.mark.slow
def test_a_monkey_does_no_harm() -> None:
    labs = settings(
        max_examples=max(3, settings().max_examples // 3),
        stateful_step_count=8,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    run_state_machine_as_test(Monkey, settings=labs)

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
    "plan": ("tiny.toml", "1.4", "wrong.toml", "missing.toml", ""),
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
    st.lists(st.sampled_from(GARBAGE) | st.binary(max_size=3), max_size=4).map(b"".join),
)


@st.composite
def answer(draw: st.DrawFn, texts: tuple[str, ...]) -> list[Stroke]:
    """Draw how a question is answered: by keys or a paste, and a wrong answer may be left there."""
    random = st.builds(str.__mul__, st.text(LETTERS, max_size=20), st.sampled_from((1, 250)))
    said = draw(st.sampled_from(texts) | random).encode()
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
        for trip in trips[:8]:
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
        stateful_step_count=10,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    run_state_machine_as_test(Monkey, settings=labs)

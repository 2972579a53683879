"""The exact odds of a function that rolls dice: its random numbers are answered by a script.

`install` replaces `random`, the generators of numpy and `secrets` before an agent is imported.
`odds` calls it again and again, each time with the next script of outcomes, depth first: every way
is taken once, and its probability is the product of its choices. A number from `random()` is a
`Roll`, of which only comparisons are known: each splits its interval.

What a script cannot follow raises `Wild`: other sources of chance, the clock, files and processes,
arithmetic on a number that is not linear, more than `MOST_WAYS` ways, and a function that does not
repeat itself under the same script. Such a function must be asked often instead.

It imports nothing of this project, as the host that runs it.
"""

from __future__ import annotations

import math
import os
import random
import sys
import time
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

MOST_WAYS = 2_000
"""Maximum number of ways through a function's random calls on one board."""
WAYS_SECONDS = 10.0
"""Time for the ways on one board, to which ten times the first is added."""
MOST_WASTED = 20.0
"""Seconds spent on boards with too many ways, after which no ways are followed."""
CLOCKS = ("time", "perf_counter", "monotonic", "process_time")
OUTSIDE = ("open", "os.", "socket.", "subprocess.", "ctypes.", "shutil.", "sqlite3.", "urllib.")
"""Starts of the names of audit events by which a function leaves its process."""


class Wild(BaseException):
    """A script cannot follow the function; not an Exception, which the function could catch."""


class TooMany(Wild):
    """Its dice can be followed, but have too many ways."""


class Script:
    """One way through the random calls: given choices first, then always the first possible."""

    current: Script | None = None
    """The script of the running call; None outside of `odds`."""
    has_rolled = False
    """Whether the function holds a number of which only the bounds are known."""
    wasted = 0.0
    """Seconds spent on boards with too many ways."""

    def __init__(self, taken: list[tuple[int, int]]) -> None:
        self.taken, self.at = taken, 0
        self.probability = 1.0
        self.open: list[list[tuple[int, int]]] = []
        """The beginnings of the ways that it passed."""

    def choose(self, odds: Sequence[float]) -> int:
        """Return an index with these probabilities, as the script says."""
        if self.at == len(self.taken):
            possible = [index for index, chance in enumerate(odds) if chance > 0.0]
            if not possible:
                raise Wild
            before = self.taken[:]
            self.open += [[*before, (index, len(odds))] for index in possible[1:]]
            self.taken.append((possible[0], len(odds)))
        index, of = self.taken[self.at]
        if of != len(odds) or odds[index] <= 0.0:
            raise Wild
        self.at += 1
        self.probability *= odds[index]
        return index


def even(n: int) -> int:
    """Return a number below n, each with the same probability."""
    assert Script.current is not None
    if n > MOST_WAYS:
        raise TooMany
    return Script.current.choose([1.0 / n] * n)


def odds(function: Callable[[], Any], clock: Callable[[], float]) -> list[tuple[Any, float]]:
    """Return every way of a function through its dice: the outcome and the probability.

    Raises:
        Wild: its dice cannot be followed, or not in reasonable time.
        TooMany: they have too many ways on this board, or take too long.
    """
    if Script.wasted > MOST_WASTED:
        raise Wild
    ways: list[list[tuple[int, int]]] = [[]]
    found: list[tuple[Any, float]] = []
    began = clock()
    while True:
        Script.current = script = Script(ways.pop())
        try:
            outcome = function()
        except Exception:
            if script.has_rolled:
                raise Wild from None  # it may be the number's fault
            raise
        finally:
            Script.current = None
        if script.at != len(script.taken):
            raise Wild
        ways += script.open
        found.append((outcome, script.probability))
        if not ways:
            return found
        taken = clock() - began
        if len(found) == 1:
            most = WAYS_SECONDS + 11.0 * taken
        if len(found) + len(ways) > MOST_WAYS or taken > most:
            Script.wasted += taken
            raise TooMany


def leave(*_: object) -> None:
    """Note that the running call depends on more than its dice."""
    if Script.current is not None:
        raise Wild


class Roll:
    """A random number, start + slope u, with u uniform in an interval of which only the bounds are
    known; a comparison splits it, for every number that is made of this one."""

    __array_ufunc__ = None  # lets numpy's numbers leave comparisons to this class

    def __init__(self, bounds: list[float], start: float = 0.0, slope: float = 1.0) -> None:
        self._bounds, self._start, self._slope = bounds, start, slope

    def __lt__(self, other: Any) -> bool:
        if Script.current is None:
            raise Wild
        (low, high), cut = self._bounds, (number(other) - self._start) / self._slope
        share = min(max((cut - low) / (high - low), 0.0), 1.0)
        is_left = Script.current.choose((share, 1.0 - share)) == 0
        self._bounds[:] = (low, min(high, cut)) if is_left else (max(low, cut), high)
        return is_left == (self._slope > 0.0)

    def __gt__(self, other: Any) -> bool:
        return not self < other

    __le__, __ge__ = __lt__, __gt__

    def __eq__(self, other: Any) -> bool:
        number(other)
        return False

    def __add__(self, other: Any) -> Roll:
        return Roll(self._bounds, self._start + number(other), self._slope)

    def __mul__(self, other: Any) -> Roll | float:
        by = number(other)
        return Roll(self._bounds, self._start * by, self._slope * by) if by else 0.0

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Roll | float:
        return self * -1.0

    def __sub__(self, other: Any) -> Roll:
        return self + -number(other)

    def __rsub__(self, other: Any) -> Any:
        return -self + number(other)

    def __floor__(self) -> int:
        """Return the whole number below, each with the length of its part of the interval."""
        ends = sorted(self._start + self._slope * u for u in self._bounds)
        first, last = math.floor(ends[0]), math.ceil(ends[1])
        for whole in range(first + 1, min(last, first + MOST_WAYS)):
            if self < whole:
                return whole - 1
        return last - 1

    def __int__(self) -> int:
        return math.floor(self) if self >= 0.0 else -math.floor(-self)

    def _is_wild(self, *_: object) -> Any:
        raise Wild

    __float__ = __hash__ = __index__ = __round__ = __ceil__ = __abs__ = _is_wild
    __truediv__ = __floordiv__ = __mod__ = __pow__ = __rtruediv__ = __rpow__ = _is_wild
    __trunc__ = __format__ = __array__ = __getattr__ = _is_wild


def number(value: Any) -> float:
    if isinstance(value, Roll):
        raise Wild
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Wild from None


class Loading:
    """What an agent rolls while it is loaded."""

    has_rolled = False
    """Whether dice without a seed were rolled outside of calls."""
    is_paused = False
    """Whether the rolls are not the agent's, such as those for the seed of a generator."""


class Paused:
    """Within it, nothing follows a script."""

    def __enter__(self) -> None:
        self._before = Script.current, Loading.is_paused
        Script.current, Loading.is_paused = None, True

    def __exit__(self, *_: object) -> None:
        Script.current, Loading.is_paused = self._before


class Seeded:
    """A generator that answers by the script of the running call; outside of calls, as always.

    One that the call itself seeded with a number is not random: it answers as always.
    """

    _is_seeded = False
    _seeded_in: Script | None = None

    def _note(self, seed: object) -> None:
        self._is_seeded, self._seeded_in = seed is not None, Script.current

    def is_scripted(self) -> bool:
        """Return whether the script answers this roll, and note one while loading."""
        if Script.current is None:
            Loading.has_rolled |= not (self._is_seeded or Loading.is_paused)
            return False
        return not self._is_seeded or self._seeded_in is not Script.current


class Dice(Seeded, random.Random):
    """The generator of `random`."""

    def seed(self, *args: Any, **options: Any) -> None:
        super().seed(*args, **options)
        self._note(next(iter((*args, *options.values())), None))

    def setstate(self, state: Any) -> None:
        super().setstate(state)
        self._note(state)

    def random(self) -> Any:
        if not self.is_scripted():
            return super().random()
        assert Script.current is not None
        Script.current.has_rolled = True
        return Roll([0.0, 1.0])

    def getrandbits(self, k: int) -> int:
        return even(1 << k) if self.is_scripted() else super().getrandbits(k)

    def _randbelow(self, n: int) -> Any:
        """Return a number below n: every choice of whole numbers of the base class calls this."""
        return even(n) if self.is_scripted() else super()._randbelow(n)  # type: ignore[misc]


class System(Dice):
    """The generator of the operating system, which `secrets` also uses."""

    def seed(self, *_: Any, **__: Any) -> None:
        super().seed()


def stand_in(module: Any, instance: Any, original: type) -> None:
    """Let the functions of a module that are methods of a hidden generator be another's."""
    for name, function in list(vars(module).items()):
        if isinstance(getattr(function, "__self__", None), original) and hasattr(instance, name):
            setattr(module, name, getattr(instance, name))


def install() -> None:
    """Replace the random generators of this process, and watch what else it could depend on."""
    original = random.Random
    stand_in(random, Dice(), original)
    random.Random, random.SystemRandom = Dice, System  # type: ignore[misc, assignment]
    sys.modules.pop("secrets", None)
    for clock in (*CLOCKS, *(f"{name}_ns" for name in CLOCKS)):
        setattr(time, clock, watched(getattr(time, clock)))
    os.urandom = watched(os.urandom)
    for name, replace in REPLACED.items():
        if name in sys.modules:
            replace(sys.modules[name])
    sys.addaudithook(lambda event, _: leave() if event.startswith(OUTSIDE) else None)
    sys.meta_path.insert(0, Imports())


def watched(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        leave()
        return function(*args, **options)

    return call


def is_foreign() -> bool:
    """Return whether machine code is loaded that may roll dice of its own."""
    known = sys.stdlib_module_names | {"numpy"}
    return any(
        name.partition(".")[0] not in known
        for name, module in list(sys.modules.items())
        if str(getattr(module, "__file__", "")).endswith(tuple(EXTENSION_SUFFIXES))
    )


class Imports:
    """Finds modules as always; one that a running call loads, once, is none of its chance.

    The generators of `numpy.random` and the time of day are replaced as soon as they are loaded.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        replace = REPLACED.get(name)
        if Script.current is None and replace is None:
            return None
        with Paused():
            others = [finder for finder in sys.meta_path if finder is not self]
            found = (finder.find_spec(name, path, target) for finder in others)
            spec = next(filter(None, found), None)
        if spec is None or isinstance(spec.loader, type | None):
            return spec
        load = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            with Paused():
                load(module)
                if replace is not None:
                    replace(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def replace_datetime(module: Any) -> None:
    """Let the time of day leave the script."""

    class Datetime(module.datetime):  # type: ignore[misc]
        @classmethod
        def now(cls, *args: Any, **options: Any) -> Any:
            leave()
            return super().now(*args, **options)

        @classmethod
        def utcnow(cls) -> Any:
            leave()
            return super().utcnow()

    module.datetime = Datetime


def replace_numpy(module: Any) -> None:
    """Replace the generators of `numpy.random`, whose usual methods a script can answer.

    It answers one number or choice at a time: an agent that draws arrays must be asked often, as
    must one that gives their size by its place.
    """
    import numpy as np

    dice = Dice()

    def integers(low: int, high: int | None = None) -> Any:
        return np.int64(dice.randrange(low) if high is None else dice.randrange(low, high))

    def choice(a: Any, *, replace: bool = True, p: Any = None) -> Any:
        many = np.arange(a) if np.ndim(a) == 0 else np.asarray(a)
        return many[dice.choices(range(len(many)), p)[0]]

    def permutation(x: Any) -> Any:
        many = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return many[dice.sample(range(len(many)), len(many))]

    def shuffle(x: Any) -> None:
        x[:] = [x[place] for place in permutation(len(x))]

    answers: dict[str, Callable[..., Any]] = {
        "random": dice.random,
        "rand": dice.random,
        "uniform": lambda low=0.0, high=1.0: dice.uniform(low, high),
        "integers": integers,
        "randint": integers,
        "choice": choice,
        "permutation": permutation,
        "shuffle": shuffle,
    }

    class Scripted(Seeded):
        """A generator of numpy.

        Args:
            seed: None for one that is seeded by chance.
        """

        make: Callable[[Any], Any]

        def __init__(self, seed: Any = None) -> None:
            with Paused():
                self._real = self.make(seed)
            self._note(seed)

        def seed(self, seed: Any = None) -> None:
            self._real.seed(seed)
            self._note(seed)

        def __getattr__(self, name: str) -> Any:
            found, answer = getattr(self._real, name), answers.get(name)

            def call(*args: Any, **options: Any) -> Any:
                is_noted = answer is not None or Script.current is not None
                if not (is_noted and self.is_scripted()):
                    return found(*args, **options)
                if options.pop("size", None) is not None:
                    raise Wild
                try:
                    return answer(*args, **options)  # type: ignore[misc]
                except TypeError:
                    raise Wild from None

            return call if callable(found) else found

    class Generator(Scripted):
        make = staticmethod(module.default_rng)

    class RandomState(Scripted):
        make = module.RandomState

    def default_rng(seed: Any = None) -> Any:
        return seed if isinstance(seed, Generator) else Generator(seed)

    stand_in(module, RandomState(), module.RandomState)
    module.Generator, module.RandomState, module.default_rng = Generator, RandomState, default_rng


REPLACED = {"numpy.random": replace_numpy, "datetime": replace_datetime}

"""Run external code within limits, and end everything that it starts when the asker ends.

It is started by its path (see `agent`) and imports nothing of this project, so an agent can import
its own `game.py`. `program` runs a command line. `function` asks a function of a Python file for
its answers to the boards on its input (see `answer_boards`); a failure is
`{"failed": text, "line": number}`, and the first line reports how the file was read. It starts in a
few milliseconds, so it imports little.

Whatever ends the asker, `kill -9` included, closes the pipe `LIFELINE`, which only this process
reads. On Linux orphans, daemons too, return to it and are ended; elsewhere the process group is.
The limits, which only Linux keeps, prevent mistakes that hurt the machine. This is not a sandbox.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import operator
import os
import sys
import time
from importlib.machinery import ModuleSpec, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

LIFELINE = "AFTERSTATE_LIFELINE"
"""Environment variable: the descriptor of a pipe that ends with the asker, or when it closes it."""
MEGABYTES = 4096
LONGEST_TEXT = 200
"""Maximum number of characters of an error or a wrong answer."""
LONGEST_ANSWER = 2_000
LARGEST_NUMBER = 99
BEAT_SECONDS = 0.2
"""Time after which a function that is still at work on a board is reported."""
PARENT_DEATH, SUBREAPER = 1, 36
"""Options of Linux's `prctl`: a signal when the parent ends, and adoption of orphans."""
KILL, ENDING = 9, (1, 2, 15)
"""SIGKILL; SIGHUP, SIGINT, SIGTERM: without `signal`, which takes longer to load than the rest."""


def control(option: int, value: int) -> None:
    """Call Linux's `prctl`."""
    if sys.platform == "linux":
        try:
            import ctypes

            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
        except (ImportError, OSError):
            pass


def guard() -> None:
    """Return in a child; this process ends it and everything that it starts, with the asker at the
    latest.

    It exits as the child did.
    """
    if sys.platform == "win32":  # where no agent is asked
        return
    control(SUBREAPER, 1)
    lifeline = int(os.environ.pop(LIFELINE))
    own, child = os.getpid(), os.fork()
    if child == 0:
        os.close(lifeline)
        os.setsid()
        control(PARENT_DEATH, KILL)
        if os.getppid() != own:
            os._exit(1)
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)  # else nobody saw that the child has closed its output

    def end_with_asker() -> None:
        os.read(lifeline, 1)
        end(child)

    for number in ENDING:
        _signal.signal(number, lambda *_: end(child))
    _thread.start_new_thread(end_with_asker, ())
    ended = status = 0
    while ended != child:
        ended, status = os.wait()
    end_all(child)
    for number in ENDING:
        _signal.signal(number, _signal.SIG_DFL)
    if os.WIFSIGNALED(status):
        os.kill(own, os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def end(process: int) -> None:
    """End a process and its group, which may not be there yet."""
    if sys.platform != "win32":
        for kill in (os.killpg, os.kill):
            try:
                kill(process, KILL)
            except OSError:
                pass


def end_all(first: int) -> None:
    """End what is left of the group of a child that ended, every other child, and their orphans."""
    if sys.platform == "win32":  # where no agent is asked
        return
    end(first)
    try:
        while True:
            os.waitpid(-1, os.WNOHANG)  # all are gone, most often, without a look at every process
            for child in children():
                end(child)
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def children() -> list[int]:
    """Return the children of this process (Linux)."""
    found, own = [], str(os.getpid())
    for name in filter(str.isdigit, os.listdir("/proc") if sys.platform == "linux" else ()):
        try:
            with open(f"/proc/{name}/stat", "rb") as stat:
                if stat.read().rpartition(b")")[2].split()[1] == own.encode():
                    found.append(int(name))
        except OSError:
            pass
    return found


def limit(megabytes: int) -> None:
    """Limit the memory of this process on Linux, without core files; macOS keeps no such limit."""
    if sys.platform == "win32":  # where no agent is asked
        return
    import resource

    for kind, most in {resource.RLIMIT_AS: megabytes << 20, resource.RLIMIT_CORE: 0}.items():
        hard = resource.getrlimit(kind)[1]
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (soft, hard))
        except (OSError, ValueError):
            pass


def own_output(to: int | None = None) -> BinaryIO:
    """Return the stream for answers; redirect all other output to a stream, or nowhere."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere if to is None else to, 1)
    if to is None:
        os.dup2(nowhere, 2)
    return answers


def plain(value: Any) -> Any:
    """Convert an answer for JSON: a number, numbers, or numbers by name."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, dict) and len(value) <= 2 * LONGEST_TEXT:
        return {str(name)[:LONGEST_TEXT]: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)) and len(value) <= LONGEST_TEXT:
        return [plain(part) for part in value]
    try:
        number = operator.index(value)
    except TypeError:
        return f"something of type {type(value).__name__}"[:LONGEST_TEXT]
    return number if abs(number) <= LARGEST_NUMBER else "a number beyond 99"


def failure(error: BaseException, path: str) -> dict[str, object]:
    """Return the error, and its line in the file."""
    name, text = "" if isinstance(error, NotFound) else type(error).__name__, ""
    try:
        text = str(error)
    except Exception:
        pass
    line = error.lineno if isinstance(error, SyntaxError) else None
    at = error.__traceback__ if line is None else None
    while at is not None:
        line = at.tb_lineno if at.tb_frame.f_code.co_filename == path else line
        at = at.tb_next
    return {"failed": ": ".join(filter(None, (name, text)))[:LONGEST_TEXT], "line": line}


def loaded(name: str, path: str) -> Any:
    """Run a Python file as a module of a name, without `importlib.util` and what that loads."""
    loader = SourceFileLoader(name, path)
    spec = ModuleSpec(name, loader, origin=path)
    spec.has_location = True
    sys.modules[name] = module = type(sys)(name)
    module.__spec__, module.__loader__, module.__package__ = spec, loader, spec.parent
    vars(module).update(__file__=path, __cached__=spec.cached)
    loader.exec_module(module)
    return module


class NotFound(Exception):
    """A file has no function of a name."""


def text_of(answer: Any) -> str:
    """Return a plain answer as JSON."""
    import json

    return json.dumps(answer)


def found(file: str, name: str) -> Any:
    """Return what a dotted name in a file stands for; a class is made without arguments."""
    owner = loaded(os.path.basename(file).removesuffix(".py"), file)
    for part in name.split("."):
        if not hasattr(owner, part):
            import difflib

            known = [name for name in dir(owner) if name[0] != "_"]
            near = difflib.get_close_matches(part, known, n=1)
            hint = f". Did you mean {near[0]}?" if near else ""
            raise NotFound(f"there is no {part}{hint}")
        owner = getattr(owner, part)
        if isinstance(owner, type):
            owner = owner()
    if not callable(owner):
        raise NotFound(f"{name} is not a function")
    return owner


def answer_boards(path: str, name: str) -> None:
    """Answer the boards on the input with a function of a file.

    A line of the input is a board and how often it is asked, 0 for all ways of its dice. Each
    answer is a list of outcomes and their counts or probabilities: empty if there are too many
    ways, null if its random calls cannot be followed. An empty line: the function is still at work.
    """
    requests = os.fdopen(os.dup(0), encoding="ascii")
    answers = own_output(to=2)  # what the agent prints is no answer
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    clock, beaten = time.monotonic, 0.0
    scripted = loaded(
        "_afterstate_scripted", os.path.join(os.path.dirname(__file__), "scripted.py")
    )
    scripted.install()
    sys.dont_write_bytecode = True  # beside somebody's file
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

    def tell(line: str) -> None:
        answers.write(f"{line}\n".encode())

    path = os.path.realpath(path)
    sys.path.insert(0, os.path.dirname(path))
    sys.argv = [path]
    try:
        function = found(path, name)
    except BaseException as error:
        tell(text_of(failure(error, path)))
        return
    tell(f"[{scripted.Loading.has_rolled:d}, {scripted.is_foreign():d}]")

    def told() -> str:
        nonlocal beaten
        if clock() > beaten + BEAT_SECONDS:
            beaten = clock()
            answers.write(b"\n")
        try:
            answer = function(board)
            if type(answer) is int and abs(answer) <= LARGEST_NUMBER:
                return str(answer)
            answer = plain(answer)  # runs code of the answer, which may roll dice
            with scripted.Paused():
                text = text_of(answer)
        except scripted.Wild:
            raise
        except BaseException as error:
            if scripted.Script.current is not None and scripted.Script.current.has_rolled:
                raise scripted.Wild from None  # the fault may be of a number without a value
            with scripted.Paused():
                return text_of(failure(error, path))
        return text if len(text) <= LONGEST_ANSWER else '"something too long"'

    is_first = True
    for request in requests:
        board, times = request.split()
        beaten = clock()
        outcomes: dict[str, float] = {}
        cannot = "null"
        if times == "0":
            for _ in range(1 + is_first):  # the first call may load modules
                try:
                    for outcome, probability in scripted.odds(told, clock):
                        outcomes[outcome] = outcomes.get(outcome, 0.0) + probability
                    break
                except scripted.TooMany:
                    cannot = "[]"
                    break
                except scripted.Wild:
                    pass
            is_first = False
        for _ in range(int(times)):
            outcome = told()
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        pairs = ", ".join(f"[{outcome}, {count}]" for outcome, count in outcomes.items())
        tell(f"[{pairs}]" if outcomes else cannot)


if __name__ == "__main__":
    guard()
    limit(MEGABYTES)
    if sys.argv[1] == "function":
        answer_boards(*sys.argv[2:])
    else:
        os.execvp(sys.argv[2], sys.argv[2:])

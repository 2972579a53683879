"""What the command prints and returns when something is wrong: one line, and an exit status."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from typing import Any, NoReturn, TextIO

import click

from game import InvalidBoardError
from learners.errors import UsageError, printable, shown

USAGE = 2
FAILED = 1
ENDED_BY_SIGNAL = 128
"""To which the number of the signal is added."""
INTERRUPTED = ENDED_BY_SIGNAL + 2


def fail(message: str, status: int) -> NoReturn:
    """Print one line on stderr and end with a status."""
    with suppress(OSError):
        click.echo(f"afterstate: {printable(message)}", err=True)
    sys.exit(status)


def hint(word: str, words: Iterable[str]) -> str:
    """What the user may have meant by a wrong word, to be put behind it; or nothing."""
    near = difflib.get_close_matches(word, list(words), n=1)
    return f" — did you mean {near[0]}?" if near else ""


def one_line(error: click.ClickException) -> str:
    """What is wrong with a command line, as one sentence."""
    context: click.Context | None = getattr(error, "ctx", None)
    see = f" (see {context.command_path} --help)" if context else ""
    if isinstance(error, click.NoSuchOption):
        known = [name for p in context.command.params for name in p.opts] if context else []
        return (
            f"there is no option {shown(error.option_name)}{hint(error.option_name, known) or see}"
        )
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{error.param.human_readable_name} is missing{see}"
    message = " ".join(error.message.split()).removesuffix(".")
    if isinstance(error, click.BadParameter) and error.param is not None:
        return f"{error.param.opts[-1]}: {message}"
    return message[:1].lower() + message[1:]


def reported(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn errors into one clear line each: 2 for what the user got wrong, 1 for what failed."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            result = command(*args, **kwargs)
            if sys.stdout is not None:
                sys.stdout.flush()
            return result
        except (UsageError, InvalidBoardError) as error:
            fail(str(error), USAGE)
        except click.ClickException as error:
            fail(one_line(error), USAGE)
        except (click.Abort, KeyboardInterrupt):
            fail("stopped", INTERRUPTED)
        except BrokenPipeError:
            forget(sys.stdout)
            sys.exit(0)
        except OSError as error:
            forget(sys.stdout)
            about = f": {shown(error.filename)}" if error.filename else ""
            fail((error.strerror or str(error)).lower() + about, FAILED)
        except MemoryError:
            fail("there is not enough memory for this", FAILED)

    return run


def forget(stream: TextIO | None) -> None:
    """Let what is still to be written to a stream go nowhere: its reader has gone, or is full."""
    if stream is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

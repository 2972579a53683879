"""What the command prints and returns when something is wrong: one line, and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from game import InvalidBoardError
from learners.errors import UsageError

USAGE = 2
FAILED = 1
INTERRUPTED = 130


def fail(message: str, status: int) -> None:
    """Print one line on stderr and end with a status."""
    click.echo(f"afterstate: {message}", err=True)
    sys.exit(status)


def one_line(error: click.ClickException) -> str:
    """click's message without its usage lines."""
    return " ".join(error.format_message().split())


def reported(command: Callable[..., Any]) -> Callable[..., None]:
    """Turn errors into one clear line each: 2 for what the user got wrong, 1 for what failed."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except (UsageError, InvalidBoardError) as error:
            fail(str(error), USAGE)
        except click.Abort:
            fail("stopped", INTERRUPTED)
        except click.ClickException as error:
            fail(one_line(error), USAGE)
        except KeyboardInterrupt:
            fail("stopped", INTERRUPTED)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as error:
            name = f" {error.filename}" if error.filename else ""
            fail(f"{(error.strerror or str(error)).lower()}{name}", FAILED)

    return run

"""End a command with a result on stdout, or one line on stderr and an exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TextIO

import click

from afterstate_lab.game.board import InvalidBoardError
from afterstate_lab.learners.errors import UsageError, printable, shown
from afterstate_lab.tui.lab.commands import heir

USAGE = 2
FAILED = 1
ENDED_BY_SIGNAL = 128
"""Plus the number of the signal."""
INTERRUPTED = ENDED_BY_SIGNAL + 2


def show(as_json: bool, told: Any, lines: Iterable[str]) -> None:
    """Print a result: plain data as JSON, or else lines of text, as far as somebody reads on.

    The command's exit status holds either way.
    """
    try:
        for line in [json.dumps(told)] if as_json else lines:
            click.echo(line)
    except BrokenPipeError:
        discard(sys.stdout)


def columns(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> Iterator[str]:
    """Align rows in columns, by their width on a terminal: texts to the left, numbers not."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        spaces = [" " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, spaces, strict=True))
        cells = (text + space if n in left else space + text for n, (text, space) in pairs)
        yield "  ".join(cells).rstrip()


def fail(message: str, status: int) -> NoReturn:
    """Print one line on stderr and exit with a status."""
    from afterstate_lab.tui.lab.outcomes import sentence

    with suppress(OSError):
        click.echo(f"afterstate: {sentence(printable(message))}", err=True)
    sys.exit(status)


@contextmanager
def reported() -> Iterator[None]:
    """Print an error as one line; exit with 2 for a user's error, 1 for a failure."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except (UsageError, InvalidBoardError) as error:
        fail(str(error), USAGE)
    except click.ClickException as error:
        told = " ".join(error.format_message().split())
        if isinstance(error, click.NoSuchOption) and (near := heir(error.option_name)):
            told = f"unknown option {shown(error.option_name)}{near}"
        fail(told, USAGE)
    except (click.Abort, KeyboardInterrupt):
        fail("stopped", INTERRUPTED)
    except BrokenPipeError:
        discard(sys.stdout)
        sys.exit(0)
    except OSError as error:
        discard(sys.stdout)
        about = f": {shown(error.filename)}" if error.filename else ""
        fail((error.strerror or str(error)).lower() + about, FAILED)
    except MemoryError:
        fail("not enough memory for this", FAILED)


def discard(stream: TextIO | None) -> None:
    """Discard the stream's unflushed output (broken pipe, full disk)."""
    if stream is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

"""`afterstate serve`: the lab in a browser, for those who will not open a terminal."""

from __future__ import annotations

import socket

import click

from tui.cli import parameters
from tui.cli.errors import FAILED, USAGE, fail


@click.command()
@click.option(
    "--port", type=parameters.WholeNumber(1, 65_535), default=8000, show_default=True, metavar="N",
    help="Listen at this port.",
)  # fmt: skip
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="NAME",
    help="Listen at this address; 0.0.0.0 lets others in.",
)  # fmt: skip
@click.option("--name", metavar="NAME", help="Visitors come by this name, through a proxy.")
@click.option("--allow-files", is_flag=True, help="Let visitors use files of this machine.")
def serve(port: int, host: str, name: str | None, allow_files: bool) -> None:
    """Open the lab in a browser: every visitor has a lab and saved runs of his own.

    Both end with the page. Visitors use no files of this machine, and start no programs, unless
    --allow-files says so. Needs the extra web: pip install 'afterstate-lab[web]'.
    """
    try:
        from tui.cli.web_server import LabServer
    except ImportError as error:
        if (error.name or "").partition(".")[0] in ("fcntl", "termios"):
            fail("serve needs pseudo-terminals, which this system has not", FAILED)
        fail("serve needs textual-serve: pip install 'afterstate-lab[web]'", USAGE)
    try:
        with socket.create_server((host, port)):
            pass
    except (OSError, UnicodeError) as error:
        reason, _, _ = (getattr(error, "strerror", None) or "no such address").partition(" (")
        fail(f"{host}, port {port} cannot be listened at: {reason.lower()}; try --port", FAILED)
    click.echo(f"The lab is at http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/")
    LabServer(host, port, name=name, allow_files=allow_files).run()

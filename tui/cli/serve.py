"""`afterstate serve`: the lab in a browser."""

from __future__ import annotations

import secrets
import socket

import click

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import FAILED, USAGE, fail

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command()
@parameters.number("--port", 1, 65_535, 8000, "Port to listen on.")
@parameters.option(
    "--host", "Listen at this address; 0.0.0.0 lets others in.", "NAME",
    default="127.0.0.1", show_default=True,
)  # fmt: skip
@parameters.option("--name", "Visitors come by this name, through a proxy.", "NAME")
@parameters.flag("--allow-files", "Let yourself use this machine's files in the page.")
def serve(port: int, host: str, name: str | None, allow_files: bool) -> None:
    """Serve the lab to web browsers.

    Every visitor who opens the printed address has a lab and saved runs of their own. Both end with
    the page. Visitors use no files of this machine, and start no programs; --allow-files changes
    that for you alone. Needs the extra web: pip install 'afterstate-lab[web]'.
    """
    if allow_files and (host not in LOOPBACK or name is not None):
        raise UsageError(
            "--allow-files gives visitors your account: leave out --host and --name, or it"
        )
    try:
        from afterstate_lab.tui.cli.web_server import serve_labs
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
    token = secrets.token_urlsafe(16)
    shown = {"0.0.0.0": "127.0.0.1", "::1": "[::1]"}.get(host, host)
    click.echo(f"The lab is at http://{shown}:{port}/{token}/")
    names = (*LOOPBACK, *((name,) if name else ())) if host in LOOPBACK else None
    serve_labs(host, port, token, names, allow_files=allow_files)

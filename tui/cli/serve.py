"""`afterstate serve`: the lab in a browser."""

from __future__ import annotations

import secrets
import socket
import sys

import click

from afterstate_lab.learners.errors import UsageError
from afterstate_lab.tui.cli import parameters
from afterstate_lab.tui.cli.errors import FAILED, USAGE, fail

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command
@parameters.number("--port", 1, 65_535, 8000, "Port to listen on.")
@parameters.option(
    "--host",
    "Address to listen on; 0.0.0.0 lets others in.",
    "NAME",
    default="127.0.0.1",
    show_default=True,
)
@parameters.option("--name", "Host name that a proxy uses for visitors.", "NAME")
@parameters.flag("--trust allow_files", "Let the page use this machine's files.")
def serve(port: int, host: str, name: str | None, allow_files: bool) -> None:
    """Serve the lab to web browsers.

    Visitors open the printed address. Each gets a separate lab with its own saved runs, until they
    close the page. They cannot use files or programs of this machine; --trust allows that on
    your own machine only. Install first: pip install 'afterstate-lab[web]'
    """
    if allow_files and (host not in LOOPBACK or name is not None):
        raise UsageError("--trust gives visitors your account. Omit it, or omit --host and --name")
    try:
        import termios  # noqa: F401

        import textual_serve  # noqa: F401
    except ImportError as error:
        if error.name == "termios":
            fail("serve is not available on this system: it needs pseudo-terminals", FAILED)
        fail("serve needs textual-serve. Run pip install 'afterstate-lab[web]'", USAGE)
    try:
        with socket.create_server((host, port)):
            pass
    except (OSError, UnicodeError) as error:
        reason, _, _ = (getattr(error, "strerror", None) or "no such address").partition(" (")
        fail(f"cannot listen on {host}, port {port}: {reason.lower()}. Try another --port", FAILED)
    token = secrets.token_urlsafe(16)
    shown = {"0.0.0.0": "127.0.0.1", "::1": "[::1]"}.get(host, host)
    click.echo(f"The lab is at http://{shown}:{port}/{token}/")
    names = (*LOOPBACK, *((name,) if name else ())) if host in LOOPBACK else None
    if sys.platform != "win32":
        from afterstate_lab.tui.cli.web_server import serve_labs

        serve_labs(host, port, token, names, allow_files=allow_files)

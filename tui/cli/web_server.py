"""Start a lab for every visitor of a page: a process on a pseudo-terminal, in its own folder.

The page's address contains a random token.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import pty
import shutil
import signal
import sys
import tempfile
import termios
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import textual_serve
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from afterstate_lab.learners.files import LOCK, own_command

assert sys.platform != "win32"

MOST_VISITORS = 64
LARGEST_SIDE = 500
"""Maximum columns or rows of a page."""
SECONDS_TO_LEAVE = 5.0
PACKET = 65_536
SIZE = ("width", "80"), ("height", "24")
"""Parameters of the page's size, with their defaults."""
PAGE = Path(__file__).with_name("page.html")
NOT_OURS = ("NO_COLOR", "SSH_CONNECTION", "TMUX", "STY")
"""Environment variables that describe the server's terminal."""
HEADERS = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Keep other sites from embedding the page or learning its address."""
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What parsing an arbitrary request or message can raise."""


class Visitor:
    """A lab on a pseudo-terminal, as long as its page is open.

    Args:
        page: where its bytes go.
        allow_files: whether it can use files of this machine.
    """

    def __init__(self, page: web.WebSocketResponse, *, allow_files: bool) -> None:
        self._page = page
        self._folder = tempfile.mkdtemp(prefix="afterstate-")
        self._terminal = -1
        self._lab: asyncio.subprocess.Process | None = None
        self._command, ours = own_command("afterstate_lab")
        theirs = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
        self._variables = {
            **theirs,
            **ours,
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "AFTERSTATE_DATA": self._folder,
            "AFTERSTATE_CONFIG": f"{self._folder}/config.toml",
        }
        if not allow_files:
            self._variables[LOCK] = "1"

    async def start(self, columns: int, rows: int) -> None:
        """Start the lab at the size of the page."""
        self._terminal, inside = pty.openpty()
        try:
            self.set_size(columns, rows)
            self._lab = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=self._folder,
                env=self._variables,
                preexec_fn=lambda: os.login_tty(inside),
            )
        finally:
            os.close(inside)

    async def show(self) -> None:
        """Send the lab's output to the page, no faster than it reads, until the lab ends."""
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit=PACKET)
        file = os.fdopen(os.dup(self._terminal), "rb", buffering=0)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), file
        )
        # fails if the lab or the page has ended
        with contextlib.closing(transport), contextlib.suppress(OSError, RuntimeError):
            while data := await reader.read(PACKET):
                await self._page.send_bytes(data)
        with contextlib.suppress(OSError, RuntimeError):
            await self._page.close()

    async def take(self, message: str) -> None:
        """Handle a message from the page; a malformed one raises one of `MALFORMED`."""
        kind, *rest = json.loads(message)
        if kind == "stdin":
            data = rest[0].encode()
            with contextlib.suppress(OSError):
                while data:
                    try:
                        data = data[os.write(self._terminal, data) :]
                    except BlockingIOError:
                        await asyncio.sleep(0.01)
        elif kind == "resize":
            self.set_size(rest[0]["width"], rest[0]["height"])
        elif kind == "ping":
            await self._page.send_json(["pong", rest[0]])

    def set_size(self, width: Any, height: Any) -> None:
        rows, columns = (min(max(int(side), 1), LARGEST_SIDE) for side in (height, width))
        termios.tcsetwinsize(self._terminal, (rows, columns))

    async def stop(self) -> None:
        """Hang up on the lab, and delete what it saved."""
        lab, self._lab = self._lab, None
        if lab is not None:
            for number in (signal.SIGHUP, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(lab.pid, number)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(lab.wait(), SECONDS_TO_LEAVE)
                    break
        if self._terminal >= 0:
            os.close(self._terminal)
            self._terminal = -1
        shutil.rmtree(self._folder, ignore_errors=True)


class LabServer:
    """Serves the page, and a lab to each visitor.

    Args:
        token: the secret part of the printed address.
        names: the allowed host names; None for any.
        allow_files: whether visitors can use files of this machine.
    """

    def __init__(self, token: str, names: tuple[str, ...] | None, *, allow_files: bool) -> None:
        self._names = names
        self._allows_files = allow_files
        self._visitors: set[Visitor] = set()
        static = Path(textual_serve.__path__[0]) / "static"
        self.app = web.Application(middlewares=[self._guard])
        self.app.add_routes(
            [
                web.get(f"/{token}/", self._index),
                web.get(f"/{token}/ws", self._lab),
                web.static(f"/{token}/static", static),
                web.get("/{any:.*}", self._strange),
            ]
        )
        self.app.on_response_prepare.append(self._add_headers)
        self.app.on_shutdown.append(self._end)

    @staticmethod
    async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HEADERS)

    async def _end(self, app: web.Application) -> None:
        await asyncio.gather(*(visitor.stop() for visitor in tuple(self._visitors)))

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Refuse other origins, other host names and malformed requests."""
        try:
            named = urlsplit(f"//{request.host}").hostname
            origin = request.headers.get("Origin")
            is_strange = self._names is not None and named not in self._names
            is_strange |= origin is not None and urlsplit(origin).netloc != request.host
        except ValueError:
            raise web.HTTPBadRequest(text="The request is malformed.") from None
        answer: web.StreamResponse = await (self._strange if is_strange else handler)(request)
        return answer

    async def _strange(self, request: web.Request) -> web.StreamResponse:
        raise web.HTTPForbidden(text="Open the address that afterstate serve printed.")

    async def _index(self, request: web.Request) -> web.StreamResponse:
        """Return the page, which loads nothing from other hosts."""
        self._check_room()
        return web.FileResponse(PAGE)

    def _check_room(self) -> None:
        if len(self._visitors) >= MOST_VISITORS:
            raise web.HTTPServiceUnavailable(text="Too many visitors. Try again later.")

    async def _lab(self, request: web.Request) -> web.StreamResponse:
        """Run a visitor's lab until the page closes."""
        self._check_room()
        try:
            columns, rows = (int(request.query.get(*side)) for side in SIZE)
        except ValueError:
            raise web.HTTPBadRequest(text="The page size is malformed.") from None
        page = web.WebSocketResponse(heartbeat=15)
        visitor = Visitor(page, allow_files=self._allows_files)
        self._visitors.add(visitor)
        showing = None
        try:
            await page.prepare(request)
            await visitor.start(columns, rows)
            showing = asyncio.create_task(visitor.show())
            async for message in page:
                if message.type == WSMsgType.TEXT:
                    await visitor.take(message.data)
        except MALFORMED:
            await page.close(code=WSCloseCode.POLICY_VIOLATION)
        finally:
            self._visitors.discard(visitor)
            await visitor.stop()
            if showing is not None:
                await showing
        return page


def is_our_fault(record: logging.LogRecord) -> bool:
    """Return whether an error is more than a malformed request."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


def serve_labs(
    host: str, port: int, token: str, names: tuple[str, ...] | None, *, allow_files: bool
) -> None:
    """Serve until Ctrl-C."""
    logging.getLogger("aiohttp.server").addFilter(is_our_fault)
    server = LabServer(token, names, allow_files=allow_files)
    web.run_app(server.app, host=host, port=port, print=None, access_log=None)

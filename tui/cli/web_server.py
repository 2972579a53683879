"""A lab for every visitor of a page: a process on a pseudo-terminal, in a folder of its own."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import shutil
import signal
import struct
import sys
import tempfile
import termios
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server, to_int

from learners.files import LOCK

MOST_VISITORS = 64
LARGEST_SIDE = 500
"""Maximum columns or rows of a page."""
SECONDS_TO_LEAVE = 5.0
PACKET = 65_536
PAGE = Path(__file__).with_name("page.html")
NOT_OURS = ("COLUMNS", "LINES", "NO_COLOR", "SSH_CONNECTION", "TMUX", "STY", "_AFTERSTATE_COMPLETE")
"""Environment variables about the terminal of the server."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Visitor:
    """A lab on a pseudo-terminal, as long as its page is open.

    Args:
        page: where its bytes go.
        allow_files: whether it may use files of this machine.
    """

    def __init__(self, page: web.WebSocketResponse, *, allow_files: bool) -> None:
        self._page = page
        self._allows_files = allow_files
        self._folder = tempfile.mkdtemp(prefix="afterstate-")
        self._terminal = -1
        self._lab: asyncio.subprocess.Process | None = None

    async def start(self, columns: int, rows: int) -> None:
        """Start the lab in the size of the page."""
        self._terminal, inside = pty.openpty()
        try:
            await self.set_terminal_size(columns, rows)
            self._lab = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tui",
                stdin=inside, stdout=inside, stderr=inside, cwd=self._folder, env=self._variables(),
                start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            )  # fmt: skip
        finally:
            os.close(inside)

    def _variables(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
        own |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        own["PYTHONPATH"] = str(Path(__file__).parents[2])
        own["AFTERSTATE_DATA"] = self._folder
        own["AFTERSTATE_CONFIG"] = str(Path(self._folder) / "config.toml")
        return own if self._allows_files else own | {LOCK: "1"}

    async def show(self) -> None:
        """Send what the lab writes, no faster than the page takes it, until the lab ends."""
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit=PACKET)
        file = os.fdopen(os.dup(self._terminal), "rb", buffering=0)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), file
        )
        try:
            while data := await reader.read(PACKET):
                await self._page.send_bytes(data)
        except (OSError, RuntimeError):
            pass  # the lab has ended, or the page has
        finally:
            transport.close()
        with contextlib.suppress(OSError, RuntimeError):
            await self._page.close()

    async def send_bytes(self, data: bytes) -> None:
        """Type at the lab."""
        while data:
            try:
                data = data[os.write(self._terminal, data) :]
            except BlockingIOError:
                await asyncio.sleep(0.01)
            except OSError:
                return

    async def set_terminal_size(self, width: int, height: int) -> None:
        """Take the size of the page."""
        sides = (min(max(int(side), 1), LARGEST_SIDE) for side in (height, width))
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *sides, 0, 0))

    async def blur(self) -> None:
        """The page is not in front: nothing changes."""

    focus = blur

    async def stop(self) -> None:
        """End the lab as a terminal that hangs up does, and forget what it saved."""
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


class LabServer(Server):
    """Serves the page, and a lab to each visitor of it.

    Args:
        host: the address to listen at.
        port: the port.
        name: the name by which visitors know it, where a proxy stands before it.
        allow_files: whether visitors may use files of this machine.
    """

    def __init__(self, host: str, port: int, *, name: str | None, allow_files: bool) -> None:
        super().__init__("afterstate", host=host, port=port, title="afterstate")
        self._names = (*LOOPBACK, name) if host in LOOPBACK else None
        self._allows_files = allow_files
        self._visitors: set[Visitor] = set()

    def run(self) -> None:
        """Serve until Ctrl-C."""
        web.run_app(self._make_app(), host=self.host, port=self.port, print=None, access_log=None)

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command has."""

    async def on_shutdown(self, app: web.Application) -> None:
        """End all labs."""
        await asyncio.gather(*(visitor.stop() for visitor in tuple(self._visitors)))

    async def handle_index(self, request: web.Request) -> web.StreamResponse:
        """The page. All that it needs comes from here: it asks no other host for anything."""
        self.check(request)
        return web.FileResponse(PAGE)

    def check(self, request: web.Request) -> None:
        """Refuse a page of another site, a name that leads here from elsewhere, and one too many.

        Raises:
            HTTPForbidden: it is from elsewhere.
            HTTPServiceUnavailable: there is no room.
        """
        named = urlsplit(f"//{request.host}").hostname
        origin = request.headers.get("Origin")
        is_strange = self._names is not None and named not in self._names
        if is_strange or (origin is not None and urlsplit(origin).netloc != request.host):
            raise web.HTTPForbidden(text="Open the address that afterstate serve has printed.")
        if len(self._visitors) >= MOST_VISITORS:
            raise web.HTTPServiceUnavailable(text=f"There are {MOST_VISITORS} visitors already.")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A visitor's lab, from the opening of the page to its end."""
        self.check(request)
        page = web.WebSocketResponse(heartbeat=15)
        await page.prepare(request)
        visitor = Visitor(page, allow_files=self._allows_files)
        self._visitors.add(visitor)
        showing = None
        try:
            size = (to_int(request.query.get(side, ""), 80) for side in ("width", "height"))
            await visitor.start(*size)
            showing = asyncio.create_task(visitor.show())
            with contextlib.suppress(ValueError, TypeError, LookupError, AssertionError):
                await self._process_messages(page, cast("Any", visitor))
        finally:
            self._visitors.discard(visitor)
            await visitor.stop()
            if showing is not None:
                await showing
        return page

"""A headless Chromium, driven by its debugging protocol: pages, keys, pictures and bytes."""

import asyncio
import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pyte

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-port=0", "--force-device-scale-factor=1", "--window-size=1000,620",
)  # fmt: skip
SECONDS = 60.0


def installed() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Tab:
    """A page; what comes over its socket is drawn on a screen of text, too."""

    def __init__(self, page: aiohttp.ClientWebSocketResponse, ident: str) -> None:
        self.ident = ident
        self.hosts: set[str] = set()
        """Where it asked for something."""
        self._page, self._asked = page, 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._page:
            said = json.loads(message.data)
            if "id" in said:
                self._waiting.pop(said["id"]).set_result(said.get("result", {}))
            else:
                self._take(said["method"], said["params"])

    def _take(self, event: str, params: dict[str, Any]) -> None:
        if event == "Network.webSocketCreated":
            self.hosts.add(urlsplit(params["url"]).netloc)
            size = parse_qs(urlsplit(params["url"]).query)
            self._screen.resize(int(size["height"][0]), int(size["width"][0]))
        elif event == "Network.webSocketFrameReceived" and params["response"]["opcode"] == 2:
            self._stream.feed(base64.b64decode(params["response"]["payloadData"]))
        elif event == "Network.webSocketFrameSent":
            kind, *rest = json.loads(params["response"]["payloadData"])
            if kind == "resize":
                self._screen.resize(rest[0]["height"], rest[0]["width"])
        elif event == "Network.requestWillBeSent":
            self.hosts.add(urlsplit(params["request"]["url"]).netloc)

    @property
    def lines(self) -> list[str]:
        return self._screen.display

    @property
    def size(self) -> str:
        return f"{self._screen.columns}×{self._screen.lines}"

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        answer = self._waiting[self._asked] = asyncio.get_running_loop().create_future()
        await self._page.send_json({"id": self._asked, "method": method, "params": params})
        return await asyncio.wait_for(answer, SECONDS)

    async def press(self, key: str) -> None:
        given: dict[str, Any] = {"key": key, "text": key}
        if key == "Enter":
            given |= {"text": "\r", "code": key, "windowsVirtualKeyCode": 13}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", **given)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **given)

    async def until(self, done: Callable[[], bool]) -> None:
        try:
            await until(done)
        except TimeoutError:
            raise TimeoutError("the page shows:\n" + "\n".join(self.lines)) from None

    async def until_shown(self, *texts: str) -> None:
        await self.until(lambda: all(any(t in line for line in self.lines) for t in texts))

    async def picture(self) -> bytes:
        return base64.b64decode((await self.ask("Page.captureScreenshot"))["data"])


class Chromium:
    """The browser, from its start to its end, with a new folder for what it keeps."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __aenter__(self) -> Self:
        program = installed()
        assert program is not None, "Chromium is not installed"
        self._process = subprocess.Popen(
            (program, *FLAGS, f"--user-data-dir={self._folder}", "about:blank"),
            start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        port = self._folder / "DevToolsActivePort"
        await until(lambda: port.exists() and "\n" in port.read_text())
        self._at = f"http://127.0.0.1:{port.read_text().split()[0]}"
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        self.signal(signal.SIGKILL)
        self._process.wait()

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    async def tab(self, url: str) -> Tab:
        async with self._session.put(f"{self._at}/json/new?about:blank") as answer:
            made = await answer.json()
        page = await self._session.ws_connect(made["webSocketDebuggerUrl"], max_msg_size=0)
        tab = Tab(page, made["id"])
        await tab.ask("Network.enable")
        await tab.ask("Page.enable")
        await tab.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        await tab.ask("Page.navigate", url=url)
        return tab

    async def close(self, tab: Tab) -> None:
        async with self._session.get(f"{self._at}/json/close/{tab.ident}") as answer:
            assert answer.status == 200


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not done():
            await asyncio.sleep(0.02)

"""The lab in a browser: a page, a lab behind it, and nothing left once the page is closed."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

aiohttp = pytest.importorskip("aiohttp", reason="the extra web is not installed")
pytest.importorskip("textual_serve", reason="the extra web is not installed")
pytest.importorskip("termios", reason="this system has no pseudo-terminals")

PROGRAM = "from tui.command import main; main()"
SECONDS = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server: its address, and the folder in which its visitors' folders are."""
    port = free_port()
    env = os.environ | {"TMPDIR": str(tmp_path), "AFTERSTATE_INTERPRETED": "1"}
    words = [sys.executable, "-c", PROGRAM, "serve", "--port", str(port)]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == f"The lab is at http://127.0.0.1:{port}/\n"
        yield f"http://127.0.0.1:{port}/", tmp_path
        server.send_signal(signal.SIGINT)
        assert server.wait(SECONDS) in (0, 130, -signal.SIGINT)
    assert list(tmp_path.glob("afterstate-*")) == []


async def opened(session, url, **headers):
    """A visit, once the server listens."""
    for _ in range(200):
        try:
            return await session.ws_connect(f"{url}ws?width=80&height=24", headers=headers)
        except aiohttp.ClientConnectorError:
            await asyncio.sleep(0.05)
    raise AssertionError("nobody listens")


async def read_until(page, *texts: str) -> bytes:
    """What the lab has written once it has written all of these texts."""
    written = b""
    while not all(text.encode() in written for text in texts):
        written += (await asyncio.wait_for(page.receive(), SECONDS)).data
    return written


@pytest.mark.slow
async def test_a_visitor_has_a_lab_that_ends_with_the_page(served):
    url, folder = served
    async with aiohttp.ClientSession() as session:
        page = await opened(session, url)
        first = await read_until(page, "HOME", "play it", "quit")
        assert len(first) < 6_500
        await page.send_json(["stdin", "s"])
        await read_until(page, "STEP", "was just played")
        await page.send_json(["resize", {"width": 120, "height": 40}])
        await read_until(page, "was just played")
        assert len(list(folder.glob("afterstate-*"))) == 1
        await page.close()
        while list(folder.glob("afterstate-*")):
            await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_a_page_of_another_site_gets_no_lab(served):
    url, _ = served
    async with aiohttp.ClientSession() as session:
        await (await opened(session, url)).close()
        for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await session.ws_connect(f"{url}ws", headers=headers)


def test_a_port_that_is_taken_is_one_sentence(afterstate):
    with socket.create_server(("127.0.0.1", 0)) as other:
        told = afterstate("serve", "--port", str(other.getsockname()[1]))
    assert told.status == 1
    assert told.err.count("\n") == 1
    assert "cannot be listened at: address already in use" in told.err


class Browser:
    """A page of a headless Chromium, driven by its debugging protocol."""

    def __init__(self, socket_to_page) -> None:
        self._page, self._asked = socket_to_page, 0

    async def ask(self, method: str, **parameters) -> dict:
        self._asked += 1
        question = {"id": self._asked, "method": method, "params": parameters}
        await self._page.send_json(question)
        while (told := await self._page.receive_json(timeout=SECONDS)).get("id") != self._asked:
            pass
        return told

    async def press(self, key: str) -> None:
        await self.ask("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)


@pytest.mark.slow
async def test_chromium_paints_types_and_leaves_nothing(served, tmp_path):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    url, folder = served
    port = free_port()
    words = [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "about:blank",
             f"--remote-debugging-port={port}", f"--user-data-dir={tmp_path / 'chromium'}",
             "--window-size=1000,620"]  # fmt: skip
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            async with aiohttp.ClientSession() as session:
                await drive(session, port, url, folder)
        finally:
            running.terminate()


async def drive(session, port: int, url: str, folder: Path) -> None:
    """Open the page, ask for a backup until a game is saved, and close it."""
    tabs, ends = [], time.monotonic() + SECONDS
    while not tabs and time.monotonic() < ends:
        try:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                tabs = [tab for tab in await answer.json() if tab["type"] == "page"]
        except aiohttp.ClientConnectorError:
            await asyncio.sleep(0.1)
    browser = Browser(await session.ws_connect(tabs[0]["webSocketDebuggerUrl"], max_msg_size=0))
    await browser.ask("Network.enable")
    await browser.ask("Emulation.setFocusEmulationEnabled", enabled=True)
    await browser.ask("Page.navigate", url=url)

    focus = "document.querySelector('textarea')?.focus()"
    while not list(folder.glob("afterstate-*/*.sqlite*")):
        assert time.monotonic() < ends, "no game was saved"
        await browser.ask("Runtime.evaluate", expression=focus)
        await browser.press("s")
        await asyncio.sleep(0.2)
    shot = await browser.ask("Page.captureScreenshot")
    assert len(shot["result"]["data"]) > 20_000
    await browser.ask("Page.navigate", url="about:blank")
    while list(folder.glob("afterstate-*")):
        assert time.monotonic() < ends
        await asyncio.sleep(0.1)

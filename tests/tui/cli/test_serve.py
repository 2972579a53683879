"""The lab in a browser: a page, a lab behind it, and nothing left once the page is closed."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil
import pyte
import pytest

aiohttp = pytest.importorskip("aiohttp", reason="the extra web is not installed")
pytest.importorskip("textual_serve", reason="the extra web is not installed")
pytest.importorskip("termios", reason="this system has no pseudo-terminals")

PROGRAM = "from afterstate_lab.tui.command import main; main()"
SECONDS = 60


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server: its address, and the folder in which its visitors' folders are."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = os.environ | {"TMPDIR": str(tmp_path), "AFTERSTATE_INTERPRETED": "1"}
    words = [sys.executable, "-c", PROGRAM, "serve", "--port", str(port)]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as server:
        said = server.stdout.readline()
        assert re.fullmatch(rf"The lab is at http://127.0.0.1:{port}/[\w-]{{22}}/\n", said)
        yield said.split()[-1], tmp_path
        server.send_signal(signal.SIGINT)
        assert server.wait(SECONDS) in (0, 130, -signal.SIGINT)
    assert list(tmp_path.glob("afterstate-*")) == []


async def opened(session, url, **headers):
    for _ in range(200):
        try:
            return await session.ws_connect(f"{url}ws?width=80&height=24", headers=headers)
        except aiohttp.ClientConnectorError:
            await asyncio.sleep(0.05)
    raise AssertionError("nobody listens")


async def read_until(page, *texts: str) -> bytes:
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


def test_what_cannot_be_served_is_one_sentence(afterstate):
    with socket.create_server(("127.0.0.1", 0)) as other:
        told = afterstate("serve", "--port", str(other.getsockname()[1]))
    assert (told.status, told.err.count("\n")) == (1, 1)
    assert told.err.endswith(": address already in use. Try another --port.\n")


@pytest.fixture
async def client() -> AsyncIterator[Any]:
    """Requests of a server that has the token `token`."""
    from aiohttp.test_utils import TestClient, TestServer

    from afterstate_lab.tui.cli.web_server import LabServer

    names = ("127.0.0.1", "localhost", "lab.example")
    served = LabServer("token", names, allow_files=False)
    async with TestClient(TestServer(served.app)) as client:
        yield client


async def test_only_the_printed_address_under_a_known_name_is_answered(client, monkeypatch):
    from afterstate_lab.tui.cli import web_server

    for path in ("/", "/token", "/ws", "/static/js/textual.js", "/token2/", "/token/static/"):
        assert (await client.get(path)).status == 403
    for host, status in (("lab.example", 200), ("evil.example", 403)):
        page = await client.get("/token/", headers={"Host": host})
        assert page.status == status
        assert page.headers["X-Frame-Options"] == "DENY"
        assert page.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    monkeypatch.setattr(web_server, "MOST_VISITORS", 0)
    full = await client.get("/token/")
    assert (full.status, await full.text()) == (503, "Too many visitors. Try again later.")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Host: [::1", 400), ("Host: [x]", 400), ("Host: a b", 403), ("Host: \xff", 403),
        ("Host:", 403), ("X: y", 400), ("Host: localhost\r\nOrigin: http://[::1", 400),
        ("Host: localhost\r\nOrigin: null", 403), ("Host: localhost\r\nOrigin: \xff", 403),
        ("Host: localhost", 200),
    ],
)  # fmt: skip
async def test_a_malformed_request_is_a_status(client, caplog, head, status):
    from afterstate_lab.tui.cli.web_server import is_our_fault

    reader, writer = await asyncio.open_connection(client.server.host, client.server.port)
    request = f"GET /token/ HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n"
    writer.write(request.encode("latin-1"))
    answer = await asyncio.wait_for(reader.read(), SECONDS)
    writer.close()
    assert answer.split()[1] == str(status).encode()
    assert not any(map(is_our_fault, caplog.records))


@pytest.mark.parametrize("size", ["width=x", "height=1e9", ""])
async def test_a_malformed_size_is_a_status(client, size):
    assert (await client.get(f"/token/ws?{size}")).status == 400


@pytest.mark.parametrize(
    "message",
    [
        "x", "3", "[]", "{}", "[" * 9_999, '["stdin"]', '["stdin", 3]', '["stdin", "\\ud800"]',
        '["resize", {"width": 1e999, "height": 3}]', '["resize", {"width": "a", "height": 1}]',
    ],
    ids=lambda message: message[:20],
)  # fmt: skip
async def test_a_malformed_message_ends_the_visit_with_a_status(client, monkeypatch, message):
    async def nothing(*_: object) -> None: ...

    for name in ("start", "show"):
        monkeypatch.setattr(f"afterstate_lab.tui.cli.web_server.Visitor.{name}", nothing)
    page = await client.ws_connect("/token/ws")
    await page.send_str(message)
    assert (await asyncio.wait_for(page.receive(), SECONDS)).data == 1008


@pytest.mark.slow
async def test_chromium_paints_types_trains_resizes_and_leaves_nothing(served, chromium):
    url, folder = served
    screen, asked = pyte.Screen(80, 24), set()
    stream = pyte.ByteStream(screen)

    def received(data: str | bytes) -> None:
        if isinstance(data, bytes):
            stream.feed(data)

    def sent(message: str) -> None:
        kind, *rest = json.loads(message)
        if kind == "resize":
            screen.resize(rest[0]["height"], rest[0]["width"])

    def connected(socket: Any) -> None:
        asked.add(urlsplit(socket.url).netloc)
        size = parse_qs(urlsplit(socket.url).query)
        screen.reset()
        screen.resize(int(size["height"][0]), int(size["width"][0]))
        socket.on("framereceived", received)
        socket.on("framesent", sent)

    async def shown(*texts: str) -> None:
        await until(lambda: all(text in "\n".join(screen.display) for text in texts))

    async def opened_page() -> Any:
        page = await chromium.new_page(viewport={"width": 1000, "height": 620})
        page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
        page.on("websocket", connected)
        await page.goto(url)
        await shown("HOME", "play it", "quit")
        return page

    page = await opened_page()
    await page.keyboard.press("s")
    await shown("STEP", "was just played")
    await page.keyboard.press("t")
    await shown("how many games")
    await page.keyboard.type("2000")
    await page.keyboard.press("Enter")
    await shown("2,000")
    await page.set_viewport_size({"width": 1300, "height": 800})
    await until(lambda: (screen.columns, screen.lines) == (144, 38))
    await shown("TRAIN", "2,000")
    assert len(await page.screenshot()) > 20_000
    assert asked == {url.split("/")[2]}, "the page asks others than its server"
    assert len(list(folder.glob("afterstate-*"))) == 1
    await page.close()
    await until(lambda: not list(folder.glob("afterstate-*")))
    await opened_page()
    for process in psutil.Process().children(recursive=True):
        if process.name().startswith("chrom"):
            process.kill()
    await until(lambda: not list(folder.glob("afterstate-*")))


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not done():
            await asyncio.sleep(0.02)

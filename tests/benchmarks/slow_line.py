"""A slow line between two network namespaces of its own: so much delay, so many bits a second.

The line is the kernel's (`tc qdisc … netem` on both ends of a pair of devices). Where the kernel
has no netem it is a process of our own between two tunnel devices, which lets each packet wait as
netem does: the two ends' TCP sees the same delay, rate and queue. Both need root. Nothing outside
the two namespaces is touched, and they go when the line does.

    python tests/benchmarks/slow_line.py NEAR FAR MILLISECONDS BITS     is that process
"""

from __future__ import annotations

import ctypes
import fcntl
import itertools
import json
import os
import select
import struct
import subprocess
import sys
import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from typing import Self

ADDRESSES = ("10.213.7.1", "10.213.7.2")
"""Of the near and the far end; within the namespaces, so they may be used elsewhere as well."""
DEVICE = "line"
QUEUE = 1000
"""Packets that wait at most on their way, as netem has it where nothing is said."""
CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_INFORMATION = 0x1001
ROOM = 1 << 16
_numbers = itertools.count()


class NoLineError(Exception):
    """There can be no such line here; the text says why."""


class SlowLine:
    """Two namespaces with nothing but a slow line between them.

    Args:
        milliseconds: how long a packet takes, each way.
        bits: how many bits a second, each way.

    Raises:
        NoLineError: namespaces or devices cannot be made.
    """

    def __init__(self, milliseconds: float, bits: int) -> None:
        if os.geteuid() != 0:
            raise NoLineError("a network namespace is made by root only")
        name = f"afterstate-{os.getpid()}-{next(_numbers)}"
        self.near, self.far = f"{name}-near", f"{name}-far"
        self.kind = "netem"
        """What makes the line slow."""
        with ExitStack() as stack:
            for end in (self.near, self.far):
                ip("netns", "add", end)
                stack.callback(ip, "netns", "delete", end)
                ip("-netns", end, "link", "set", "lo", "up")
            if not self._has_netem(milliseconds, bits):
                self.kind = "a process between two tunnel devices"
                self._relay(stack, milliseconds, bits)
            self._undo = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the namespaces away."""
        self._undo.close()

    @staticmethod
    def within(end: str) -> list[str]:
        """What a command is to be started with, to be at an end of the line."""
        return ["ip", "netns", "exec", end]

    def bytes_received(self) -> int:
        """How many bytes have come to the near end, with all headers of TCP and IP."""
        told = ip("-netns", self.near, "-json", "-statistics", "link", "show", "dev", DEVICE)
        return int(json.loads(told)[0]["stats64"]["rx"]["bytes"])

    def _has_netem(self, milliseconds: float, bits: int) -> bool:
        """Join the ends by a pair of devices that netem slows, if the kernel has it."""
        ip("-netns", self.near, "link", "add", DEVICE, "type", "veth",
           "peer", "name", DEVICE, "netns", self.far)  # fmt: skip
        slow = ["netem", "delay", f"{milliseconds}ms", "rate", f"{bits}bit", "limit", str(QUEUE)]
        for end in (self.near, self.far):
            command = ["tc", "-netns", end, "qdisc", "add", "dev", DEVICE, "root", *slow]
            if subprocess.run(command, capture_output=True, check=False).returncode:
                ip("-netns", self.near, "link", "delete", DEVICE)
                return False
        self._address()
        return True

    def _relay(self, stack: ExitStack, milliseconds: float, bits: int) -> None:
        """Join the ends by a process that slows what it carries."""
        for end in (self.near, self.far):
            ip("-netns", end, "tuntap", "add", "dev", DEVICE, "mode", "tun")
        self._address()
        line = [sys.executable, __file__, self.near, self.far, str(milliseconds), str(bits)]
        process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        stack.callback(process.wait)
        stack.callback(process.stdin.close)
        with process.stdout:
            if not process.stdout.readline():
                raise NoLineError("the process that is to carry the packets does not start")

    def _address(self) -> None:
        for end, own, other in (
            (self.near, *ADDRESSES),
            (self.far, *reversed(ADDRESSES)),
        ):
            ip("-netns", end, "address", "add", own, "peer", other, "dev", DEVICE)
            ip("-netns", end, "link", "set", DEVICE, "up")


def ip(*arguments: str) -> str:
    """Run `ip`; what it prints.

    Raises:
        NoLineError: it is not installed or fails.
    """
    try:
        done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NoLineError("ip is not installed (Debian: iproute2)") from None
    if done.returncode:
        raise NoLineError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


class Way:
    """One direction: packets wait for their turn, then for the delay.

    Args:
        delay: seconds.
        bits: a second.
    """

    def __init__(self, delay: float, bits: int) -> None:
        self._delay = delay
        self._seconds_a_byte = 8 / bits
        self._free_at = 0.0
        self._waiting: deque[tuple[float, bytes]] = deque()

    @property
    def next_at(self) -> float:
        """When the next packet arrives."""
        return self._waiting[0][0] if self._waiting else float("inf")

    def send(self, packet: bytes, now: float) -> None:
        """Put a packet on its way; it is lost where too many wait."""
        if len(self._waiting) < QUEUE:
            self._free_at = max(now, self._free_at) + len(packet) * self._seconds_a_byte
            self._waiting.append((self._free_at + self._delay, packet))

    def arrived(self, now: float) -> bytes | None:
        """The next packet, if it has arrived."""
        return self._waiting.popleft()[1] if self.next_at <= now else None


def tunnel(namespace: str) -> int:
    """This process's end of the tunnel device of a namespace, which it enters for that."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path(f"/run/netns/{namespace}").open("rb") as file:
        if libc.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
    number = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(number, TUNSETIFF, struct.pack("16sH", DEVICE.encode(), IFF_TUN_NO_INFORMATION))
    return number


def wait_for(ends: tuple[int, ...], until: float) -> list[int] | None:
    """At which ends something has come, at most until a moment; None when all is over."""
    wait = None if until == float("inf") else max(0.0, until - time.monotonic())
    ready = select.select([*ends, sys.stdin], [], [], wait)[0]
    return None if sys.stdin in ready else ready


def carry(near: str, far: str, milliseconds: float, bits: int) -> None:
    """Carry packets both ways, until standard input ends: with the process that wants the line."""
    ends = (tunnel(near), tunnel(far))
    ways = {number: Way(milliseconds / 1000, bits) for number in ends}
    others = dict(zip(ends, reversed(ends), strict=True))
    print("ready", flush=True)
    while (ready := wait_for(ends, min(way.next_at for way in ways.values()))) is not None:
        for number in ready:
            ways[number].send(os.read(number, ROOM), time.monotonic())
        now = time.monotonic()
        for number, way in ways.items():
            while (packet := way.arrived(now)) is not None:
                os.write(others[number], packet)


if __name__ == "__main__":
    carry(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))

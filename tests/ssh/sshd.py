"""An `sshd` with keys, port and settings of its own, and a client that logs in to it.

Nothing of the machine's own server, keys or settings is read or changed. Whoever runs this is also
the user who logs in, so it works for root and, where the system lets sshd make a terminal without
being root, for anybody else.
"""

import os
import pwd
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from labs import MAIN

SYSTEM = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
SEPARATION = Path("/run/sshd")
"""The empty folder without which root's sshd serves nobody. It is made where it is missing, and
left there, as the system's own start of sshd leaves it."""
ADDRESS = "127.0.0.1"
PATIENCE = 5.0
"""Seconds for a server to start."""
SERVER = """
{settings}
Port {port}
ListenAddress {address}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
PrintLastLog no
LogLevel VERBOSE
Subsystem sftp internal-sftp
AcceptEnv LANG LC_* NO_COLOR
SetEnv {session}
"""
"""Of two settings the first counts."""
CLIENT = """
Host lab
HostName {address}
Port {port}
User {user}
IdentityFile {folder}/user_key
UserKnownHostsFile {folder}/known_hosts
IdentitiesOnly yes
BatchMode yes
StrictHostKeyChecking yes
LogLevel ERROR
SendEnv LANG LC_* NO_COLOR
"""


class Sshd:
    """A server on a port of its own, for the user who runs this; the client calls it `lab`.

    In each session HOME is a folder of its own, and `afterstate` is the lab of this interpreter,
    which writes its process number to `HOME/pid`. `settings` of `sshd_config` go before its own;
    `options` go before the key in `authorized_keys`.
    """

    def __init__(self, folder: Path, settings: Sequence[str] = (), options: str = "") -> None:
        self.folder, self.home = folder, folder / "home"
        self.port = free_port()
        self.store = self.home / ".local" / "share" / "afterstate" / "runs.sqlite"
        """The store of the account's runs, where it is by itself."""
        self._log, self._told = folder / "log", self.home / "pid"
        for name in ("host_key", "user_key"):
            command = [find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", name]
            subprocess.run([*command, "-f", str(folder / name)], check=True)
        public, host = ((folder / f"{name}.pub").read_text() for name in ("user_key", "host_key"))
        (folder / "authorized_keys").write_text(f"{options} {public}".lstrip())
        (folder / "known_hosts").write_text(f"[{ADDRESS}]:{self.port} {host}")
        own = {"address": ADDRESS, "port": self.port, "folder": folder}
        user = pwd.getpwuid(os.getuid()).pw_name
        (folder / "ssh_config").write_text(CLIENT.format(user=user, **own))
        session = {
            "HOME": self.home,
            "PATH": f"{self.home}/bin:{os.environ.get('PATH', '')}:{SYSTEM}",
            "TMUX_TMPDIR": self.home,
            "SCREENDIR": self.home / ".screen",
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "AFTERSTATE_CACHE": folder / "cache",
            "AFTERSTATE_INTERPRETED": "1",
        }
        own["session"] = " ".join(f'"{name}={value}"' for name, value in session.items())
        (folder / "sshd_config").write_text(SERVER.format(settings="\n".join(settings), **own))
        program = self.home / "bin" / "afterstate"
        program.parent.mkdir(parents=True)
        (self.home / ".screen").mkdir(mode=0o700)
        lab = shlex.join([sys.executable, "-c", MAIN])
        program.write_text(f'#!/bin/sh\necho $$ > "$HOME/pid"\nexec {lab} "$@"\n')
        program.chmod(0o755)
        if os.geteuid() == 0:
            SEPARATION.mkdir(mode=0o755, exist_ok=True)

    def __enter__(self):
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [find("sshd"), "-D", "-e", "-f", str(self.folder / "sshd_config")],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while f"listening on {ADDRESS}" not in self.log:
            if self._process.poll() is not None or time.monotonic() > until:
                self._process.kill()
                self._process.wait()
                pytest.skip(f"sshd does not start: {self.log}")
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        """End the server and the lab that was started last, and with it its session."""
        self._process.terminate()
        self._process.wait(PATIENCE)
        with suppress(FileNotFoundError, psutil.NoSuchProcess):
            lab = psutil.Process(int(self._told.read_text()))
            if MAIN in lab.cmdline():  # no later process
                lab.kill()

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def client(self, *command: str, program: str = "ssh -tt") -> list[str]:
        """A command of the client, which logs in with a terminal unless told otherwise."""
        name, *options = program.split()
        return [find(name), "-F", str(self.folder / "ssh_config"), *options, *command]

    def run(self, *command: str, program: str = "ssh -T"):
        return subprocess.run(
            self.client("lab", *command, program=program),
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30, check=False,
        )  # fmt: skip

    def connections(self) -> list[psutil.Process]:
        """The server's processes that hold connections."""
        started = psutil.Process(self._process.pid).children(recursive=True)
        return [one for one in started if one.name().startswith("sshd")]

    def lab(self) -> psutil.Process:
        """The lab that was started last, by the number that it wrote down itself."""
        until = time.monotonic() + PATIENCE
        while not (self._told.exists() and self._told.read_text().endswith("\n")):
            assert time.monotonic() < until, "no lab was started"
            time.sleep(0.01)
        return psutil.Process(int(self._told.read_text()))


def find(program: str) -> str:
    """Where a program is, as `sshd` wants to be called; the test is skipped where it is not."""
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:{SYSTEM}")
    if path is None:
        pytest.skip(f"{program} is not installed")
    return path


def free_port() -> int:
    with socket.create_server((ADDRESS, 0)) as listener:
        return int(listener.getsockname()[1])


def is_running(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def wait_for_end(process: psutil.Process, seconds: float) -> None:
    began = time.monotonic()
    while is_running(process):
        assert time.monotonic() - began < seconds, f"{process} is still there"
        time.sleep(0.005)

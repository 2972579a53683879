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
from labs import MAIN

SYSTEM = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
SEPARATION = Path("/run/sshd")
"""The empty folder without which root's sshd serves nobody. It is made where it is missing, and
left there, as the system's own start of sshd leaves it."""
ADDRESS = "127.0.0.1"
PATIENCE = 5.0
"""Seconds for a server to start."""


class NoServerError(Exception):
    """There can be no sshd here; the text says why."""


class Sshd:
    """A server on a port of its own, for the user who runs this.

    In each session HOME is a folder of its own, and `afterstate` is the lab of this interpreter,
    which writes its process number to `HOME/pid`. Of two `settings` of `sshd_config` the first
    counts, so these go before its own; `options` go before the key in `authorized_keys`.
    """

    def __init__(self, folder: Path, settings: Sequence[str] = (), options: str = "") -> None:
        self.folder = folder
        self.home = folder / "home"
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.port = free_port()
        self._log = folder / "log"
        self._told = self.home / "pid"
        self.client_options = ["-F", "none", "-i", str(folder / "user_key")]
        for option in (
            "IdentitiesOnly=yes", "BatchMode=yes", "StrictHostKeyChecking=yes", "LogLevel=ERROR",
            f"UserKnownHostsFile={folder / 'known_hosts'}", "SendEnv=LANG LC_* NO_COLOR",
        ):  # fmt: skip
            self.client_options += ["-o", option]
        self._keep_files(options)
        if os.geteuid() == 0:
            SEPARATION.mkdir(mode=0o755, exist_ok=True)
        self._process = self._start(self._configuration(settings))

    def __enter__(self):
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

    def client(self, *command: str, options: Sequence[str] = ()) -> list[str]:
        """The command that logs in; with a terminal unless the options say `-T`."""
        where = ["-p", str(self.port), f"{self.user}@{ADDRESS}"]
        return [find("ssh"), "-tt", *self.client_options, *options, *where, *command]

    def run(self, *command: str, options: Sequence[str] = ("-T",)):
        return subprocess.run(
            self.client(*command, options=options),
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30, check=False,
        )  # fmt: skip

    def check(self) -> None:
        """Log in once, with a terminal. Not for a server that forces another command."""
        if self.run("true", options=()).returncode:
            raise NoServerError(f"nobody can log in to an sshd here: {last_line(self.log)}")

    @property
    def store(self) -> Path:
        """The store of the account's runs, where it is by itself."""
        return self.home / ".local" / "share" / "afterstate" / "runs.sqlite"

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

    def _keep_files(self, options: str) -> None:
        """The keys, the folders of the account, and its lab."""
        for name in ("host_key", "user_key"):
            command = [find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", name]
            subprocess.run([*command, "-f", str(self.folder / name)], check=True)
        public = (self.folder / "user_key.pub").read_text()
        (self.folder / "authorized_keys").write_text(f"{options} {public}".lstrip())
        host = " ".join((self.folder / "host_key.pub").read_text().split()[:2])
        (self.folder / "known_hosts").write_text(f"[{ADDRESS}]:{self.port} {host}\n")
        programs = self.home / "bin"
        programs.mkdir(parents=True)
        (self.home / ".screen").mkdir(mode=0o700)
        command = shlex.join([sys.executable, "-c", MAIN])
        program = programs / "afterstate"
        program.write_text(f'#!/bin/sh\necho $$ > "$HOME/pid"\nexec {command} "$@"\n')
        program.chmod(0o755)

    def _configuration(self, settings: Sequence[str]) -> Path:
        session = {
            "HOME": str(self.home),
            "PATH": f"{self.home / 'bin'}:{os.environ.get('PATH', '')}:{SYSTEM}",
            "TMUX_TMPDIR": str(self.home),
            "SCREENDIR": str(self.home / ".screen"),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "AFTERSTATE_CACHE": str(self.folder / "cache"),
            "AFTERSTATE_INTERPRETED": "1",
        }
        lines = [
            *settings, f"Port {self.port}", f"ListenAddress {ADDRESS}",
            f"HostKey {self.folder / 'host_key'}",
            f"AuthorizedKeysFile {self.folder / 'authorized_keys'}",
            "PidFile none", "UsePAM no", "StrictModes no", "PasswordAuthentication no",
            "KbdInteractiveAuthentication no", "PrintMotd no", "PrintLastLog no",
            "LogLevel VERBOSE", "Subsystem sftp internal-sftp", "AcceptEnv LANG LC_* NO_COLOR",
            "SetEnv " + " ".join(f'"{name}={value}"' for name, value in session.items()),
        ]  # fmt: skip
        path = self.folder / "sshd_config"
        path.write_text("\n".join([*lines, ""]))
        return path

    def _start(self, configuration: Path) -> subprocess.Popen[bytes]:
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                [find("sshd"), "-D", "-e", "-f", str(configuration)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while f"listening on {ADDRESS}" not in self.log:
            if process.poll() is not None or time.monotonic() > until:
                process.kill()
                process.wait()
                raise NoServerError(f"sshd does not start: {last_line(self.log)}")
            time.sleep(0.01)
        return process


def find(program: str) -> str:
    """Where a program is; `sshd` wants to be called by its whole path."""
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:{SYSTEM}")
    if path is None:
        raise NoServerError(f"{program} is not installed (Debian: openssh-server, openssh-client)")
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


def last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "it says nothing")

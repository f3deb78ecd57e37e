"""A PostgreSQL server for the tests: the binaries of the wheel `pgserver` in their own process.

The binaries refuse to run as root; as root they run under an unprivileged user.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

NOBODY = 65534


class Postgres:
    """A server on a socket in a folder, with a temporary database.

    It is the standby of another server, `primary`, if there is one, until it is promoted.
    """

    def __init__(self, primary: Postgres | None = None) -> None:
        spec = importlib.util.find_spec("pgserver")
        assert spec is not None
        assert spec.submodule_search_locations
        self._home = Path(tempfile.mkdtemp(prefix="cookmas-postgres-"))
        self._home.chmod(0o755)
        installed = Path(next(iter(spec.submodule_search_locations))) / "pginstall"
        self._install = self._reachable(installed)
        self._user = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        data = self._home / "data"
        data.mkdir(mode=0o700)
        if self._user:
            os.chown(data, NOBODY, NOBODY)
            os.chown(self._home, NOBODY, NOBODY)
        self._data = str(data)
        if primary:
            copied = ("--pgdata", self._data, "--checkpoint=fast", "--no-sync")
            where = ("--host", str(primary._home), "--username=cook", "--write-recovery-conf")
            self._run("pg_basebackup", *copied, *where)
        else:
            made = ("--username=cook", "--auth=trust", "--no-sync")
            self._run("initdb", "--pgdata", self._data, *made)
        self.start()

    def _reachable(self, installed: Path) -> Path:
        """Return the path of the binaries, copied if an unprivileged user cannot reach them."""
        folders = (installed, *installed.parents)
        if all(folder.stat().st_mode & 0o005 == 0o005 for folder in folders):
            return installed
        return Path(shutil.copytree(installed, self._home / "pginstall", symlinks=True))

    @property
    def url(self) -> str:
        return f"postgresql://cook@/postgres?host={self._home}"

    @property
    def socket(self) -> Path:
        """The socket of the server."""
        return self._home / ".s.PGSQL.5432"

    def _command(self, program: str, *arguments: str) -> list[str]:
        return [str(self._install / "bin" / program), *arguments]

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            self._command(program, *arguments),
            check=True,
            cwd=self._home,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            capture_output=True,
            **self._user,  # type: ignore[call-overload]
        )

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        where = ("-D", self._data, "-k", str(self._home))
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            self._command("postgres", *where, "-c", "listen_addresses="),
            cwd=self._home,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._user,  # type: ignore[call-overload]
        )
        until = time.monotonic() + 60
        ready = self._command("pg_isready", "-h", str(self._home), "-q")
        while subprocess.run(ready, check=False, env={"LC_ALL": "C"}).returncode != 0:
            assert self.process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)

    def promote(self) -> None:
        """Let a standby take writes from now on."""
        self._run("pg_ctl", "promote", "--wait", "--pgdata", self._data)

    def halt(self) -> None:
        """Stop the server at once, as in a crash; `start` starts it again."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(30)

    def stop(self) -> None:
        """Stop the server, and delete its data."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        shutil.rmtree(self._home)

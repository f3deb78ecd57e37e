"""Trying faults of the commands to Redis and of the statements to PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from redis import Redis

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.mailboxes.sqlite.file import BELL
from cookmas.orchestrator.options import ADDRESS
from cookmas.orchestrator.runs.folder import is_finished
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from tests.every_fault import kitchens
from tests.every_fault.dispatch import (
    VAN,
    WORKER,
    WORLD,
    make_dispatch,
    send_jobs,
    verify_played,
)
from tests.every_fault.servers import CUTS, REPLIES, STRIKES, Cut, CuttingProxy, cuts_of
from tests.every_fault.trying import Ended, judge, run
from tests.live.conftest import RedisRun, verify
from tests.live.postgres import Postgres
from tests.redis_process import PERSISTENT, RedisProcess
from tests.warm import QUICKLY, ROOT, Warm

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}

SENDERS = ("anna", "bert")

SERVE = "serve"

PAUSE = 3.0
"""Seconds of a pause, after which deadlines of workers and leases are over."""


class Struck:
    """A process that the proxy may kill or pause; it is started again if it is `kept` going."""

    def __init__(self, begin: Callable[[], Warm[str]], *, kept: bool = False) -> None:
        self._begin = begin
        self._kept = kept
        self.process = begin()

    def strike(self, action: str) -> None:
        """Kill the process, or pause it for a while."""
        if action == "pause":
            signal_to(self.process, signal.SIGSTOP)
            going_on = threading.Timer(PAUSE, signal_to, (self.process, signal.SIGCONT))
            going_on.daemon = True
            going_on.start()
            return
        signal_to(self.process, signal.SIGKILL)
        if self._kept:
            self.process.wait()
            self.process = self._begin()


def signal_to(process: Warm[str], number: signal.Signals) -> None:
    """Send a signal to a process, for whose end another thread waits."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)


class Kitchens(ABC):
    """Kitchens that use a server behind a proxy, one after another."""

    actions: tuple[str, ...] = (*CUTS, *STRIKES)
    name = "open"
    """The name of the run's folder."""

    def __init__(self, within: Path, proxy: CuttingProxy) -> None:
        self.within = within
        self.proxy = proxy

    @property
    def trial(self) -> Path:
        """The folder with all files of the kitchen that is tried."""
        return self.within / "trial"

    @property
    def folder(self) -> Path:
        """The folder of its run."""
        return self.trial / self.name

    @property
    @abstractmethod
    def commands(self) -> Mapping[str, tuple[str, ...]]:
        """The commands that are tried, with their arguments."""

    @abstractmethod
    def lay_out(self, command: str) -> None:
        """Make a kitchen in which the orders of SENDERS wait; it is closed before it is served."""

    @abstractmethod
    def finish(self, senders: Sequence[str]) -> None:
        """Play the kitchen to its end, and assert that each sender's order is served once."""

    def cuts(self) -> list[Cut]:
        """Return the faults to try."""
        found: list[Cut] = []
        for name in self.commands:
            self.lay_out(name)
            self.proxy.arm(None)
            ended = self.run(name)
            assert ended.code == 0, ended
            found += cuts_of(name, self.proxy.counts, self.actions)
        return found

    def attempt(self, cut: Cut) -> None:
        """Assert what was promised after a fault."""
        self.lay_out(cut.command)
        self.proxy.arm(cut)
        ended = self.run(cut.command)
        self.proxy.arm(None)
        judge(ended, killed=cut.action == "kill")
        if ended.code and not self.is_over(cut.command):
            ended = self.run(cut.command)
            judge(ended)
            assert ended.code == 0, ended
        self.finish(expected(cut.command))

    def is_over(self, command: str) -> bool:
        """Return whether a command, though it failed, has done everything."""
        return command == SERVE and is_finished(self.folder)

    def run(self, name: str) -> Ended:
        """Run a command, which the proxy may strike."""
        return run(self.commands[name], self.within, ENVIRONMENT, begun=(self.aim_at,))

    def aim_at(self, process: Warm[str]) -> None:
        """Let the proxy strike a process."""
        self.proxy.strike = Struck(lambda: process).strike


def expected(command: str) -> Sequence[str]:
    """Return whose orders are served after a command."""
    return {"order": (*SENDERS, "cleo"), "withdraw": SENDERS[1:]}.get(command, SENDERS)


class InRedis(Kitchens):
    """Kitchens in a Redis; each begins with the same files and keys."""

    actions = (*CUTS, *REPLIES, *STRIKES)

    def __init__(self, within: Path, proxy: CuttingProxy, server: RedisProcess) -> None:
        super().__init__(within, proxy)
        self.server = server
        self._redis = Redis(unix_socket_path=str(server.socket))
        self.trial.mkdir()
        self.open()
        self._kept: dict[Any, Any] = {key: self._redis.dump(key) for key in self._redis.scan_iter()}
        shutil.copytree(self.trial, within / "kept", ignore=shutil.ignore_patterns(BELL))

    @abstractmethod
    def open(self) -> None:
        """Open a kitchen with an orchestrator, which is killed; order in it."""

    def begin(self, arguments: Sequence[str], folder: Path) -> None:
        """Start an orchestrator, and kill it as soon as the episode is in Redis."""
        with Warm[bytes]((QUICKLY, *arguments), cwd=folder, env=ENVIRONMENT) as opening:
            while not self._redis.keys("cookmas:corner:*"):
                assert opening.poll() is None
            opening.kill()

    def lay_out(self, command: str) -> None:
        self.proxy.arm(None)
        shutil.rmtree(self.trial)
        shutil.copytree(self.within / "kept", self.trial)
        self._redis.flushall()
        for key, kept in self._kept.items():
            self._redis.restore(key, 0, kept)


class RedisKitchens(InRedis):
    """Kitchens in a Redis that all processes reach through the proxy."""

    name = "open-corner"

    @property
    def _kitchen(self) -> RedisRun:
        return RedisRun(self.folder, server=self.server, proxy=self.proxy)

    @property
    def commands(self) -> Mapping[str, tuple[str, ...]]:
        where = self._kitchen.where
        sent = ("--sender", "cleo", "--id", "cleo", "--patience", "0")
        return {
            SERVE: ("serve", "small", "--runs", "trial", "--redis", where),
            "order": ("order", kitchens.WORDS, "--redis", where, *sent),
            "withdraw": ("withdraw", "--sender", "anna", "--redis", where),
            "close": ("close", "--redis", where),
        }

    def open(self) -> None:
        create(self.folder, request(self.folder, redis=RedisPlace.at(self._kitchen.where)))
        self.begin(self.commands[SERVE], self.within)
        for sender in SENDERS:
            with Client(self._kitchen.where, sender, patience=0) as kitchen:
                kitchen.order(kitchens.WORDS, id=sender)

    def lay_out(self, command: str) -> None:
        super().lay_out(command)
        if command == SERVE:
            self._close()

    def _close(self) -> None:
        with Client(self._kitchen.where, patience=0) as house:
            house.close()

    def finish(self, senders: Sequence[str]) -> None:
        if not is_finished(self.folder):
            self._close()
            asyncio.run(aresume(self.folder))
        for sender in senders:
            with Client(self._kitchen.where, sender, patience=10) as kitchen:
                answer = kitchen.order(kitchens.WORDS, id=sender)
            assert answer
            assert answer.status == "taken_already"
            entry = {"id": sender, "answer": answer.model_dump()}
            self._kitchen.log(sender).write_text(json.dumps(entry) + "\n")
        verify(self._kitchen, senders)


class WiredDispatches(InRedis):
    """Dispatches in a Redis whose van is played by another process, at the end of a wire.

    The proxy is between Redis and one of the two: the orchestrator or the van.
    """

    @property
    def folder(self) -> Path:
        return self.trial / "runs" / self.name

    @property
    def commands(self) -> Mapping[str, tuple[str, ...]]:
        plays = ("resume", f"runs/{self.name}", "--quiet")
        return {"orchestrator": plays, VAN: plays}

    @property
    def _where(self) -> str:
        return f"{self.server.url}#corner"

    def open(self) -> None:
        make_dispatch(self.trial, (), remote=True, redis=RedisPlace.at(self._where))
        self.begin(self.commands[VAN], self.trial)
        send_jobs(self._where, SENDERS)

    def run(self, name: str) -> Ended:
        proxied = f"{self.proxy.url}#corner"
        of_van, of_rest = (proxied, self._where) if name == VAN else (self._where, proxied)
        script = (WORKER, of_van)
        van = Struck(lambda: Warm[str](script, cwd=self.trial, env=ENVIRONMENT), kept=True)
        self.proxy.strike = van.strike
        begun = () if name == VAN else (self.aim_at,)
        try:
            environment = {**ENVIRONMENT, ADDRESS: of_rest}
            return run(self.commands[name], self.trial, environment, begun=begun)
        finally:
            van.process.kill()
            van.process.wait()

    def is_over(self, command: str) -> bool:
        return is_finished(self.folder)

    def finish(self, senders: Sequence[str]) -> None:
        for sender in senders:
            with Client(self._where, sender, world=WORLD, patience=10) as house:
                answer = house.say("order", address="here", seconds="1", id=sender)
            assert answer
            assert answer.status == "taken_already"
        verify_played(self.trial, len(senders))


class PostgresKitchens(Kitchens):
    """Kitchens whose checkpoints are in a PostgreSQL."""

    @property
    def commands(self) -> Mapping[str, tuple[str, ...]]:
        return {SERVE: ("serve", "small", "--runs", "trial")}

    def lay_out(self, command: str) -> None:
        self.proxy.arm(None)
        shutil.rmtree(self.trial, ignore_errors=True)
        url = f"postgresql://cook@{self.proxy.address}/postgres"
        create(self.folder, request(self.folder, checkpoints=url))
        for sender in SENDERS:
            kitchens.send(self.folder, sender)
        kitchens.close(self.folder)

    def finish(self, senders: Sequence[str]) -> None:
        kitchens.verify_end(self.folder, senders)


def request(folder: Path, **more: Any) -> RunRequest:
    """Return the request for a small open kitchen."""
    menu = str(kitchens.make_menu(folder.parent))
    return RunRequest(
        scenario="open",
        planner="embedded",
        pace=0.0,
        settings={"kitchen": "small", "menu": menu},
        keep_checkpoints=1,
        **more,
    )


@contextmanager
def in_redis(
    kind: Callable[[Path, CuttingProxy, RedisProcess], Kitchens], within: Path
) -> Iterator[Kitchens]:
    """Yield kitchens in a Redis of their own."""
    within.mkdir()
    server = RedisProcess(within, *PERSISTENT)
    proxy = CuttingProxy(server.socket)
    try:
        yield kind(within, proxy, server)
    finally:
        proxy.close()
        server.kill()


@contextmanager
def postgres_kitchens(within: Path) -> Iterator[Kitchens]:
    """Yield kitchens with checkpoints in a PostgreSQL of their own."""
    within.mkdir()
    server = Postgres()
    proxy = CuttingProxy(server.socket)
    try:
        yield PostgresKitchens(within, proxy)
    finally:
        proxy.close()
        server.stop()


SERVERS: Mapping[str, Callable[[Path], AbstractContextManager[Kitchens]]] = {
    "redis": partial(in_redis, RedisKitchens),
    "wire": partial(in_redis, WiredDispatches),
    "postgres": postgres_kitchens,
}

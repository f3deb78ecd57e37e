"""Trying faults of the commands to Redis and of the statements to PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from redis import Redis

from cookmas.api import aresume, create
from cookmas.client import Client
from cookmas.mailboxes.sqlite.file import BELL
from cookmas.orchestrator.runs.folder import is_finished
from cookmas.orchestrator.runs.redis_place import RedisPlace
from cookmas.orchestrator.runs.request import RunRequest
from tests.every_fault import kitchens
from tests.every_fault.servers import CUTS, REPLIES, Cut, CuttingProxy, cuts_of
from tests.every_fault.trying import Ended, judge, run
from tests.live.conftest import RedisRun, verify
from tests.live.postgres import Postgres
from tests.redis_process import PERSISTENT, RedisProcess
from tests.warm import QUICKLY, ROOT, Warm

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}

SENDERS = ("anna", "bert")

SERVE = "serve"


class Kitchens(ABC):
    """Kitchens that use a server behind a proxy, one after another."""

    actions: tuple[str, ...] = CUTS
    name = "open"
    """The name of the run's folder."""

    def __init__(self, within: Path, proxy: CuttingProxy) -> None:
        self.within = within
        self.proxy = proxy

    @property
    def folder(self) -> Path:
        """The folder of the kitchen that is tried."""
        return self.within / "trial" / self.name

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
            ended = self._run(name)
            assert ended.code == 0, ended
            found += cuts_of(name, self.proxy.counts, self.actions)
        return found

    def attempt(self, cut: Cut) -> None:
        """Assert what was promised after a fault."""
        self.lay_out(cut.command)
        self.proxy.arm(cut)
        ended = self._run(cut.command)
        self.proxy.arm(None)
        judge(ended)
        if ended.code and not (cut.command == SERVE and is_finished(self.folder)):
            ended = self._run(cut.command)
            judge(ended)
            assert ended.code == 0, ended
        self.finish(expected(cut.command))

    def _run(self, name: str) -> Ended:
        return run(self.commands[name], self.within, ENVIRONMENT)


def expected(command: str) -> Sequence[str]:
    """Return whose orders are served after a command."""
    return {"order": (*SENDERS, "cleo"), "withdraw": SENDERS[1:]}.get(command, SENDERS)


class RedisKitchens(Kitchens):
    """Kitchens in a Redis; each begins with the same keys."""

    actions = (*CUTS, *REPLIES)
    name = "open-corner"

    def __init__(self, within: Path, proxy: CuttingProxy, server: RedisProcess) -> None:
        super().__init__(within, proxy)
        self._kitchen = RedisRun(self.folder, server=server, proxy=proxy)
        self._redis = Redis(unix_socket_path=str(server.socket))
        self._open()
        self._kept: dict[Any, Any] = {key: self._redis.dump(key) for key in self._redis.scan_iter()}
        shutil.copytree(self.folder, within / "kept", ignore=shutil.ignore_patterns(BELL))

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

    def _open(self) -> None:
        """Open a kitchen with an orchestrator, which is killed before the first order."""
        create(self.folder, request(self.folder, redis=RedisPlace.at(self._kitchen.where)))
        with Warm[bytes](
            (QUICKLY, *self.commands[SERVE]), cwd=self.within, env=ENVIRONMENT
        ) as opening:
            while not self._redis.keys("cookmas:corner:*"):
                assert opening.poll() is None
            opening.kill()
        for sender in SENDERS:
            with Client(self._kitchen.where, sender, patience=0) as kitchen:
                kitchen.order(kitchens.WORDS, id=sender)

    def lay_out(self, command: str) -> None:
        self.proxy.arm(None)
        shutil.rmtree(self.folder)
        shutil.copytree(self.within / "kept", self.folder)
        self._redis.flushall()
        for key, kept in self._kept.items():
            self._redis.restore(key, 0, kept)
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


class PostgresKitchens(Kitchens):
    """Kitchens whose checkpoints are in a PostgreSQL."""

    @property
    def commands(self) -> Mapping[str, tuple[str, ...]]:
        return {SERVE: ("serve", "small", "--runs", "trial")}

    def lay_out(self, command: str) -> None:
        self.proxy.arm(None)
        shutil.rmtree(self.within / "trial", ignore_errors=True)
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
def redis_kitchens(within: Path) -> Iterator[Kitchens]:
    """Yield kitchens in a Redis of their own."""
    within.mkdir()
    server = RedisProcess(within, *PERSISTENT)
    proxy = CuttingProxy(server.socket)
    try:
        yield RedisKitchens(within, proxy, server)
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
    "redis": redis_kitchens,
    "postgres": postgres_kitchens,
}

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import openai
import pytest

from cookmas.kitchen.state import KitchenState
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.scenarios.scenario import load_scenario
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.worlds.base.script import Situation
from cookmas.worlds.restaurant.domain import DOMAIN
from cookmas.worlds.restaurant.voice.blocks import dump_blocks
from tests.cookmas.commands.calling import fails
from tests.modelserver.hosting import Hosted
from tests.warm import COOKMAS, ROOT, Warm

Messages = Sequence[dict[str, Any]]

FORKING = f"""
import multiprocessing, signal
from concurrent.futures import ProcessPoolExecutor
from cookmas.modelserver import scripts, serve

def begin():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    scripts.end_with_parent()

def forked(processes):
    fork = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, fork, initializer=begin)
    pool.submit(int).result()
    return pool

serve._pool = forked
{COOKMAS}
"""
"""Code of `cookmas` with warm planning processes.

They are forked before the first connection, since an inherited connection could not be reset. They
do not keep the handling of SIGTERM by `cookmas`: a pool of which one process was killed ends the
others with SIGTERM.
"""


TOLD = "cookmas: interrupted; the same command starts again\n"


class Server:
    """A server in its own process."""

    def __init__(self, *options: str, script: str = COOKMAS) -> None:
        self.process = Warm[str](
            (script, "model-server", "--port", "0", *options),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.url = self.process.stdout.readline().strip()

    def stop(self) -> None:
        self.process.terminate()
        self.ends_well()

    def ends_well(self) -> None:
        _, said = self.process.communicate(timeout=120)
        assert self.process.returncode == 128 + signal.SIGTERM, said
        assert said == TOLD


class Wire:
    """Servers, started once in a file of tests for each set of options, and the real client."""

    _right: ClassVar[dict[str, Plan]] = {}

    def __init__(self) -> None:
        self._running: dict[tuple[str, ...], Hosted] = {}

    def server(self, *options: str) -> str:
        """Return the URL of a server with these options, in this process."""
        if options not in self._running:
            self._running[options] = Hosted(*options)
        return self._running[options].url

    @staticmethod
    def refused(*options: str) -> str:
        """Return the error of a server that rejects its options."""
        return fails("model-server", *options)

    def stop(self) -> None:
        for server in self._running.values():
            server.stop()

    @staticmethod
    def client(url: str, **options: Any) -> openai.AsyncOpenAI:
        """Return a client that waits on a busy machine too: usually a connection has 5 seconds."""
        patient = {"max_retries": 0, "timeout": 600.0, **options}
        return openai.AsyncOpenAI(base_url=url, api_key="none", **patient)

    async def ask(self, url: str, messages: Messages, **more: Any) -> Any:
        """Return the first choice of the answer."""
        return (await self.ask_all(url, [messages], **more))[0]

    async def ask_all(self, url: str, requests: Sequence[Messages], **more: Any) -> list[Any]:
        """Send all requests at once; return the first choice of each answer, or the error."""
        async with self.client(url) as client:
            create: Any = client.chat.completions.create
            asked = [create(model="scripted", messages=messages, **more) for messages in requests]
            made: list[Any] = await asyncio.gather(*asked, return_exceptions=True)
        return [one if isinstance(one, Exception) else one.choices[0] for one in made]

    @staticmethod
    @lru_cache
    def observed(name: str) -> Observation[KitchenState]:
        """Return a planner's observation at timestep 0 of a shipped scenario."""
        scenario = load_scenario(name)
        world = scenario.world()
        state = world.start()
        for at, event in scenario.events():
            if at == 0:
                state, _ = world.apply(state, event)
        recipe = scenario.menu.recipe_file
        texts = {item: recipe(item).read_text() for item in world.lookups(state)}
        return Observation(timestep=0, triggers=(), world=world, state=state, texts=texts, fails={})

    async def right(self, name: str) -> Plan:
        """Return the embedded planner's answer at the beginning of a scenario; planned once."""
        if name not in self._right:
            self._right[name] = await EmbeddedPlanner().plan(self.observed(name))
        return self._right[name]

    def situation(self, name: str) -> Situation:
        """Return the beginning of a scenario in the form of the restaurant's script."""
        blocks = parse_blocks(dump_blocks(self.observed(name)))
        return DOMAIN.script.situation(blocks, {}, "schedule", lambda *_: False)

    def prompt(
        self, observation: Observation[KitchenState] | str, task: str = "schedule"
    ) -> list[dict[str, Any]]:
        """Return the messages of a prompt, for an observation or the beginning of a scenario."""
        if isinstance(observation, str):
            observation = self.observed(observation)
        return [{"role": "user", "content": "Plan!\n\n" + dump_blocks(observation, task)}]

    @staticmethod
    def unlike(messages: Messages, count: int) -> list[Messages]:
        """Return different requests with the same question."""
        return [[{"role": "system", "content": f"Request {n}."}, *messages] for n in range(count)]


@pytest.fixture(scope="module")
def wire(least_effort: None) -> Iterator[Wire]:
    """Yield the real client, and servers that plan with the least effort."""
    wire = Wire()
    yield wire
    wire.stop()

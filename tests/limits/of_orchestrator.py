"""Limits of the orchestrator's graph, its planners, its models and its runs."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cookmas.episodes.trace import EventRecord, MessageRecord, Trace
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.checkpoints.serializer import PlainSerializer
from cookmas.orchestrator.library import Library
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.models.dialect import find_fields
from cookmas.orchestrator.models.faults import describe
from cookmas.orchestrator.models.message import Message, Request
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.models.outcome import is_silent
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners import naming
from cookmas.orchestrator.planners.sheet import Sheet
from cookmas.orchestrator.runs.folder import MEANINGS, create_folder, meanings_of
from cookmas.people.orchestrating.terminal import edit
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld
from tests.limits.limit import Limit, text
from tests.orchestrator.conftest import _corridor
from tests.orchestrator.models.endpoint import Exchange, completion, serving

RED = {"kind": "bell", "name": "red"}


class Speaking:
    """A walker that stays, says what `say` returns of each timestep, and keeps what it has seen."""

    def __init__(self, say: Any = lambda timestep: "") -> None:
        self.say = say
        self.seen: list[Observation[Any]] = []

    async def turn(self, observation: Observation[Any]) -> Turn:
        self.seen.append(observation)
        said = "" if observation.talk else self.say(observation.timestep)
        return Turn(actions=["stay"], say=said)


class InTurn(CorridorWorld):
    """A corridor in which the walkers move in turn."""

    def movers(self, state: Corridor) -> Sequence[str]:
        return [self.workers[state["timestep"] % 2]]

    def step(self, state: Corridor, commands: Any) -> Any:
        given = dict(commands)
        return super().step(state, [Command(w, given.get(w, "stay")) for w in self.workers])


class Grumbling(CorridorWorld):
    """A corridor that refuses the blue bell with many words, from some time on."""

    size = 0

    def apply(self, state: Corridor, event: Any) -> Any:
        if self.size and event.get("name") == "blue":
            raise InputError("bell", text(self.size - len("bell: ")))
        return super().apply(state, event)


def _team(one: Speaking, other: Speaking) -> Team:
    members = {"walker_1": one, "walker_2": other}
    return Team(name="speaking", planner_class="pure", members=members, rounds=2)


async def _play(*events: Any, horizon: int, one: Speaking, other: Speaking, **more: Any) -> Trace:
    return await _corridor(_team(one, other), (0, RED), *events, horizon=horizon, **more).run()


async def _hear(count: int) -> list[int]:
    """Return the timesteps of the messages in view after that many timesteps with one each."""
    listening = Speaking()
    await _play(horizon=count + 1, one=Speaking(lambda now: f"at {now}"), other=listening)
    last = next(seen for seen in listening.seen if seen.timestep == count)
    return [said.timestep for said in last.heard if said.agent == "walker_1"]


async def _be_told(count: int) -> list[int]:
    """Return the instructions that a walker is told that could not move when they came."""
    told = [(0, {"kind": "instruct", "words": str(number)}) for number in range(count)]
    waiting = Speaking()
    world = InTurn(CorridorLevel())
    await _play(*told, horizon=2, one=Speaking(), other=waiting, world=world)
    causes = [t.cause for t in waiting.seen[0].triggers if t.kind == "instruction"]
    return [int(cause.rpartition(" ")[2]) for cause in causes]


async def _stand(count: int) -> list[int]:
    """Return the instructions that stand after that many."""
    told = [(0, {"kind": "instruct", "words": str(number)}) for number in range(count)]
    listening = Speaking()
    await _play(*told, horizon=1, one=Speaking(), other=listening)
    return [int(each.words) for each in listening.seen[-1].instructions]


async def _say(size: int) -> str:
    trace = await _play(horizon=1, one=Speaking(lambda now: text(size)), other=Speaking())
    (said,) = trace.of(MessageRecord)
    return said.text


async def _instruct(size: int) -> None:
    _corridor(_team(Speaking(), Speaking())).inject({"kind": "instruct", "words": text(size)})


async def _complain(size: int) -> bool:
    """Return whether a refusal of that many characters is recorded as it is."""
    world = Grumbling(CorridorLevel())
    episode = _corridor(_team(Speaking(), Speaking()), (0, RED), world=world, horizon=1)
    episode.inject({"kind": "bell", "name": "blue"})
    world.size = size
    trace = await episode.run()
    refusals = [record.refused for record in trace.of(EventRecord) if record.refused]
    return refusals == [f"bell: {text(size - 6)}"]


async def _redirect(times: int) -> None:
    async def redirects(exchange: Exchange) -> None:
        await exchange.send(307, {}, {"location": "/v1/chat/completions"})

    async with serving() as server:
        server.script = [redirects] * times
        model = OpenAIModel("stub", server.url, retries=0)
        await model.answer(Request(messages=(Message(role="user", content="Hello"),)))


async def _answer(size: int) -> None:
    async def answer(exchange: Exchange) -> None:
        raw = json.dumps(completion()).encode().ljust(size)
        await exchange.send(200, gzip.compress(raw), {"content-encoding": "gzip"})

    async with serving() as server:
        server.default = answer
        model = OpenAIModel("stub", server.url, retries=0)
        await model.answer(Request(messages=(Message(role="user", content="Hello"),)))


def _nest(depth: int) -> Any:
    return {"inner": _nest(depth - 1)} if depth else {"code": 1}


def _name_planner(size: int) -> None:
    planner = SimpleNamespace(name=text(size), planner_class="pure", plan=lambda seen: None)
    naming._check(("walker_1",), planner, "planner")


def _give_rounds(rounds: int) -> None:
    members: Any = {"walker_1": Speaking()}
    team = Team(name="team", planner_class="pure", members=members, rounds=rounds)
    naming._check(("walker_1",), team, "planner")


def _sheet() -> Sheet:
    world = CorridorWorld(CorridorLevel())
    seen: Observation[Any] = Observation(
        timestep=0, triggers=(), world=world, state=world.start(), texts={}, fails={}
    )
    return Sheet(seen)


def _decompress(size: int) -> None:
    """Read a value of that many bytes, which is a byte string with five bytes of a header."""
    data = b"\xc6" + (size - 5).to_bytes(4, "big") + b"x" * (size - 5)
    PlainSerializer("here").loads_typed(("msgpack+zlib", zlib.compress(data)))


def _read_meanings(size: int) -> None:
    folder = Path(f"run-{size}")
    folder.mkdir(exist_ok=True)
    (folder / MEANINGS).write_text("{}" + " " * (size - 2))
    meanings_of(folder)


async def _look_up(size: int) -> str:
    """Look a text of that many characters up."""

    async def fetch(key: str) -> str:
        return text(size)

    return (await Library(fetch).look_up(["salad"]))["salad"]


LIMITS = [
    Limit(name="orchestrator.library:MOST_TEXT", reach=_look_up, above="shortened"),
    Limit(name="orchestrator.graph.bookkeeping:MOST_HEARD", reach=_hear, above="oldest dropped"),
    Limit(
        name="orchestrator.graph.bookkeeping:MOST_UNTOLD", reach=_be_told, above="oldest dropped"
    ),
    Limit(name="orchestrator.graph.planning:LONGEST_MESSAGE", reach=_say, above="cut"),
    Limit(name="orchestrator.graph.messages:LONGEST_REFUSAL", reach=_complain, above="left out"),
    Limit(name="episodes.instruction:LONGEST_INSTRUCTION", reach=_instruct),
    Limit(name="episodes.instruction:MOST_INSTRUCTIONS", reach=_stand, above="oldest dropped"),
    Limit(
        name="orchestrator.models.dialect:DEEPEST",
        reach=lambda n: list(find_fields(_nest(n), ["code"])) == [1],
        above="left out",
    ),
    Limit(
        name="orchestrator.models.dialect:MOST_ENTRIES",
        reach=lambda n: list(find_fields([{"code": each} for each in range(n)], ["code"])),
        above="cut",
    ),
    Limit(name="orchestrator.models.openai_model:MOST_BODY", reach=_answer),
    Limit(
        name="orchestrator.models.faults:LONGEST_WORDS",
        reach=lambda n: describe(text(n)),
        above="cut",
    ),
    Limit(
        name="orchestrator.models.outcome:MOST_TOKENS",
        reach=lambda n: not is_silent({"completion_tokens": n}),
        above="left out",
    ),
    Limit(name="orchestrator.models.openai_model:MOST_REDIRECTS", reach=_redirect),
    Limit(
        name="orchestrator.models.options:LONGEST_NAME", reach=lambda n: ModelOptions(model=text(n))
    ),
    Limit(name="orchestrator.planners.naming:LONGEST_NAME", reach=_name_planner),
    Limit(name="orchestrator.planners.naming:MOST_ROUNDS", reach=_give_rounds),
    Limit(
        name="orchestrator.planners.sheet:MOST_ROWS",
        reach=lambda n: _sheet().with_actions([], 0, "walker_1", ["right"] * n),
    ),
    Limit(
        name="orchestrator.planners.sheet:LONGEST_ACTION",
        reach=lambda n: edit(_sheet(), [], f"0 walker_1: {text(n)}"),
    ),
    Limit(
        name="orchestrator.runs.folder:LONGEST_PART",
        reach=lambda n: create_folder(Path(), text(n), "planner").name.partition("-")[0],
        above="cut",
    ),
    Limit(name="orchestrator.runs.folder:MOST_OF_MEANINGS", reach=_read_meanings, patched=100),
    Limit(name="orchestrator.checkpoints.serializer:MOST_BYTES", reach=_decompress, patched=1000),
]

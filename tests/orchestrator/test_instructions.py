"""A supervisor's instructions: an event of every world, which planners may take to heart."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

import cookmas
from cookmas.episodes.trace import EventRecord, PlanRecord, TriggerRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.planner import Instruction, Observation, Plan
from cookmas.orchestrator.planners.calling import observation_data, observation_of
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.worlds.corridor.voice import VOICE
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld
from tests.orchestrator.watched import Watched

Play = Callable[..., Episode]

RED = {"kind": "bell", "name": "red"}
FIRST, SECOND = "walker_1 should do nothing", "``` ### CALL be quick"


def instruct(words: Any) -> dict[str, Any]:
    return {"kind": "instruct", "words": words}


class KilledError(BaseException):
    """The process ends."""


def words_of(observation: Observation[Any]) -> Sequence[tuple[int, str]]:
    return [(each.timestep, each.words) for each in observation.instructions]


async def test_an_instruction_calls_the_planner_which_knows_all_that_stand(corridor: Play) -> None:
    planner = Watched()
    events = ((0, RED), (1, instruct(FIRST)), (2, instruct(SECOND)))
    trace = await corridor(planner, *events).run()
    told = [(1, FIRST), (2, SECOND)]
    assert [words_of(seen) for seen in planner.seen] == [[], told[:1], told]
    triggers = [(r.timestep, r.trigger, r.cause) for r in trace.of(TriggerRecord)][1:]
    assert triggers == [(t, "instruction", f"the supervisor says: {words}") for t, words in told]
    assert all(frame.equal for frame in cookmas.replay(trace))
    last = list(trace.of(PlanRecord))[-1]
    assert last.reasoning.endswith("instruction is not read by this planner")
    seen = planner.seen[-1]
    assert observation_of(observation_data(seen), seen.world, seen.look_up) == seen


async def test_an_instruction_is_known_after_a_kill(corridor: Play, tmp_path: Path) -> None:
    class Killed(Watched):
        async def plan(self, observation: Observation[Any]) -> Plan:
            if observation.timestep == 2:
                raise KilledError
            return await super().plan(observation)

    async def play(planner: Watched) -> None:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
            events = ((0, RED), (1, instruct(FIRST)), (2, instruct(SECOND)))
            path = tmp_path / "trace.jsonl"
            await corridor(planner, *events, path=path, checkpointer=saver).run()

    with pytest.raises(KilledError):
        await play(Killed())
    planner = Watched()
    await play(planner)
    assert [words_of(seen) for seen in planner.seen] == [[(1, FIRST), (2, SECOND)]]


@pytest.mark.parametrize("words", ["", " \n ", "x" * 501, 7, None])
def test_what_is_no_instruction_is_refused(words: Any, corridor: Play) -> None:
    with pytest.raises(InputError, match="words"):
        corridor(EmbeddedPlanner(), (0, RED)).inject(instruct(words))


def _observation(**more: Any) -> Observation[Any]:
    world = CorridorWorld(CorridorLevel())
    state, _ = world.apply(world.start(), RED)
    given = {"timestep": 1, "triggers": (), "texts": {}, "fails": {}}
    return Observation(**{**given, **more}, world=world, state=state)


@pytest.mark.parametrize("ways", PRESETS.values(), ids=list(PRESETS))
def test_every_way_of_asking_shows_instructions_as_data(ways: Prompting) -> None:
    without = _observation()
    told = replace(without, instructions=(Instruction(0, FIRST), Instruction(1, SECOND)))
    plain, shown = (
        Prompt.of(o, VOICE, ways, Templates(VOICE.prompts)).messages() for o in (without, told)
    )
    assert "supervisor" not in "".join(message.content for message in plain)
    blocks = parse_blocks(shown[1].content)
    assert blocks.pop("INSTRUCTIONS") == [{"t": 0, "words": FIRST}, {"t": 1, "words": SECOND}]
    assert blocks == parse_blocks(plain[1].content)
    assert "INSTRUCTIONS: what the supervisor" in shown[-1].content


def test_a_team_is_told_as_well() -> None:
    told = _observation(agent="walker_1", instructions=(Instruction(0, FIRST),))
    asked = Prompt.of(told, VOICE, Prompting(), Templates(VOICE.prompts)).messages()
    assert parse_blocks(asked[1].content)["INSTRUCTIONS"] == [{"t": 0, "words": FIRST}]
    assert "INSTRUCTIONS: what the supervisor" in asked[-1].content


def _restaurant(folder: Path) -> str:
    order = {"at": 0, "kind": "new_order", "order": "o1", "lines": [{"item": "Garden Salad"}]}
    said = {"at": 3, "kind": "instruct", "words": FIRST}
    data = {"title": "x", "level": 3, "kitchen": "small", "events": [order, said]}
    return _written(folder, data)


def _cuisineworld(folder: Path) -> str:
    told = [{"at": 3, "words": FIRST}]
    data = {"world": "cuisineworld", "kitchen": "level_0", "instructions": told}
    return _written(folder, data)


def _written(folder: Path, data: Any) -> str:
    path = folder / "own.yaml"
    path.write_text(yaml.safe_dump(data))
    return str(path)


@pytest.mark.parametrize("scenario", [_restaurant, _cuisineworld])
def test_scenarios_bring_instructions(scenario: Callable[[Path], str], tmp_path: Path) -> None:
    name = scenario(tmp_path)
    run = cookmas.play(name, "embedded")
    assert run.verdict
    [record] = [r for r in run.trace.of(EventRecord) if r.event["kind"] == "instruct"]
    assert (record.timestep, record.refused) == (3, None)
    answered = next(r for r in run.trace.of(PlanRecord) if r.timestep == 3)
    assert "is not read" in answered.reasoning
    assert all(frame.equal for frame in cookmas.replay(run.trace))
    assert json.dumps(run.trace.header.scenario).count(FIRST) == 1

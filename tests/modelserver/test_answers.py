"""What the server answers where nothing goes wrong, over the wire with the real client."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer, write_out
from cookmas.orchestrator.dialogue.blocks import block
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import AnswerForm, Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.planner import commands_of
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.studies.previewing import first_request
from cookmas.worlds.restaurant.voice import VOICE
from cookmas.worlds.restaurant.voice.blocks import LOOK_UP

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire

SCENARIOS = ("level1/03", "level2/06", "level3/08")


@pytest.fixture(scope="module")
def url(wire: Wire) -> str:
    return wire.server()


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_schedule_is_the_embedded_planners(wire: Wire, url: str, name: str) -> None:
    choice = await wire.ask(url, wire.prompt(name))
    right = await wire.right(name)
    assert json.loads(choice.message.content)["schedule"] == right.schedule
    assert choice.finish_reason == "stop"


@pytest.mark.parametrize("name", SCENARIOS)
async def test_the_reading_is_the_embedded_planners(wire: Wire, url: str, name: str) -> None:
    choice = await wire.ask(url, wire.prompt(name, "read"))
    right = await wire.right(name)
    assert json.loads(choice.message.content)["lines"] == right.understood


async def test_single_steps_are_planned_afresh_and_get_done(wire: Wire, url: str) -> None:
    observation = wire.observed("level1/02")
    world = observation.world
    assert isinstance(world, Restaurant)
    for _ in range(30):
        if world.is_finished(observation.state):
            break
        choice = await wire.ask(url, wire.prompt(observation, "step"))
        (entry,) = json.loads(choice.message.content)["schedule"]
        assert entry == (await EmbeddedPlanner().plan(observation)).schedule[0]
        state: KitchenState = world.step(observation.state, commands_of(entry))[0]
        observation = replace(observation, state=state, timestep=state.timestep)
    assert world.is_finished(observation.state)


async def test_a_recipe_edited_in_the_prompt_changes_the_answer(wire: Wire, url: str) -> None:
    observation = wire.observed("level1/03")
    (line,) = observation.state.open_lines().values()
    simple = replace(observation, texts={line.item: "Put a lettuce on a plate and serve it."})
    choice = await wire.ask(url, wire.prompt(simple))
    picked = {
        action
        for entry in json.loads(choice.message.content)["schedule"]
        for action in entry.values()
        if action.startswith("pick")
    }
    assert "pick(lettuce)" in picked
    assert len(picked) <= 4
    read = await wire.ask(url, wire.prompt(simple, "read"))
    assert json.loads(read.message.content)["lines"] == {"o1.1": ["lettuce"]}


async def test_a_note_edited_in_the_orders_changes_the_answer(wire: Wire, url: str) -> None:
    salad = block("RECIPES", {"Salad": "Slice a tomato and put it on a plate with a lettuce."})
    lines: list[dict[str, list[str]]] = []
    for note in ("", "No tomato, please."):
        orders = block("ORDERS", [{"line": "o1.1", "item": "Salad", "note": note}])
        messages = wire.prompt("level1/03", "read")
        messages[0]["content"] += f"\n\n{salad}\n\n{orders}"
        choice = await wire.ask(url, messages)
        lines.append(json.loads(choice.message.content)["lines"])
    assert lines == [{"o1.1": ["lettuce", "tomato > slice 1"]}, {"o1.1": ["lettuce"]}]


@pytest.mark.parametrize("name", ["KITCHEN", "STATE", "ORDERS", "RECIPES", "CALL"])
async def test_a_prompt_without_a_block_is_answered_by_naming_it(
    wire: Wire, url: str, name: str
) -> None:
    messages = wire.prompt("level1/03")
    messages[0]["content"] = messages[0]["content"].replace(f"### {name}\n", "### Something\n")
    choice = await wire.ask(url, messages)
    assert f"block ### {name}" in choice.message.content
    assert "{" not in choice.message.content


async def test_a_block_that_is_no_json_is_named(wire: Wire, url: str) -> None:
    messages = wire.prompt("level1/03")
    messages[0]["content"] += "\n\n### STATE\n```json\n{oops}\n```"
    choice = await wire.ask(url, messages)
    assert "block ### STATE is not JSON" in choice.message.content


async def test_recipes_that_are_not_in_the_prompt_are_looked_up(wire: Wire, url: str) -> None:
    observation = wire.observed("level2/06")
    bare = replace(observation, texts={})
    tool = {
        "type": "function",
        "function": {"name": LOOK_UP.tool, "parameters": {"type": "object"}},
    }
    messages = wire.prompt(bare)
    choice = await wire.ask(url, messages, tools=[tool])
    assert choice.finish_reason == "tool_calls"
    messages.append(choice.message.model_dump(exclude_none=True))
    for call in choice.message.tool_calls:
        item = json.loads(call.function.arguments)["item"]
        found = {"item": item, "recipe": observation.texts[item]}
        messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(found)})
    assert len(messages) == 2 + len(observation.texts)
    choice = await wire.ask(url, messages, tools=[tool])
    right = await wire.right("level2/06")
    assert json.loads(choice.message.content)["schedule"] == right.schedule


async def test_an_answer_has_the_form_that_the_schema_asks_for(wire: Wire, url: str) -> None:
    for options in (
        AskingOptions(per_step=True, chain_of_thought=False),
        AskingOptions(form="rows", chain_of_thought=True, lessons=True),
    ):
        schema = (await asyncio.to_thread(first_request, "level1/03", asking=options)).schema
        assert schema
        asked = {
            "type": "json_schema",
            "json_schema": {"name": schema.name, "schema": schema.schema, "strict": True},
        }
        choice = await wire.ask(url, wire.prompt("level1/03"), response_format=asked)
        answer = json.loads(choice.message.content)
        top: Any = schema.schema
        assert list(answer) == top["required"]
        rows = top["properties"]["schedule"]["items"]
        row = rows["anyOf"][0] if options.lessons else rows
        assert all(set(made) == set(row["required"]) for made in answer["schedule"])
        assert [made["t"] for made in answer["schedule"]] == [*range(len(answer["schedule"]))]
        if options.lessons:
            assert answer["keep_until"] == {"worker_1": 0, "worker_2": 0, "worker_3": 0}
            assert answer["shift"] == []


async def test_an_answer_is_in_columns_where_the_schema_asks_for_them(wire: Wire, url: str) -> None:
    workers = ("worker_1", "worker_2", "worker_3")
    asking = AskingOptions(chain_of_thought=False)
    schema = (await asyncio.to_thread(first_request, "level1/03", asking=asking)).schema
    assert schema
    asked = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema.schema}}
    choice = await wire.ask(url, wire.prompt("level1/03"), response_format=asked)
    answer = json.loads(choice.message.content)
    assert list(answer["schedule"]) == [*workers]
    right = (await wire.right("level1/03")).schedule
    meant, problems = write_out(ScheduleAnswer.model_validate(answer), (), 0)
    assert (meant, problems) == (right, [])


async def test_a_repair_changes_what_was_flagged_and_nothing_else(wire: Wire, url: str) -> None:
    messages = wire.prompt("level1/03")
    choice = await wire.ask(url, messages)
    right = json.loads(choice.message.content)["schedule"]
    wrong = [dict(entry) for entry in right]
    wrong[1]["worker_1"] = wrong[2]["worker_2"] = "navigate(moon)"
    wrong[3]["worker_1"] = "pick(star)"
    flagged = [{"timestep": 1, "worker": "worker_1"}, {"timestep": 3, "worker": "worker_1"}]
    call = {"timestep": 0, "task": "schedule", "repair": 1, "violations": flagged}
    messages += [
        {"role": "assistant", "content": f"So:\n{json.dumps({'schedule': wrong})}\nThat is it."},
        {"role": "user", "content": "These would FAIL.\n\n" + block("CALL", call)},
    ]
    choice = await wire.ask(url, messages)
    expected = [dict(entry) for entry in right]
    expected[2]["worker_2"] = "navigate(moon)"
    assert json.loads(choice.message.content)["schedule"] == expected


async def test_a_repair_has_the_workers_of_each_timestep_in_order(wire: Wire, url: str) -> None:
    """Of a set of flagged places each process would have another order."""
    workers = ["worker_1", "worker_2", "worker_3"]
    flagged = [{"timestep": t, "worker": worker} for t in range(8) for worker in workers]
    call = {"timestep": 0, "task": "schedule", "repair": 1, "violations": flagged[::-1]}
    before = {"role": "assistant", "content": json.dumps({"schedule": [{}] * 8})}
    asked = {"role": "user", "content": block("CALL", call)}
    choice = await wire.ask(url, [*wire.prompt("level1/03"), before, asked])
    written = [list(entry) for entry in json.loads(choice.message.content)["schedule"]]
    assert written == [workers] * 8


async def test_an_answer_can_be_streamed(wire: Wire, url: str) -> None:
    messages: Any = wire.prompt("level2/06")
    whole = (await wire.ask(url, messages)).message.content
    text, finished, tokens = "", None, 0
    async with wire.client(url) as client:
        stream = await client.chat.completions.create(
            model="m", messages=messages, stream=True, stream_options={"include_usage": True}
        )
        async for chunk in stream:
            for choice in chunk.choices:
                text += choice.delta.content or ""
                finished = finished or choice.finish_reason
            tokens += chunk.usage.total_tokens if chunk.usage else 0
    assert text == whole
    assert finished == "stop"
    assert tokens > len(whole) / 4


async def test_it_lists_its_model_and_refuses_what_is_no_request(wire: Wire, url: str) -> None:
    async with wire.client(url) as client:
        assert [model.id for model in (await client.models.list()).data] == ["scripted"]
    (error,) = await wire.ask_all(url, [[]])
    assert error.status_code == 400
    assert "messages should be a list with at least one message" in str(error)


@pytest.mark.parametrize("empty", [False, True])
async def test_answers_made_beforehand_are_replayed(
    wire: Wire, tmp_path: Path, empty: bool
) -> None:
    path = tmp_path / "answers.jsonl"
    if empty:
        path.touch()
    made = (await wire.ask(wire.server("--answers", str(path)), wire.prompt("level1/03"))).message
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    other = tmp_path / "changed.jsonl"
    other.write_text("\n".join([lines[0], lines[1].replace("timesteps", "instants")]) + "\n")
    again = await wire.ask(wire.server("--answers", str(other)), wire.prompt("level1/03"))
    assert again.message.content == made.content.replace("timesteps", "instants")


@pytest.mark.parametrize("form", ["rows", "columns"])
async def test_a_schedule_goes_on_with_what_is_under_way_until_it_counts(
    wire: Wire, url: str, form: AnswerForm
) -> None:
    name, takes = "level1/02", 3
    seen = wire.observed(name)
    underway = (await wire.right(name)).schedule
    entries = tuple(tuple(commands_of(entry)) for entry in underway)
    later = replace(seen, underway=entries, price=ThinkingPrice(500, "tokens"), effect=takes)
    ways = Prompting(form=form)
    asked = Prompt.of(later, VOICE, ways, Templates(VOICE.prompts))
    messages = [each.model_dump(include={"role", "content"}) for each in asked.messages()]
    choice = await wire.ask(url, messages)
    schedule = json.loads(choice.message.content)["schedule"]
    state, idle = seen.state, seen.world.idle
    for entry in underway[:takes]:
        state = seen.world.step(state, commands_of(entry))[0]
    at_effect = replace(seen, state=state, underway=entries[takes:], timestep=takes)
    right = (await EmbeddedPlanner().plan(at_effect)).schedule
    written = [{w: a for w, a in dict(row).items() if a != idle} for row in schedule]
    expected = [
        {w: a for w, a in dict(row).items() if a != idle} for row in [*underway[:takes], *right]
    ]
    assert written == expected


async def test_it_answers_by_its_own_name_whatever_it_is_called(wire: Wire, url: str) -> None:
    """A trace, a table and a page take the name of the model from the answer."""
    async with wire.client(url) as client:
        create: Any = client.chat.completions.create
        asked = {"model": "gpt-9", "messages": wire.prompt("level1/03")}
        answer = await create(**asked)
        pieces = await create(**asked, stream=True)
        assert {answer.model, *[piece.model async for piece in pieces]} == {"scripted"}

"""Requests of the wrong types: a sentence that says what is wrong, and the server goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import openai
import pytest

from cookmas.orchestrator.dialogue.blocks import block
from cookmas.worlds.restaurant.voice.blocks import LOOK_UP
from tests.worlds.restaurant.reading_back import load_blocks

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire

PROPERTIES = "response_format.json_schema.schema.properties"
LINE = {"line": "o1.1", "item": "Salad"}
KITCHENS: list[dict[str, Any]] = [
    {"larder": {}},
    {"larder": {"fridge": [5]}},
    {"stations": {}},
    {"stations": []},
    {"stations": [["pan", 0, 1, ["pan_1"]]]},
    {"stations": [["pan", "many", 1, ["pan_1"]]]},
    {"stations": [["pan", 6, 1, "pan_1"]]},
    {"doneness": [["beef", "grill", {"rare": 3}, 9]]},
    {"stock": {"tomato": "some"}},
]
STATES: list[dict[str, Any]] = [
    {"timestep": "x"},
    {"workers": {"worker_1": ["moon", None]}},
    {"workers": 3},
    {"contents": {"moon": [[1, "plate", None]]}},
    {"contents": {"fridge": [[1, "tomato", None]]}},
    {"contents": {"pan_1": []}},
    {"contents": {"pan_1": [[1, "tomato > > chop", None]]}},
    {"contents": {"pan_1": [[1, "tomato", 7]]}},
    {"contents": {"pan_1": [[1, "plate", None]]}},
    {"contents": {"board_1": [["1", "tomato", None]]}},
    {"out": {"pan_1": [1]}},
]
ORDERS: list[Any] = [
    5,
    {},
    [5],
    [{"line": "o1.1"}],
    *([{**LINE, **odd}] for odd in ({"note": 5}, {"item": ["Salad"]}, {"due": "x"}, {"line": 1})),
]
CALLS: list[dict[str, Any]] = [
    {"timestep": "x"},
    {"task": ["schedule"]},
    {"workers": 3},
    {"violations": 5},
    {"violations": [5]},
    {"violations": [{"timestep": "x", "worker": "worker_1"}]},
    {"violations": [{"timestep": 1, "worker": ["worker_1"]}]},
]


@pytest.fixture(scope="module")
def url(wire: Wire) -> str:
    return wire.server()


async def refusals(
    wire: Wire, url: str, name: str, odd: list[Any], *, added: bool = True
) -> list[str]:
    """What is said to prompts whose block `name` has odd data, or odd fields `added`."""
    messages = wire.prompt("level1/03")
    data = load_blocks(messages[0]["content"]).data[name]
    requests = [
        [*messages, {"role": "user", "content": block(name, {**data, **one} if added else one)}]
        for one in odd
    ]
    return [choice.message.content for choice in await wire.ask_all(url, requests)]


@pytest.mark.parametrize(
    ("name", "odd", "added"),
    [
        ("KITCHEN", KITCHENS, True),
        ("STATE", STATES, True),
        ("ORDERS", ORDERS, False),
        ("RECIPES", [[], 5, {"Salad": 5}, {"Salad": ["Chop."]}, {"Salad": None}], False),
        ("CALL", CALLS, True),
        ("CALL", [5, [], None], False),
    ],
)
async def test_odd_data_in_a_block_is_answered_by_naming_it(
    wire: Wire, url: str, name: str, odd: list[Any], added: bool
) -> None:
    for said, why in zip(await refusals(wire, url, name, odd, added=added), odd, strict=True):
        assert said.startswith(f"I cannot answer this: prompt: block ### {name}"), why
        assert "\n" not in said


async def test_half_a_character_in_a_block_is_answered_by_naming_it(wire: Wire, url: str) -> None:
    (said,) = await refusals(wire, url, "ORDERS", [[{**LINE, "note": "\ud800"}]], added=False)
    assert "block ### ORDERS is not as expected (it has a lone surrogate" in said


async def test_a_lookup_with_an_odd_answer_is_made_again(wire: Wire, url: str) -> None:
    messages = wire.prompt("level1/03")
    content = messages[0]["content"].replace("### RECIPES\n", "### Something\n")
    tool = {"type": "function", "function": {"name": LOOK_UP.tool}}
    for recipe in (5, None, "\ud800"):
        found = {"role": "tool", "content": json.dumps({"item": "Greek Salad", "recipe": recipe})}
        choice = await wire.ask(url, [{"role": "user", "content": content}, found], tools=[tool])
        assert choice.finish_reason == "tool_calls"


@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        ({"model": 5}, "model should be a string"),
        ({"model": "\ud800"}, "should have no lone surrogates"),
        ({"user": ["\ud800"]}, "should have no lone surrogates"),
        ({"messages": "hello"}, "messages should be a list"),
        ({"messages": [5]}, "each message should be a JSON object"),
        ({"messages": [{"role": "user", "content": 5}]}, "the content of a message should be text"),
        ({"messages": [{"role": "user", "content": [5]}]}, "the content of a message should be"),
        ({"messages": [{"role": "user", "content": [{"text": 5}]}]}, "the content of a message"),
        ({"messages": [{"role": "user", "content": "\udfff"}]}, "should have no lone surrogates"),
        ({"tools": "all"}, "tools should be a list of JSON objects"),
        ({"tools": [1]}, "tools should be a list of JSON objects"),
        ({"tools": [{"function": "f"}]}, "the function of each a JSON object"),
        ({"response_format": "json"}, "response_format should be a JSON object"),
        ({"response_format": [1]}, "response_format should be a JSON object"),
        ({"response_format": {"json_schema": 1}}, "response_format.json_schema should be a JSON"),
        (
            {"response_format": {"json_schema": {"schema": {"properties": ["lines"]}}}},
            f"{PROPERTIES} should be a JSON object",
        ),
        (
            {"response_format": {"json_schema": {"schema": {"properties": {"schedule": True}}}}},
            f"{PROPERTIES}.schedule should be a JSON object",
        ),
        ({"stream": "yes"}, "stream should be true or false"),
        ({"stream": True, "stream_options": "usage"}, "stream_options should be a JSON object"),
        ({"stream_options": {"include_usage": 5}}, "include_usage should be true or false"),
    ],
)
async def test_odd_fields_of_a_request_are_refused(
    wire: Wire, url: str, odd: dict[str, Any], expected: str
) -> None:
    body = {"model": "m", "messages": wire.prompt("level1/03"), **odd}
    assert expected in str(await posted(wire, url, json.dumps(body)))


@pytest.mark.parametrize("raw", ["", "{", "5", "[" * 100_000])
async def test_what_is_no_request_is_refused(wire: Wire, url: str, raw: str) -> None:
    assert "the request" in str(await posted(wire, url, raw))


async def posted(wire: Wire, url: str, raw: str) -> openai.BadRequestError:
    """The refusal of a raw request."""
    headers = {"content-type": "application/json"}
    async with wire.client(url) as client:
        with pytest.raises(openai.BadRequestError) as refused:
            await client.post(
                "/chat/completions",
                cast_to=object,
                content=raw.encode(),
                options={"headers": headers},
            )
    return refused.value


async def test_nothing_where_something_may_stand_changes_nothing(wire: Wire, url: str) -> None:
    messages = wire.prompt("level1/03")
    plain = await wire.ask(url, messages)
    nothing = {"tools": None, "response_format": None, "stream": None, "stream_options": None}
    parts = [{"role": "user", "content": [{"type": "text", "text": messages[0]["content"]}]}]
    for choice in (
        await wire.ask(url, messages, extra_body=nothing),
        await wire.ask(url, messages, response_format={"type": "json_object"}),
        await wire.ask(url, parts),
    ):
        assert choice == plain

"""Cassettes: what was recorded is answered, in order; what was not is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cookmas.episodes.trace import Header, ModelCall, Trace
from cookmas.files.errors import (
    InfrastructureError,
    InputError,
    LeaseLostError,
    MissingError,
    TraceError,
)
from cookmas.files.writing import guard_writes
from cookmas.orchestrator.models.cassette import Cassette, CassetteError, record_answer
from cookmas.orchestrator.models.message import Message, Request, Schema
from cookmas.orchestrator.models.openai_model import OpenAIModel
from tests.orchestrator.models.endpoint import Server, completion, fails, question, says

COOK = "You cook.\nThere are three workers in the kitchen.\nGo."
HEADER = Header(
    world="corridor",
    rules="1",
    workers=["walker_1"],
    seed=0,
    planner="llm",
    planner_class="pure",
    scenario_name="one",
    scenario_digest="",
    scenario={},
    setup={},
)


async def test_what_is_recorded_is_replayed(server: Server, tmp_path: Any) -> None:
    path = tmp_path / "new" / "tape.jsonl"
    call = {"id": "1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    server.script = [
        says("one"),
        says("two", finish_reason="length"),
        says("", refusal="no"),
        says("four\nlines \u2028 \u00e9", tool_calls=[call], usage=None),
    ]
    recording = Cassette(path, OpenAIModel("stub", server.url))
    asked = [
        question(),
        question(),
        question("Else?"),
        question(schema=Schema(name="s", schema={})),
    ]
    recorded = [(await recording.answer(request))[0] for request in asked]
    replaying = Cassette(path)
    replayed = [await replaying.answer(request) for request in asked]
    assert [answer for answer, _ in replayed] == recorded
    assert {(m.seconds, m.retries, m.cost) for _, m in replayed} == {(0.0, 0, 0.0)}
    assert replaying.name == "stub"
    assert len(server.seen) == 4


async def test_recording_goes_on_where_it_was(server: Server, tmp_path: Any) -> None:
    path = tmp_path / "tape"
    model = OpenAIModel("stub", server.url)
    await Cassette(path, model).answer(question("first"))
    with path.open("a") as file:
        file.write('{"request": "torn')
    again = Cassette(path, model)
    await again.answer(question("first"))
    assert len(server.seen) == 1, "what is recorded need not be asked"
    await again.answer(question("second"))
    await again.answer(question("first"))
    assert len(server.seen) == 3
    replaying = Cassette(path)
    for text in ("first", "second", "first"):
        await replaying.answer(question(text))
    with pytest.raises(CassetteError, match="recorded 2 times"):
        await replaying.answer(question("first"))


async def test_answers_recorded_at_the_same_time_keep_their_requests(
    server: Server, tmp_path: Any
) -> None:
    path = tmp_path / "tape"
    recording = Cassette(path, OpenAIModel("stub", server.url))

    async def echo(exchange: Any) -> None:
        text = exchange.body["messages"][1]["content"]
        await exchange.send(200, completion(text))

    server.default = echo
    await asyncio.gather(*(recording.answer(question(f"{n}")) for n in range(40)))
    replaying = Cassette(path)
    for n in range(40):
        answer, _ = await replaying.answer(question(f"{n}"))
        assert answer.text == f"{n}"


async def test_an_error_is_not_recorded(server: Server, tmp_path: Any) -> None:
    server.script = [fails(401)]
    recording = Cassette(tmp_path / "tape", OpenAIModel("stub", server.url))
    with pytest.raises(InfrastructureError):
        await recording.answer(question())
    assert (tmp_path / "tape").read_text() == ""


async def test_a_process_that_may_not_write_records_nothing(server: Server, tmp_path: Any) -> None:
    """As after another process has followed it in the same run."""
    path = tmp_path / "tape"
    server.script = [says("one"), says("late")]
    superseded, successor = (Cassette(path, OpenAIModel("stub", server.url)) for _ in range(2))
    recorded, _ = await superseded.answer(question("first"))

    @contextmanager
    def lost() -> Iterator[None]:
        raise LeaseLostError("lost")
        yield

    with guard_writes(lost):
        with pytest.raises(LeaseLostError):
            await superseded.answer(question("second"))
        with path.open("a") as file:
            file.write('{"request": "half')
        with pytest.raises(LeaseLostError):
            await Cassette(path, OpenAIModel("stub", server.url)).answer(question("third"))
        assert path.read_text().endswith("half"), "another process is writing this line"
    assert (await successor.answer(question("first")))[0] == recorded
    assert len(server.seen) == 2
    assert path.read_text().count("\n") == 1


@pytest.fixture
async def tape(server: Server, tmp_path: Any) -> Any:
    path = tmp_path / "tape"
    recording = Cassette(path, OpenAIModel("stub", server.url))
    for text in ("Unlike.\nAltogether.", COOK):
        messages = (Message(role="system", content="Rules"), Message(role="user", content=text))
        await recording.answer(Request(messages=messages, temperature=0.0))
    return path


@pytest.mark.parametrize(
    ("messages", "more", "expected"),
    [
        (
            [("system", "Rules"), ("user", COOK.replace("three", "four"))],
            {},
            r"message 2 \(user\), line 2, was '.*three workers.*', is '.*four workers",
        ),
        (
            [("system", "Laws"), ("user", COOK)],
            {},
            r"message 1 \(system\), line 1, was 'Rules', is 'Laws'",
        ),
        (
            [("system", "Rules"), ("user", f"{COOK}\nNow.")],
            {},
            r"line 4, was not there, is 'Now\.'",
        ),
        ([("system", "Rules")], {}, "the nearest has 2 messages, this one 1"),
        (
            [("system", "Rules"), ("assistant", "You cook.")],
            {},
            r"message 2 \(assistant\) was a message of role user",
        ),
        (
            [("system", "Rules"), ("user", COOK)],
            {"temperature": 1.0},
            "another schema, tools or sampling",
        ),
    ],
)
async def test_a_changed_prompt_is_noticed(
    tape: Any, messages: Any, more: Any, expected: str
) -> None:
    request = Request(
        messages=tuple(Message(role=role, content=text) for role, text in messages),
        **{"temperature": 0.0, **more},
    )
    with pytest.raises(CassetteError, match=expected) as caught:
        await Cassette(tape).answer(request)
    assert "\n" not in str(caught.value)


async def test_a_trace_is_a_cassette(server: Server, tmp_path: Any) -> None:
    request = question()
    answer, _ = await OpenAIModel("stub", server.url).answer(request)
    record = record_answer(request, answer, "stub")
    call = ModelCall(**dict(record), timestep=0, number=1, purpose="plan")
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(f"{line}\n" for line in Trace((HEADER, call)).lines()))
    assert (await Cassette(path).answer(request))[0] == answer
    with pytest.raises(TraceError, match="is a trace"):
        Cassette(path, OpenAIModel("stub", server.url))
    assert path.read_text().count("\n") == 2


def test_cassettes_that_cannot_be_replayed(tmp_path: Any) -> None:
    with pytest.raises(MissingError, match="no such cassette"):
        Cassette(tmp_path / "none")
    for text in ("nonsense\n", "[1]\n", '{"request": "x"}\n'):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(TraceError, match="line 1: is not a recorded answer"):
            Cassette(tmp_path / "bad")
    (tmp_path / "bad").write_text('{"kind":"model_call"}\n')
    with pytest.raises(TraceError, match="is no trace"):
        Cassette(tmp_path / "bad")
    for way in (None, OpenAIModel("stub", "http://127.0.0.1:1/v1")):
        with pytest.raises((TraceError, InputError), match="is not a regular file"):
            Cassette(Path("/dev/zero"), way)
    (tmp_path / "empty").write_text("")
    with pytest.raises(TraceError, match="has no answers"):
        Cassette(tmp_path / "empty")


async def test_answers_of_one_model_are_not_given_for_another(
    server: Server, tmp_path: Any
) -> None:
    path = tmp_path / "tape"
    server.script = [says("one"), says("two")]
    for name, said in (("one", "one"), ("two", "two"), ("one", "one")):
        answer, _ = await Cassette(path, OpenAIModel(name, server.url)).answer(question())
        assert answer.text == said
    assert len(server.seen) == 2
    for whose, said in ((None, "one"), ("two", "two")):
        answer, _ = await Cassette(path, name=whose).answer(question())
        assert answer.text == said
    with pytest.raises(TraceError, match="has no answers of three"):
        Cassette(path, name="three")


@pytest.mark.parametrize("content", ["line1", "{}", "notes\n", '{"key": 1}\n'])
def test_a_file_that_is_no_cassette_is_left_as_it_is(
    content: str, server: Server, tmp_path: Any
) -> None:
    path = tmp_path / "precious.txt"
    path.write_text(content)
    with pytest.raises(TraceError, match="is not a cassette"):
        Cassette(path, OpenAIModel("stub", server.url))
    assert path.read_text() == content


def test_what_cannot_be_recorded_to_is_one_line(server: Server, tmp_path: Any) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path, tmp_path / "file" / "tape"):
        with pytest.raises(InputError, match="cannot be recorded to"):
            Cassette(path, OpenAIModel("stub", server.url))

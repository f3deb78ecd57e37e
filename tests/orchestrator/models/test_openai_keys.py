"""The key of an endpoint: where it comes from, who has which, and that nothing repeats it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from cookmas.files.errors import InfrastructureError, InputError, MissingError
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.options import ModelOptions
from tests.orchestrator.models.endpoint import Server, fails, question, says

MARKER = "sk-marker-5e1f00d"


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "COOKMAS_API_KEY"])
async def test_the_key_comes_from_the_environment(
    server: Server, monkeypatch: Any, variable: Any
) -> None:
    monkeypatch.setenv(variable, MARKER)
    await OpenAIModel("stub", server.url).answer(question())
    assert server.seen[0].headers["authorization"] == f"Bearer {MARKER}"


async def test_each_seat_has_the_key_of_its_own_variable(server: Server, monkeypatch: Any) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", "sk-of-all-the-others")
    monkeypatch.setenv("BOB_KEY", MARKER)
    shared: dict[str, Any] = {"model": "stub", "base_url": server.url}
    options = ModelOptions(**shared, seats={"bob": ModelOptions(**shared, key_from="BOB_KEY")})
    for seat in ("alice", "bob"):
        await options.of_seat(seat).make().answer(question())
    sent = [seen.headers["authorization"] for seen in server.seen]
    assert sent == ["Bearer sk-of-all-the-others", f"Bearer {MARKER}"]
    monkeypatch.delenv("BOB_KEY")
    with pytest.raises(MissingError, match="--key-from: the environment variable BOB_KEY is not"):
        options.of_seat("bob").make()
    assert MARKER not in repr(options)


@pytest.mark.parametrize("said", [MARKER, "bob_key", "A B", ""])
def test_a_key_in_the_place_of_its_variable_is_refused_and_not_repeated(said: str) -> None:
    with pytest.raises(InputError) as caught:
        ModelOptions(key_from=said)
    assert str(caught.value) == (
        "--key-from: expected the name of an environment variable, in capitals"
    )


async def test_an_endpoint_of_ones_own_needs_no_key(server: Server, model: OpenAIModel) -> None:
    await model.answer(question())
    assert server.seen[0].headers["authorization"] == "Bearer no-key-needed"


def test_openai_needs_a_key(server: Server) -> None:
    with pytest.raises(MissingError, match="OPENAI_API_KEY"):
        OpenAIModel("gpt")


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "ftp://x/v1",
        "http://me:secret@x/v1",
        "https://x/v1?key=secret",
        "http://localhost:99999/v1",
        "http://localhost:abc/v1",
        "http://[::1/v1",
        "http://local host/v1",
        "http://localhost/v1\n",
    ],
)
def test_urls_that_are_not_taken(server: Server, url: Any) -> None:
    with pytest.raises(InputError, match="base URL") as caught:
        OpenAIModel("stub", url)
    assert "secret" not in str(caught.value)


async def test_the_key_is_in_no_error_answer_or_log(
    server: Server, monkeypatch: Any, caplog: Any, no_backoff: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", MARKER)
    model = OpenAIModel("stub", server.url, retries=1)
    server.script = [
        fails(401, {"message": f"Incorrect API key provided: {MARKER}"}),
        fails(500, {"message": f"Bearer {MARKER}"}),
        fails(200, f"not json {MARKER}".encode()),
        says(f"Your key is {MARKER}"),
    ]
    with pytest.raises(InfrastructureError) as refused:
        await model.answer(question())
    with pytest.raises(InfrastructureError) as garbled:
        await model.answer(question())
    answer, _ = await model.answer(question())
    written = f"{refused.value} {garbled.value} {answer} {model!r} {caplog.text}"
    assert "Your key is" in written
    assert MARKER not in written


def test_a_key_that_no_header_can_carry(monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\u00e9\u00e9-secret")
    with pytest.raises(InputError) as caught:
        OpenAIModel("stub", "http://127.0.0.1:1/v1")
    assert "secret" not in str(caught.value)

"""A server of chat completions for each test, and a model that tries again at once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from cookmas.orchestrator.models import openai_model
from cookmas.orchestrator.models.openai_model import OpenAIModel
from tests.orchestrator.models.endpoint import Server, serving


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    for variable in ("OPENAI_API_KEY", "COOKMAS_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    async with serving() as served:
        yield served


@pytest.fixture
def no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_model, "_backoff", lambda state: 0.01)


@pytest.fixture
def model(server: Server, no_backoff: None) -> OpenAIModel:
    return OpenAIModel("stub", server.url, deadline=10)

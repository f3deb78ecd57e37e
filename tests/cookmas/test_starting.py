"""What a process imports before it does something: nothing that it does not need."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.loaded import loaded

GRAPH = ("langgraph", "langchain_core", "langsmith", "aiosqlite")

CLIENTS = ("openai", "httpx", "redis", "psycopg", "tenacity")

SHOWN = ("rich", "typer")

OTHER_COMMANDS = ("cookmas.commands.run", "cookmas.commands.bench", "cookmas.api")


@pytest.mark.parametrize(
    ("script", "others"),
    [
        ("import cookmas.commands.cli", ("asyncio", "pydantic_core", *GRAPH, *CLIENTS)),
        ("import cookmas", ("pydantic", "yaml", "asyncio", *GRAPH, *CLIENTS, *SHOWN)),
        ("import cookmas; cookmas.play", (*GRAPH, *CLIENTS, *SHOWN, "cookmas.kitchen")),
        ("import cookmas; cookmas.load_scenario", (*GRAPH, *CLIENTS, *SHOWN)),
        ("import cookmas; assert cookmas.play('level1/01').success", (*GRAPH, *CLIENTS, "typer")),
    ],
)
def test_a_script_imports_no_more_than_it_needs(script: str, others: Sequence[str]) -> None:
    assert loaded(script, *others) == []


def test_a_run_in_a_folder_needs_the_graph_but_no_client(tmp_path: Path) -> None:
    script = f"import cookmas; cookmas.play('level1/01', folder={str(tmp_path / 'run')!r})"
    assert loaded(script, *GRAPH, "openai", "redis", "typer") == [*GRAPH]


def test_a_command_imports_no_other() -> None:
    script = "from cookmas.commands.cli import app; from typer.testing import CliRunner"
    script += "; assert not CliRunner().invoke(app, ['list']).exit_code"
    assert loaded(script, "cookmas.commands.listing", *GRAPH, *CLIENTS, *OTHER_COMMANDS) == [
        "cookmas.commands.listing"
    ]

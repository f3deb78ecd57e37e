"""The command `cookmas endpoint`, against the scripted model server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas.orchestrator.models.probe import describe_probe
from tests.cookmas.commands.calling import cookmas

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire


def rows(*options: str) -> dict[str, str]:
    """Return the lines of the table, by their first column."""
    done = cookmas("endpoint", "--model", "scripted", *options)
    assert done.exit_code == 0, done.output
    announced, *table = done.stdout.splitlines()
    assert announced == f"sends {describe_probe()}"
    return {line[:15].strip(): line[15:] for line in table}


def test_the_table_ends_with_the_options_to_use(wire: Wire) -> None:
    url = wire.server()
    found = rows("--base-url", url, "--deadline", "36000")
    assert found["schema"] == "yes"
    assert found["tools"] == "yes"
    assert found["length"].startswith("yes")
    assert list(found)[-1] == "use"
    assert found["use"] == f"--model scripted --base-url {url} --deadline 36000"


def test_a_lack_shows_in_the_table_and_the_options(wire: Wire) -> None:
    url = wire.server("--fault", "schema_500=1", "--fault", "tools_refused=1")
    found = rows("--base-url", url, "--deadline", "36000")
    assert found["schema"] == "refused; answers are asked for in words"
    assert found["tools"].startswith("refused: status 400: the model does not support tools")
    assert found["tools"].endswith("; add --recipes given")
    assert found["use"] == f"--model scripted --base-url {url} --deadline 36000 --recipes given"


def failure(*options: str) -> str:
    """Return the one line of an error."""
    done = cookmas("endpoint", *options)
    assert done.exit_code == 2, done.output
    assert [line for line in done.stdout.splitlines() if not line.startswith("sends ")] == []
    (line,) = done.stderr.splitlines()
    return line


def test_faults_are_one_line(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no connection" in failure("--model", "x", "--base-url", "http://127.0.0.1:1")
    url = wire.server("--fault", "key_in_body=1")
    assert "the key is not accepted: " in failure("--model", "x", "--base-url", url)
    assert "expected the name of a model" in failure("--base-url", url)
    assert "without seats" in failure("--model", "bob=x", "--base-url", url)
    monkeypatch.setenv("HTTP_PROXY", "proxy:8080:x")
    assert "HTTP_PROXY" in failure("--model", "x", "--base-url", url)

"""The tables of agents that ask the scripted model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks import scripted_agents
from benchmarks.collab_games import agents as collab
from benchmarks.hanabi import agents as hanabi
from cookmas.api import Run
from cookmas.episodes.trace import ModelCall
from tests.modelserver.hosting import Hosted
from tests.sampling import sampled

pytest.importorskip("uvicorn")

MARKS = {hanabi: ["agents"], collab: ["agents of collab-capture", "agents of collab-escape"]}
BOTH = pytest.mark.parametrize("module", MARKS, ids=["hanabi", "collab_games"])


def page_for(module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page with the marks of a module, which writes there."""
    page = tmp_path / "page.md"
    page.write_text("".join(f"<!-- {x} -->\nold\n<!-- end of {x} -->\n" for x in MARKS[module]))
    monkeypatch.setattr(module, "PAGE", page)
    return page


def test_the_command_writes_a_row_for_each_agent_and_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_for(hanabi, tmp_path, monkeypatch)
    played: dict[tuple[str, float], list[Run]] = {}

    def remember(*given: Any) -> Mapping[tuple[str, float], Sequence[Run]]:
        played.update(scripted_agents.play(*given))
        return played

    @contextmanager
    def serve(*options: str) -> Iterator[str]:
        server = Hosted(*options)
        yield server.url
        server.stop()

    monkeypatch.setattr(scripted_agents, "model_server", serve)
    monkeypatch.setattr(hanabi, "play", remember)
    monkeypatch.setattr(hanabi, "RATES", (0.2,))
    monkeypatch.setattr(hanabi, "SCENARIO", "hanabi/small")
    presets = sampled(("cac-without-tom", "mycroft"), 2)
    monkeypatch.setattr(hanabi, "PRESETS", presets)
    hanabi.main(1)
    written = page.read_text()
    assert "old" not in written
    assert all(row in written for row in hanabi.PUBLISHED)
    assert [*played] == [(preset, 0.2) for preset in presets]
    for (name, _), (run,) in played.items():
        calls = list(run.trace.of(ModelCall))
        read, made = (
            sum(getattr(call.usage, part) for call in calls) for part in ("prompt", "completion")
        )
        score = run.verdict.score if run.verdict else None
        marked = f"{name} (scripted model)"
        assert f"| {marked} | 20% | {score:.2f} | {len(calls)} | {read:,} | {made:,} |" in written


@BOTH
def test_the_table_replaces_the_last_one(
    module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_for(module, tmp_path, monkeypatch)
    monkeypatch.setattr(module, "play", lambda *given: {})
    module.main()
    assert "old" not in page.read_text()
    assert page.read_text().count(module.COLUMNS) == len(MARKS[module])


@BOTH
def test_the_page_has_the_table(module: Any) -> None:
    text = module.PAGE.read_text(encoding="utf-8")
    names = hanabi.PRESETS if module is hanabi else [agent.name for agent in module.AGENTS]
    for name in names:
        for rate in module.RATES:
            assert f"| {name} (scripted model) | {rate:.0%} |" in text

"""Of many checkpoints the last ones are kept."""

from __future__ import annotations

from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.checkpoints.statements import EVERY

KEEP = 7


async def test_the_last_checkpoints_are_kept_and_the_oldest_deleted(tmp_path: Path) -> None:
    async with sqlite_checkpoints(tmp_path / "c.sqlite", KEEP) as saver:
        config: RunnableConfig = {"configurable": {"thread_id": "episode", "checkpoint_ns": ""}}
        for step in range(EVERY):
            after = await saver.aput(config, empty_checkpoint(), {"step": step}, {})
            config = after
        found = [each.metadata["step"] async for each in saver.alist(None)]
        assert sorted(found) == list(range(EVERY - KEEP, EVERY))
        latest = await saver.aget_tuple({"configurable": {"thread_id": "episode"}})
        assert latest
        assert latest.metadata["step"] == EVERY - 1

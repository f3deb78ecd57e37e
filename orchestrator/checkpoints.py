"""Checkpointers of runs: they say when a checkpoint is durable."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

Kept = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Is told the values of the state in a checkpoint that is durable now."""


class Watched(BaseCheckpointSaver[Any]):
    """Mixed into a checkpointer: tells whoever watches each checkpoint that it has written."""

    _kept: Kept | None = None

    def watch(self, kept: Kept) -> None:
        """Tell `kept` of each checkpoint from now on."""
        self._kept = kept

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint."""
        written = await super().aput(config, checkpoint, metadata, new_versions)
        if self._kept:
            await self._kept(checkpoint["channel_values"])
        return written


class SqliteCheckpoints(Watched, AsyncSqliteSaver):
    """Checkpoints in a SQLite file."""

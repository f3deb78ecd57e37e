"""Episodes of parts that are said one by one."""

from __future__ import annotations

from typing import Any

from cookmas.orchestrator.parts import EpisodeContent, Outside, Participants, Storage
from cookmas.orchestrator.runner import Episode


def episode_from(content: EpisodeContent, planner: Any, **more: Any) -> Episode:
    """Return an episode of this content, with fields of the other parts beside."""

    def part(kind: Any, **said: Any) -> Any:
        names = kind.__dataclass_fields__.keys() & more.keys()
        return kind(**said, **{name: more.pop(name) for name in names})

    participants = part(Participants, planner=planner)
    return Episode(content, participants, part(Storage), part(Outside), **more)

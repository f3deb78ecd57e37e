"""Looking things up: the tool that a model is given, and what it is answered."""

from __future__ import annotations

import json
from dataclasses import dataclass

from episodes.conversation import ToolCall
from files.errors import MissingError
from orchestrator.library import Fetch
from orchestrator.models.message import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """A tool that answers a text to a key, such as the rules of a game to its name.

    `tool` is its name, `key` and `text` are the names of its argument and of the field of its
    answer; `about` and `about_key` describe it to the model.
    """

    tool: str
    about: str
    key: str
    about_key: str
    text: str

    def spec(self) -> ToolSpec:
        """The tool as a model is told of it."""
        return ToolSpec(
            name=self.tool,
            description=self.about,
            parameters={
                "type": "object",
                "properties": {self.key: {"type": "string", "description": self.about_key}},
                "required": [self.key],
                "additionalProperties": False,
            },
        )

    async def answer(self, wish: ToolCall, fetch: Fetch) -> dict[str, str]:
        """What the tool answers: a text, or what is wrong with the call."""
        if wish.name != self.tool:
            return {"error": f"there is no such tool, only {self.tool}"}
        try:
            key = json.loads(wish.arguments)[self.key]
        except (ValueError, RecursionError, KeyError, TypeError):
            key = None
        if not isinstance(key, str):
            return {"error": f'the arguments should be {{"{self.key}": "{self.about_key}"}}'}
        try:
            return {self.key: key, self.text: await fetch(key)}
        except MissingError:
            return {self.key: key, "error": f"there is no {self.text} of that name"}

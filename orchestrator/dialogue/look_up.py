"""Look-up: the tool with which a model requests texts, and the tool's answers."""

from __future__ import annotations

import json
from dataclasses import dataclass

from cookmas.episodes.conversation import ToolCall
from cookmas.files.errors import MissingError
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.models.message import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """A tool that returns the text for a key, such as the rules of a task for its name."""

    tool: str
    """Name of the tool."""
    about: str
    """Description of the tool for the model."""
    key: str
    """Name of the tool's argument."""
    about_key: str
    """Description of the argument for the model."""
    text: str
    """Name of the field that holds the text in the tool's answer."""

    def spec(self) -> ToolSpec:
        """Return the specification of the tool for a request."""
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
        """Return the tool's answer to the model's call `wish`.

        The answer is the text, or an error if the call is invalid. `fetch` gets the text by its
        key.
        """
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

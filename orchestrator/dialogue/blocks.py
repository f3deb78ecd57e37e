"""JSON blocks in prompts: what is known, in a form that machines read back to the very same data.

A block is a line `### NAME`, then JSON fenced by lines of three backticks:

    ### ORDERS
    ```json
    [
    {"line": "o1.1", "item": "Greek Salad", "note": "No feta, please."}
    ]
    ```

Everything that comes from outside (what is asked for, texts) stands inside JSON strings, in which
backticks, `<` and whatever is no printable character are written as escapes: so no text can close
a block, open another, or look like a mark between messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from files.errors import InputError
from orchestrator.dialogue.surrogates import has_lone_surrogate
from orchestrator.planner import EXHAUSTED, Observation

CALL = "CALL"
"""The block that says when and why the model is called, and what it should do."""

PROBLEMS = "problems"
"""In CALL and in the memory of who is called: what was wrong with the last answer."""

STEP = "step"
"""The task of who decides on one timestep, and is asked again at the next."""

TURN = "turn"
"""The task of an agent of a team."""

_BEGUN = {"kind": "timestep", "cause": "a timestep begins"}
_TOLD = {"kind": "talk", "cause": "another one has said something"}

_BLOCK = re.compile(r"^### ([A-Z_]+)\n```json\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def to_json(data: Any) -> str:
    """Plain data as JSON in which no text can be taken for anything but text."""
    text = json.dumps(data, ensure_ascii=False)
    return "".join(c if c.isprintable() and c not in "`<" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def block(name: str, data: Any) -> str:
    """A block; what is at the top of its data stands on lines of its own."""
    match data:
        case dict() if data:
            entries = (f"{to_json(key)}: {to_json(value)}" for key, value in data.items())
            body = "{\n" + ",\n".join(entries) + "\n}"
        case list() if data:
            body = "[\n" + ",\n".join(map(to_json, data)) + "\n]"
        case _:
            body = to_json(data)
    return f"### {name}\n```json\n{body}\n```"


def call_data(
    observation: Observation[Any],
    task: str,
    *,
    feedback: bool = True,
    last: bool = False,
    per_step: bool = False,
) -> dict[str, Any]:
    """The CALL block: when and why the planner is called and what it should do.

    Without `feedback` it is not said which action FAILed, nor why, nor what was wrong with the last
    answer. With `last` it is said which timestep is the last, where that may be known. `per_step`:
    who is asked at every timestep is not told that its schedule, which is one timestep long, has
    run out.
    """
    hidden = {
        *(() if feedback else ("failure",)),
        *((EXHAUSTED,) if per_step or task == STEP else ()),
    }
    triggers = [
        {"kind": t.kind, "cause": t.cause} for t in observation.triggers if t.kind not in hidden
    ]
    fails = {
        worker: {"action": action, "reason": outcome.fail, "why": outcome.why}
        for worker, (action, outcome) in observation.fails.items()
    }
    problems = observation.memory.get(PROBLEMS) if feedback else None
    return {
        "timestep": observation.timestep,
        **({"last": observation.last} if last and observation.last is not None else {}),
        "triggers": triggers or [_TOLD if observation.talk else _BEGUN],
        **({"fails": fails} if feedback and fails else {}),
        **({PROBLEMS: problems} if problems else {}),
        "task": task,
        "workers": list(observation.world.workers),
        **({"agent": observation.agent} if observation.agent else {}),
    }


def call_again(call: Mapping[str, Any], repair: int, **wrong: Any) -> str:
    """The CALL block of a message that asks again, for the `repair`-th time; without the causes."""
    gone = ("triggers", "fails", PROBLEMS)
    same = {name: value for name, value in call.items() if name not in gone}
    return block(CALL, {**same, "repair": repair, **wrong})


def parse_blocks(text: str) -> dict[str, Any]:
    """The blocks in a text, data by name; of a name the last that stands there.

    Raises InputError if one holds no JSON, or half a character.
    """
    data: dict[str, Any] = {}
    for match in _BLOCK.finditer(text.replace("\r\n", "\n")):
        try:
            data[match[1]] = json.loads(match[2])
        except (ValueError, RecursionError) as error:
            raise InputError("prompt", f"block ### {match[1]} is no JSON ({error})") from None
        if has_lone_surrogate(data[match[1]]):
            raise unexpected(match[1], "half a character stands there, a lone surrogate")
    return data


def unexpected(name: str, why: str) -> InputError:
    """The error that a block is not as it should be."""
    return InputError("prompt", f"block ### {name} is not as expected ({why})")


def mapping(name: str, data: Any) -> Mapping[str, Any]:
    """The data of a block that should be an object. Raises InputError if it is none."""
    if not isinstance(data, Mapping):
        raise InputError("prompt", f"block ### {name} should be a JSON object")
    return data

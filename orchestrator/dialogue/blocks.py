"""JSON blocks in prompts: data in a form that a program can read back unchanged (`parsing.py`).

A block is a line `### NAME`, then JSON fenced by lines of three backticks:

    ### STATE
    ```json
    [
    {"bell": "b1", "text": "Ring at place three, please."}
    ]
    ```

All texts from outside (requests, texts to look up) are JSON strings, in which backticks, `<` and
unprintable characters are escaped. So no text can close a block, open another block, or imitate a
separator between messages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from cookmas.orchestrator.planner import EXHAUSTED, Observation

CALL = "CALL"
"""Name of the block that says when and why the model is called, and what it should do."""

PROBLEMS = "problems"
"""Key of the problems with the last answer, both in the CALL block and in the planner's memory."""

RUNNING = "RUNNING"
"""Name of the block with what the busy workers are at."""

EFFECT = "effect"
"""Key in the CALL block of the timestep at which the answer is expected to take effect."""

TOLD = "told"
"""Key in the CALL block that says how much of the state the prompt tells, if it does not tell all.

In the planner's memory it is the key of the state at the last decision.
"""

STEP = "step"
"""The task in the CALL block of a planner that decides on one timestep at a time."""

TURN = "turn"
"""The task in the CALL block of an agent of a team."""

INFER: Final = "infer"
"""The task in the CALL block of a call that explains what the other agents do."""

VERIFY: Final = "verify"
"""The task in the CALL block of a call that verifies a decision."""

MOVE_TRIGGER = {"kind": "move", "cause": "it is your move"}
PLAN_TRIGGER = {"kind": "exhausted", "cause": "your plan is worked off"}
REFUSAL_TRIGGER = {"kind": "refused", "cause": "the next action of your plan is refused"}
_TIMESTEP_TRIGGER = {"kind": "timestep", "cause": "a timestep begins"}
_TALK_TRIGGER = {"kind": "talk", "cause": "another one has said something"}


def to_json(data: Any) -> str:
    """Return plain data as JSON in which no text can end a block or look like markup."""
    text = json.dumps(data, ensure_ascii=False)
    return "".join(c if c.isprintable() and c not in "`<" else _escape(c) for c in text)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def block(name: str, data: Any) -> str:
    """Return a block in which each top-level entry of the data has a line of its own."""
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
    form: str = "",
    asked: Mapping[str, str] | None = None,
    told: str = "all",
) -> dict[str, Any]:
    """Return the data of the CALL block: when and why the planner is called, and its `task`.

    Without `feedback` the block omits the FAILed actions with their reasons, and the problems with
    the last answer. With `last` the block names the last timestep, which is known. With
    `per_step` the block omits the trigger that the schedule has run out, because every schedule is
    one timestep long. `form` is the layout of an answer that has no schema. `asked` says why the
    planner is asked if there is no trigger; by default because another agent has spoken, or a
    timestep begins. `told` says how much of the state the prompt tells.
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
    price = observation.price if observation.tells_price else None
    spoken = observation.talk or observation.heard
    default = _TALK_TRIGGER if spoken else _TIMESTEP_TRIGGER
    return {
        "timestep": observation.timestep,
        **({EFFECT: observation.effect, "thinking": price.describe()} if price else {}),
        **({"last": observation.last} if last else {}),
        "triggers": triggers or [asked or default],
        **({"fails": fails} if feedback and fails else {}),
        **({PROBLEMS: problems} if problems else {}),
        "task": task,
        "workers": list(observation.world.workers),
        **({"agent": observation.agent} if observation.agent else {}),
        **({"form": form} if form else {}),
        **({TOLD: told} if told != "all" else {}),
    }


def call_again(call: Mapping[str, Any], repair: int, **wrong: Any) -> str:
    """Return the CALL block of the repair message with the number `repair`.

    `call` is the data of the first CALL block. The new block omits why the planner was called, and
    adds the entries of `wrong`, which say what is wrong with the answer.
    """
    gone = ("triggers", "fails", PROBLEMS)
    same = {name: value for name, value in call.items() if name not in gone}
    return block(CALL, {**same, "repair": repair, **wrong})

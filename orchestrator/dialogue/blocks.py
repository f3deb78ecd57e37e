"""JSON blocks in prompts: data in a form that a program can read back unchanged.

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

A prompt tells all of the state, the part at the asker's own stations, or the news. The block STATE
has parts by name, such as `agents`; most parts have entries by name, such as `agent0`. News are the
parts that have changed. Of a part with entries they have the changed entries whole, and null for
each entry that is there no longer:

    before    {"timestep": 3, "inside": {"pot0": ["rice"], "pan0": []}}
    now       {"timestep": 4, "inside": {"pan0": [], "mixer0": ["flour"]}}
    news      {"timestep": 4, "inside": {"mixer0": ["flour"], "pot0": null}}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, StrictStr, TypeAdapter, ValidationError

from cookmas.files.errors import InputError
from cookmas.files.lines import has_lone_surrogate
from cookmas.orchestrator.dialogue.prompting import Told
from cookmas.orchestrator.dialogue.voice import STATE, LookUp, Voice
from cookmas.orchestrator.planner import EXHAUSTED, Observation

CALL = "CALL"
"""Name of the block that says when and why the model is called, and what it should do."""

PROBLEMS = "problems"
"""Key of the problems with the last answer, both in the CALL block and in the planner's memory."""

MEMORY, LESSONS = "MEMORY", "LESSONS"
"""Names of the blocks with a planner's last decisions, and with its lessons."""

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


_BLOCK = re.compile(r"^### ([A-Z_]+)\n```json\n(.*?)\n```$", re.MULTILINE | re.DOTALL)

Name = Annotated[str, Field(strict=True, min_length=1)]
_Timestep = Annotated[int, Field(strict=True, ge=0)]


class _Trigger(BaseModel):
    kind: StrictStr
    cause: StrictStr


class _Fail(BaseModel):
    action: StrictStr
    reason: StrictStr
    why: StrictStr


class _Violation(BaseModel):
    timestep: _Timestep = 0
    worker: StrictStr = ""


class _Call(BaseModel):
    timestep: _Timestep = 0
    triggers: list[_Trigger] = []
    fails: dict[Name, _Fail] = {}
    task: StrictStr = ""
    workers: list[StrictStr] = []
    agent: StrictStr = ""
    form: StrictStr = ""
    violations: list[_Violation] | None = None


_CALL: TypeAdapter[Any] = TypeAdapter(_Call)

_SAID_TO_A_MODEL = ("system", "developer", "user")


def parse_blocks(text: str) -> dict[str, Any]:
    """Return the data of the blocks in a text, by name; of two blocks of one name the last counts.

    Raise InputError if a block has invalid JSON or a lone surrogate.
    """
    data: dict[str, Any] = {}
    for match in _BLOCK.finditer(text.replace("\r\n", "\n")):
        try:
            data[match[1]] = json.loads(match[2])
        except (ValueError, RecursionError) as error:
            raise InputError("prompt", f"block ### {match[1]} is not JSON ({error})") from None
        if has_lone_surrogate(data[match[1]]):
            raise unexpected_error(match[1], "it has a lone surrogate")
    return data


def unexpected_error(name: str, why: str) -> InputError:
    """Return the error for a block whose data are not as expected."""
    return InputError("prompt", f"block ### {name} is not as expected ({why})")


def mapping(name: str, data: Any) -> Mapping[str, Any]:
    """Return the data of a block. Raise InputError if the data are not a JSON object."""
    if not isinstance(data, Mapping):
        raise InputError("prompt", f"block ### {name} should be a JSON object")
    return data


def require_block(blocks: Mapping[str, Any], name: str) -> Any:
    """Return the data of a block. Raise InputError if the block is missing."""
    if name not in blocks:
        raise InputError("prompt", f"has no block ### {name}")
    return blocks[name]


def validate(name: str, data: Any, form: TypeAdapter[Any]) -> Any:
    """Return the data unchanged if they have the form of block `name`.

    Otherwise raise InputError, which names the first invalid field.
    """
    try:
        form.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))[:80]
        raise unexpected_error(name, ": ".join(filter(None, (field, first["msg"])))) from None
    return data


def call_in(blocks: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of the CALL block. Raise InputError if it is missing or invalid."""
    call: Mapping[str, Any] = validate(CALL, mapping(CALL, require_block(blocks, CALL)), _CALL)
    return call


def blocks_in(messages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the data of the blocks, by name, in all messages that were sent to the model.

    Raise InputError if a block cannot be read.
    """
    contents = (m.get("content") for m in messages if m.get("role") in _SAID_TO_A_MODEL)
    return parse_blocks("\n\n".join(map(text_of, contents)))


def collect_looked_up(messages: Iterable[Mapping[str, Any]], look_up: LookUp) -> dict[str, str]:
    """Return the texts that the model looked up with the tool `look_up`, by key."""
    looked_up: dict[str, str] = {}
    for message in messages:
        if message.get("role") != "tool":
            continue
        try:
            answer = json.loads(text_of(message.get("content")))
            key, text = answer[look_up.key], answer[look_up.text]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if isinstance(key, str) and isinstance(text, str) and not has_lone_surrogate(answer):
            looked_up[key] = text
    return looked_up


def text_of(content: Any) -> str:
    """Return the content of a message as one text, even if the content is a list of parts."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(map(str, parts))
    return str(content or "")


Json = Mapping[str, Any]
CarryOn = Callable[[Json, Json, int], Json]
"""Function that takes a known state, a decision, and the timestep of the next one.

It returns what is known at that timestep.
"""


def tell(
    blocks: Json, observation: Observation[Any], voice: Voice, told: Told, before: Json
) -> Json:
    """Return the blocks of an observation with as much of STATE as the option `told` says.

    News are told against the state `before`. A block STATE that is not an object is told whole.
    """
    state = blocks.get(STATE)
    if told == "all" or not isinstance(state, Mapping):
        return blocks
    if told == "own":
        return {**blocks, STATE: voice.select_own(observation.world, state, observation.planned)}
    return {**blocks, STATE: find_news(before, state)}


def find_news(before: Json, now: Json) -> dict[str, Any]:
    """Return what of the state `now` differs from the state `before`.

    A part that is there no longer counts as an empty one.
    """
    news: dict[str, Any] = {}
    for name in dict.fromkeys([*now, *before]):
        old = before.get(name)
        new = now.get(name, _empty(old))
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            if changed := _find_changes(old, new):
                news[name] = changed
        elif name not in before or old != new:
            news[name] = new
    return news


def _empty(part: Any) -> Any:
    """Return an empty part of the kind of this one."""
    return {} if isinstance(part, Mapping) else [] if isinstance(part, list) else None


def _find_changes(old: Json, new: Json) -> dict[str, Any]:
    """Return the new and the changed entries, and None for each entry that is gone."""
    changed = {name: new[name] for name in new if name not in old or new[name] != old[name]}
    return {**changed, **{name: None for name in old if name not in new}}


def add_told(known: Json, told: Json) -> dict[str, Any]:
    """Return a known state, changed by what is told of a later one."""
    after = dict(known)
    for name, data in told.items():
        entries, here = isinstance(data, Mapping), known.get(name)
        after[name] = _apply(here, data) if entries and isinstance(here, Mapping) else data
    return after


def _apply(known: Json, told: Json) -> dict[str, Any]:
    return {name: data for name, data in {**known, **told}.items() if data is not None}


def recall(blocks: Json, first: Json, carry_on: CarryOn | None = None) -> Json:
    """Return the blocks of a prompt with STATE completed by what the prompt remembers.

    The state begins as `first`, and is changed by what each decision in MEMORY was told, then by
    what is told now. Where prompts tell of the own stations alone, `carry_on` adds what follows
    from each of these decisions. Raise InputError if the memory is not as expected.
    """
    call, known = mapping(CALL, blocks.get(CALL)), first
    try:
        earlier = [entry for entry in blocks.get(MEMORY, ()) if "state" in entry]
        times = [*(int(entry["timestep"]) for entry in earlier), int(call["timestep"])]
        for entry, until in zip(earlier, times[1:], strict=True):
            known = add_told(known, entry["state"])
            if carry_on and call[TOLD] == "own":
                known = carry_on(known, entry, until)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise unexpected_error(MEMORY, repr(error)[:200]) from None
    return {**blocks, STATE: add_told(known, mapping(STATE, blocks.get(STATE)))}

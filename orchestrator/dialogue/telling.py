"""How much of the state a prompt tells: all, the part at the asker's own stations, or the news.

The block STATE has parts by name, such as `agents`; most parts have entries by name, such as
`agent0`. News are the parts that have changed. Of a part with entries they have the changed entries
whole, and null for each entry that is there no longer:

    before    {"timestep": 3, "inside": {"pot0": ["rice"], "pan0": []}}
    now       {"timestep": 4, "inside": {"pan0": [], "mixer0": ["flour"]}}
    news      {"timestep": 4, "inside": {"mixer0": ["flour"], "pot0": null}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cookmas.orchestrator.dialogue.blocks import CALL, TOLD
from cookmas.orchestrator.dialogue.parsing import mapping, unexpected_error
from cookmas.orchestrator.dialogue.prompt_memory import MEMORY
from cookmas.orchestrator.dialogue.prompting import Told
from cookmas.orchestrator.dialogue.voice import STATE, Voice
from cookmas.orchestrator.planner import Observation

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

"""The scratch pad: beliefs that a model keeps for itself from one call to the next.

    ### SCRATCH_PAD
    {"alice": "I have done my part.", "bob": "He waits for me."}

The form of a pad is an example of it: an object of texts or of such objects. A world's voice has
its own. An answer has the whole pad, which takes the place of the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCRATCH_PAD = "SCRATCH_PAD"
"""Name of the block with the scratch pad."""

PAD = "scratch_pad"
"""Name of the scratch pad in an answer and in a planner's memory."""

LONGEST_BELIEF = 200
"""Greatest length of each text of a scratch pad, in an answer and in the memory, in characters."""

Pad = Mapping[str, Any]
"""A scratch pad or its form: texts or further pads by name."""


def fit_pad(written: Any, form: Pad) -> dict[str, Any]:
    """Return the part of a written pad that has the form, with each text cut to LONGEST_BELIEF.

    A name that the form lacks is left out, and so is an empty part.
    """
    if not isinstance(written, Mapping):
        return {}
    fitted: dict[str, Any] = {}
    for name, each in form.items():
        found = written.get(name)
        if isinstance(each, Mapping):
            fitted[name] = fit_pad(found, each)
        elif found is not None:
            fitted[name] = str(found)[:LONGEST_BELIEF]
    return {name: each for name, each in fitted.items() if each}

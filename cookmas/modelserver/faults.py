"""Faults: mistakes of real models and endpoints, which the server makes at random with given rates.

The draw of a fault depends on the seed, the digest of the request and the place in the answer,
never on the time or the order of requests. There are two exceptions. The draw of
`dropped_customization` depends on the seed and the special wish, so all requests with this wish
have the same draw. The draws of the faults of a network, and of those of an endpoint that pass,
also depend on the number of times that the same request has come, so that another attempt may
succeed.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.modelserver.endpoint_faults import ENDPOINT_FAULTS

_OF_MODEL: Mapping[str, str] = {
    "illegal": "an assignment becomes an action that always FAILs",
    "wrong_item": "the name of an item to pick, or one in a reading, becomes an unknown name",
    "forbidden_station": "a worker is sent to a place that does not exist",
    "wrong_comprehension": "a question of environment comprehension gets a wrong answer",
    "wrong_mind": "a question of theory of mind gets a wrong answer",
    "wrong_planning": "a question of joint planning gets a wrong answer",
    "missing_worker": "a worker is left out of a timestep",
    "off_by_one": "two successive actions of a worker are swapped",
    "dropped_customization": "the model overlooks a special wish, wherever it occurs",
    "wrong_inference": "the model explains what its partners did not do",
    "false_alarm": "a verifier refuses a decision that can be carried out",
    "overlooked": "a verifier accepts a decision that cannot be carried out",
    "invalid_json": "the answer has one JSON error",
    "prose": "sentences and a fence surround the answer",
    "truncation": "the answer breaks off, with finish_reason 'length'",
    "refusal": "the model refuses instead of answering",
}

_OF_NETWORK: Mapping[str, str] = {
    "slow": "the answer comes late",
    "status_429": "429 with a retry-after header",
    "status_500": "500",
    "reset": "the connection is reset before the answer",
    "stall": "only half of the answer comes, and the connection stays open",
}
OF_TRANSPORT: Mapping[str, str] = {
    **_OF_NETWORK,
    **{fault.name: fault.about for fault in ENDPOINT_FAULTS},
}
"""The effect of each fault of a network or an endpoint, by the fault's name."""

FAULTS: Mapping[str, str] = {**_OF_MODEL, **OF_TRANSPORT}
"""The effect of each fault, by the fault's name.

The first eight are drawn for each assignment of a schedule. `wrong_item` is also drawn for each
name in a reading, and `dropped_customization` for each special wish. All others are drawn once for
each request: `wrong_inference`, `false_alarm` and `overlooked` only for the calls around a
decision. Those of a network, and those of an endpoint that pass, are drawn again if the request is
repeated.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """The rates of faults, and the seed by which faults are drawn."""

    rates: Mapping[str, float] = field(default_factory=dict)
    """Rate of each fault, from 0 to 1; a fault without a rate never occurs."""
    seed: int = 0

    def draw(self, *key: object) -> Random:
        """Return a random generator whose seed depends only on `seed` and the key."""
        text = "\x1f".join(map(str, (self.seed, *key)))
        return Random(hashlib.sha256(text.encode()).digest())

    def strikes(self, fault: str, *key: object) -> bool:
        """Return whether a fault is drawn, at its rate.

        `key` names what the fault would strike, such as an attempt at a request, or a worker's
        assignment in an answer.
        """
        rate = self.rates.get(fault, 0.0)
        return rate > 0 and self.draw(fault, *key).random() < rate

    def any_of(self, names: Iterable[str]) -> bool:
        """Return whether any of these faults has a rate above 0."""
        return any(self.rates.get(name) for name in names)


def check_rates(rates: Mapping[str, float]) -> dict[str, float]:
    """Return the rates as a dict.

    Raise ValueError, which says what is expected, if a fault or a rate is invalid.
    """
    for name, rate in rates.items():
        if name not in FAULTS:
            near = suggest_name(name, FAULTS)
            raise ValueError(f"{name}: expected one of {', '.join(FAULTS)}{near}")
        if not 0 <= rate <= 1:
            raise ValueError(f"expected a rate of {name} from 0 to 1")
    return dict(rates)


def parse_rates(specs: Iterable[str]) -> dict[str, float]:
    """Return rates from texts such as `illegal=0.1`. Raise InputError for an invalid text."""
    rates: dict[str, float] = {}
    for spec in specs:
        name, _, number = spec.partition("=")
        try:
            rates |= check_rates({name: _rate(number)})
        except ValueError as error:
            raise InputError(f"fault {spec!r}", f"{error}, such as illegal=0.1") from None
    return rates


def _rate(text: str) -> float:
    """Return the number in a text; nan if the text is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan

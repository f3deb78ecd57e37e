"""Knobs for what real models and endpoints do wrong: rates and one seed, and nothing else random.

Whether a fault strikes depends on the seed, on the digest of the request and on the place in the
answer, never on the time or on the order of the requests. Faults of transport depend moreover on
how often the same request has come, so that trying again may help.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from files.errors import InputError

FAULTS: Mapping[str, str] = {
    "illegal": "an assignment becomes an action that always FAILs",
    "wrong_item": "what is taken, or something that was read, gets a name unknown here",
    "forbidden_station": "a worker is sent to a place that is not there",
    "missing_worker": "a worker is left out of a timestep",
    "off_by_one": "an action changes places with the next one of the same worker",
    "dropped_customization": "a special wish is not heard, as often as it is told",
    "invalid_json": "the answer breaks the rules of JSON at one place",
    "prose": "the answer stands between sentences and in a fence",
    "truncation": "the answer breaks off, with finish_reason 'length'",
    "refusal": "the model refuses instead of answering",
    "slow": "the answer comes late",
    "status_429": "429 with a retry-after header",
    "status_500": "500",
    "reset": "the connection is reset before the answer",
    "stall": "half of the answer comes, and then nothing",
}
"""Every fault by its name. The first five strike assignment by assignment, `wrong_item` also name
by name in what was read, `dropped_customization` wish by wish, all others request by request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """How often each fault strikes, from 0 to 1; one that is not named never does."""

    rates: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0

    def draw(self, *key: object) -> Random:
        """A source of randomness that is the same whenever the key is."""
        text = "\x1f".join(map(str, (self.seed, *key)))
        return Random(hashlib.sha256(text.encode()).digest())

    def strikes(self, fault: str, *key: object) -> bool:
        """Whether a fault strikes at the place that `key` names."""
        rate = self.rates.get(fault, 0.0)
        return rate > 0 and self.draw(fault, *key).random() < rate

    def any_of(self, names: Iterable[str]) -> bool:
        """Whether one of these can strike at all."""
        return any(self.rates.get(name) for name in names)


def checked_rates(rates: Mapping[str, float]) -> dict[str, float]:
    """Return the rates of faults by their names. Raises ValueError with what was expected."""
    for name, rate in rates.items():
        if name not in FAULTS:
            raise ValueError(f"expected one of {', '.join(FAULTS)}")
        if not 0 <= rate <= 1:
            raise ValueError(f"expected a rate of {name} from 0 to 1")
    return dict(rates)


def parse_rates(specs: Iterable[str]) -> dict[str, float]:
    """Return rates from texts such as `illegal=0.1`. Raises InputError with what was expected."""
    rates: dict[str, float] = {}
    for spec in specs:
        name, _, number = spec.partition("=")
        try:
            rates |= checked_rates({name: _rate(number)})
        except ValueError as error:
            raise InputError(f"fault {spec!r}", f"{error}, such as illegal=0.1") from None
    return rates


def _rate(text: str) -> float:
    """Return the number in a text, nan where there is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan

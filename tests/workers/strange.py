"""A hundred things that a device may say, each as the text of its answer."""

from __future__ import annotations

import json
from collections.abc import Sequence

_HALF = '"battery \\ud83d"'
"""A text that was cut in the middle of an emoji."""


def _nested(depth: int) -> str:
    return "[" * depth + "]" * depth


_VALUES = (
    *(_HALF, '"\\udcff"', '"\\u0000\\u001b[31m"', '"\\ud83d\\ude00"', '""', '"%s"' % (2_000 * "x")),
    *(str(2**53), str(2**63), str(2**64 - 1), str(2**64), str(-(2**63) - 1), "9" * 400),
    *("1e308", "1e400", "NaN", "-Infinity", "null", "true", "{}", "[]"),
    *(_nested(40), _nested(150), _nested(256), _nested(900), _nested(20_000)),
    *('{"\\ud83d": 1}', '{"a": {"a": [{"a": 1e400}]}}', '{"": {"": ""}}', '{"a": 1, "a": 2}'),
    *('"%s"' % (20_001 * "x"), "[%s1]" % (20_000 * "1,")),
)

_PLACES = ('"done","result":', '"failed","why":', '"done","action":')

_BODIES = (
    *("", " ", "nonsense", "null", "[]", "7", "{}", '{"status":"done"', '{"status":"done"}}'),
    *(
        '{"status":null}',
        '{"status":["done"]}',
        '{"status":{"done":1}}',
        '{"status":"done\\ud83d"}',
    ),
    *('{"status":"perhaps"}', '{"why":"no"}', "\x00", "[" * 100_000, '{"a":' * 100_000),
)

SAID: Sequence[str] = [
    *(f'{{"status":{place}{value}}}' for place in _PLACES for value in _VALUES),
    *_BODIES,
]
"""The texts."""


def readable() -> list[object]:
    """Return the values of those texts that are JSON."""
    found = []
    for text in SAID:
        try:
            found.append(json.loads(text))
        except (ValueError, RecursionError):
            continue
    return found

"""What a desk knows of the thing that an event is about."""

from __future__ import annotations

import pytest

from cookmas.episodes.messages import Numbered
from cookmas.mailboxes.desk import Desk, Origin
from tests.worlds.laboratory.domain import LabDomain


@pytest.mark.parametrize(
    ("event", "origin"),
    [
        ({"kind": "cancel_job", "job": "blood"}, Origin("blood", "job")),
        ({"kind": "fault", "instrument": "reader"}, None),
        ({"kind": "cancel_job", "job": "sample3"}, Origin("sample3", "job", Numbered("sample", 3))),
        ({"kind": "cancel_job", "job": "saliva"}, None),
        ({"kind": "new_job", "job": "sample3"}, None),
        ({"kind": "unheard_of"}, None),
    ],
    ids=["of the scenario", "of the world", "of a message", "of nobody", "begun", "no event"],
)
def test_the_origin_of_a_thing(event: dict[str, str], origin: Origin | None) -> None:
    world = LabDomain().scenario("open", {}).world()
    assert Desk(world, {"blood": "job"}).origin(event) == origin

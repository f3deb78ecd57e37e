"""A sample of the faults that `make every-fault` tries at commands to Redis and PostgreSQL."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.every_fault.cutting import SERVERS
from tests.every_fault.servers import Cut, cuts_of, group_of
from tests.every_fault.test_points import SEED

pytestmark = pytest.mark.usefixtures("least_effort")

CUTS = 3
"""Number of faults that are tried at each server."""


@pytest.mark.parametrize("name", SERVERS)
def test_a_fault_at_a_command_of_a_server_breaks_no_promise(name: str, tmp_path: Path) -> None:
    with SERVERS[name](tmp_path / name) as kitchens:
        for cut in random.Random(SEED).sample(kitchens.cuts(), CUTS):
            kitchens.attempt(cut)


@pytest.mark.parametrize(
    ("sent", "group"),
    [
        (b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n", "GET"),
        (b"*3\r\n$7\r\nEVALSHA\r\n$40\r\n" + 40 * b"a" + b"\r\n$1\r\n0\r\n", f"EVALSHA {40 * 'A'}"),
        (b"P\0\0\0\x10\0SELECT fence FROM leases\0\0\0", "SELECT fence FROM leases"),
        (b"B\0\0\0\x10\0_pg3_2\0\0\0", "_pg3_2"),
        (b"X\0\0\0\x04", None),
        (b"+OK\r\n", None),
    ],
)
def test_what_is_sent_is_grouped(sent: bytes, group: str | None) -> None:
    assert group_of(sent) == group


def test_each_action_at_the_first_second_and_last_command() -> None:
    found = cuts_of("serve", Counter({"GET": 9}), ("before", "after"))
    assert found == [Cut("serve", "GET", n, how) for n in (1, 2, 9) for how in ("before", "after")]

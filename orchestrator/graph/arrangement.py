"""What an arrangement of agents is: who is asked, and how, when something triggers planning."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from orchestrator.graph.state import Context, State


class Arrangement(NamedTuple):
    """A node of the graph by its name, and what it does.

    `decide` is run once, or where it `repeats`, a superstep each time, until it leaves no triggers
    in the state; the schedule is in the state's queue then.
    """

    name: str
    decide: Callable[[State, Context], Awaitable[State]]
    repeats: bool = False

"""Questions about rooms: ways, the character that the rules move, the partner, and optimal play."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from cookmas.worlds.base.questions import (
    KINDS,
    Kind,
    Question,
    Questioner,
    ask_fact,
    ask_partner,
    choose_best,
)
from cookmas.worlds.base.solving import import_solving
from cookmas.worlds.rooms.rules import (
    AHEAD,
    SOLVING,
    JointMove,
    Prospect,
    Ways,
    count_steps,
    move_alone,
)
from cookmas.worlds.rooms.world import RoomState, RoomWorld

NEVER = "it cannot"
"""The option that no way leads to a room."""

A_TURN = 1e-6
"""Weight of a turn beside the probability of a win: chances first, then earlier wins."""


_BEST = (
    "What had {mover} best do in this turn, if its partner answers best and both then play "
    "optimally?"
)
_OPTIMAL = (
    "{mover} plays optimally, and expects {seat} to do so too. What does {mover} do in this turn?"
)


class RoomQuestioner(Questioner):
    """The questions of all worlds of rooms; a world adds how its character moves."""

    kinds = KINDS
    players = ("random", "greedy")

    # What such a world overrides.

    greed: str
    """What it does, in words."""

    def open_ways(self, world: Any, state: RoomState) -> Ways:
        """Return the rooms to which one can go now from each room; by default all."""
        ways: Ways = world.ways
        return ways

    def list_steps(self, world: Any, state: RoomState, worker: str) -> Sequence[str]:
        """Return the moves of which a greedy player takes one."""
        raise NotImplementedError(f"{self.greed}: nobody says with which moves")

    def ask_character(self, world: Any, state: RoomState, seat: str) -> Iterator[Question]:
        """Yield questions about the character that the rules move; by default none."""
        yield from ()

    # The machinery.

    def ask(
        self, world: RoomWorld, observed: RoomState, seat: str, kind: Kind, draw: Random
    ) -> Iterator[Question]:
        """Yield the questions about a state of a game that continues."""
        if world.engine.is_won(world.position(observed)) is not None:
            return
        (partner,) = (name for name in world.workers if name != seat)
        if kind == "comprehension":
            yield from self._ask_distance(world, observed, seat, draw)
            yield from self.ask_character(world, observed, seat)
        elif kind == "mind":
            yield from self._ask_greedy(world, observed, partner)
            yield from self._ask_joint(world, observed, seat, partner)
        else:
            yield from self._ask_joint(world, observed, seat, seat)

    def _ask_distance(
        self, world: RoomWorld, state: RoomState, seat: str, draw: Random
    ) -> Iterator[Question]:
        ways, begin = self.open_ways(world, state), state["players"][seat]
        far = count_steps(ways, begin)
        away = [room for room in ways if far.get(room, len(far)) > 1]
        if not away:
            return
        goal = draw.choice(away)
        right = str(far[goal]) if goal in far else NEVER
        others = [str(n) for n in range(1, len(ways)) if str(n) != right] + [NEVER]
        nearest = sorted(
            (x for x in others if x != right and x != NEVER),
            key=lambda x: (abs(int(x) - far.get(goal, len(far))), x),
        )[:3]
        options = [*sorted([x for x in (*nearest, right) if x != NEVER], key=int), NEVER]
        path = (
            f"the shortest open way has {right} steps" if goal in far else "no open way leads there"
        )
        yield from ask_fact(
            "distance",
            f"If everything stays as it is now, how many turns does {seat} need at least to go "
            f"from room {begin} to room {goal}?",
            options,
            [right],
            path,
            depth=far.get(goal, len(far)),
        )

    def _ask_greedy(self, world: RoomWorld, state: RoomState, partner: str) -> Iterator[Question]:
        taken = self.list_steps(world, state, partner) or [world.idle]
        yield from ask_partner(
            "greedy partner",
            f"{partner} {self.greed} What does {partner} do in this turn?",
            world.legal(state, partner),
            taken,
            "on a shortest way",
            "on no shortest way",
        )

    def _ask_joint(
        self, world: RoomWorld, state: RoomState, seat: str, mover: str
    ) -> Iterator[Question]:
        """Yield what a partner that plays optimally does, or what the seat itself had best do."""
        position, number = world.position(state), world.workers.index(mover)
        solution = import_solving(SOLVING, "search:solve")(world, state)
        moves = solution.moves(position, AHEAD)
        values = {
            world.texts_of(move_alone(number, move))[mover]: prospect
            for move, prospect in _find_own_values(moves, number).items()
        }
        right, margin = choose_best({x: v.chance + A_TURN * v.spare for x, v in values.items()})
        if margin is None:
            return
        best = _best_moves(moves, number)
        agreeing = itertools.takewhile(
            lambda turns: _best_moves(solution.moves(position, turns), number) == best,
            range(AHEAD, 0, -1),
        )
        mine = mover == seat
        yield Question(
            kind="planning" if mine else "mind",
            about="best move" if mine else "optimal partner",
            text=(_BEST if mine else _OPTIMAL).format(mover=mover, seat=seat),
            options=list(values),
            right=right,
            proof={
                text: f"wins with probability {x.chance:.4g}, with {x.spare:.4g} of {AHEAD} turns "
                "left"
                for text, x in values.items()
            },
            actions=True,
            depth=min(agreeing),
            margin=round(margin, 9),
        )


def _find_own_values(moves: Mapping[JointMove, Prospect], number: int) -> dict[int, Prospect]:
    """Return the prospect of each move of a player together with the partner's best answer."""
    values = dict[int, Prospect]()
    for joint, prospect in moves.items():
        values[joint[number]] = max(values.get(joint[number], prospect), prospect)
    return values


def _best_moves(moves: Mapping[JointMove, Prospect], number: int) -> Sequence[int]:
    values = _find_own_values(moves, number)
    best = max(values.values())
    return [move for move, x in values.items() if x == best]

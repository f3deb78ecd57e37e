"""A person as an agent of a team: it talks with its partners, and decides when it may move."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from typing import Any

from cookmas.episodes.possible import list_own_legal
from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation
from cookmas.people.working.asked import TalkQuestion
from cookmas.people.working.seat import PersonSeat
from cookmas.people.working.talk import Talk, Utterance, talk_of
from cookmas.workers.person import Asked, Person


class TalkingPerson(Person):
    """A person at a seat. In a team that may talk, the person is also an agent of the team.

    As an agent the person has `limit` seconds for all its turns at a timestep together. After that
    it says nothing more, and its worker idles if nothing has been decided.
    """

    planner_class: PlannerClass = "human"
    stepwise = True
    _seat: PersonSeat

    def __init__(
        self, seat: PersonSeat, limit: float = math.inf, turn: asyncio.Lock | None = None
    ) -> None:
        super().__init__(seat, limit, turn)
        self._now = _Timestep(-1)

    async def turn(self, observation: Observation[Any]) -> Turn:
        if self._now.number != observation.timestep:
            self._now = _Timestep(observation.timestep)
        now, moves = self._now, observation.agent in observation.movers
        talk = talk_of(observation)
        if talk is None and not moves:
            return Turn()
        late = f"the person did not answer within {self._limit:g} s"
        if now.seconds >= self._limit:
            idles = moves and now.chosen is None
            return Turn(actions=[observation.world.idle] if idles else None, reasoning=late)
        began = time.perf_counter()
        try:
            said = await self._answer(observation, talk, moves=moves)
        finally:
            self._seat.withdraw()
            self.seconds.append(time.perf_counter() - began)
            now.seconds += self.seconds[-1]
        now.chosen = said.action or now.chosen
        return Turn(
            say=said.message,
            actions=None if said.action is None else [said.action],
            reasoning=late if now.seconds >= self._limit else "",
        )

    async def _answer(
        self, observation: Observation[Any], talk: Talk | None, *, moves: bool
    ) -> Utterance:
        """Return what the person says and does in this turn, as far as its time is enough."""
        said, left = Utterance("", ends=False), self._limit - self._now.seconds
        until = None if left == math.inf else asyncio.get_running_loop().time() + left
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                said = await self._ask(observation, talk, until, moves=moves)
                if said.action is None and self._must_decide(said, talk, moves=moves):
                    decided = await self._ask(observation, None, until, moves=True)
                    return said._replace(action=decided.action)
                return said
        silent = moves and self._now.chosen is None
        return said._replace(action=observation.world.idle) if silent else said

    def _must_decide(self, said: Utterance, talk: Talk | None, *, moves: bool) -> bool:
        """Return whether the person must choose an action in the turn in which it spoke.

        It need not if it waits for an answer and may speak again.
        """
        waits = bool(said.words) and not said.ends and talk is not None and talk.left > 1
        return moves and self._now.chosen is None and not waits

    async def _ask(
        self, observation: Observation[Any], talk: Talk | None, until: float | None, *, moves: bool
    ) -> Utterance:
        """Ask one question: what the person says if it may speak, and what it does if it `moves`.

        `until` is the deadline, None without a limit.
        """
        seat, worker, timestep = self._seat, observation.agent or "", observation.timestep
        seat.view.texts |= observation.texts
        if not moves:
            assert talk
            spoken: Utterance = await seat.put(
                TalkQuestion(worker=worker, timestep=timestep, talk=talk, until=until)
            )
            return spoken
        world = observation.world
        legal = list_own_legal(world, observation.state, worker)
        asked = Asked(timestep=timestep, worker=worker, assignment=world.idle, legal=legal)
        answer: Utterance | str = await seat.put(
            seat.make_move(asked, until, talk=talk, chosen=self._now.chosen)
        )
        return Utterance("", ends=True, action=answer) if isinstance(answer, str) else answer


class _Timestep:
    def __init__(self, number: int) -> None:
        self.number = number
        self.chosen: str | None = None
        self.seconds = 0.0

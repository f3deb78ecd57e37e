"""Whatever a world and its agents draw: the graph, the loop, a kill and a fork give one trace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cookmas.episodes.replay import replay
from cookmas.episodes.trace import Header, PlanRecord, StepRecord, Trace
from cookmas.episodes.world import digest
from cookmas.orchestrator.episode import Episode, mailbox_for
from cookmas.orchestrator.graph.recorder import Recorder, WrittenTrace
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from tests.episodes.dice import header
from tests.orchestrator.test_rewinding import bodies, forked
from tests.worlds.hands.fickle import FickleAgent, FicklePlanner, FicklePolicy, FickleWorld


async def _text(key: str) -> str:
    return f"This is {key}."


KINDS: tuple[Callable[[int], Any], ...] = (
    FickleAgent,
    lambda seed: FickleAgent(seed, stepwise=True),
    FicklePolicy,
    FicklePlanner,
)


class KilledError(BaseException):
    """Ends an episode as a kill does: nothing more is done."""


class Mortal(FickleWorld):
    """A world in which everything ends at a certain step."""

    left = -1

    def movers(self, state: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise KilledError
        return super().movers(state)


@st.composite
def episodes(draw: st.DrawFn) -> Callable[..., Episode]:
    """Draw what makes an episode in a world, with a path or whatever else."""
    seed, count = draw(st.integers(0, 10**6)), draw(st.sampled_from([1, 2, 3, 6]))
    rounds, horizon = draw(st.integers(0, 2)), draw(st.integers(1, 10))
    stalled = draw(st.integers(1, 8))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=count, max_size=count))
    central = draw(st.integers(0, 3)) == 0
    times = draw(st.lists(st.integers(0, 10), max_size=4))
    events = [(at, {"number": number}) for number, at in enumerate(sorted(times))]

    def make(world: FickleWorld | None = None, **more: Any) -> Episode:
        world = world or FickleWorld(seed, count)
        world.__init__(seed, count)  # type: ignore[misc]
        seats = {
            name: seat_of(kind(seed + place), name, world.workers)
            for place, (name, kind) in enumerate(zip(world.workers, kinds, strict=True))
        }
        who: Any = FicklePlanner(seed) if central else team_of_seats(seats, rounds)
        if not central:
            object.__setattr__(who, "planner_class", "fixed")
        first_line = Header(
            world=world.name,
            rules=world.rules,
            workers=list(world.workers),
            seed=seed,
            horizon=horizon,
            planner=who.name,
            planner_class="fixed",
            seats=getattr(who, "seats", None),
            scenario_name="drawn",
            scenario_digest=digest({}),
            scenario={},
            setup=world.setup(),
        )
        fields: dict[str, Any] = {"max_stalled": stalled, **more}
        mailbox = mailbox_for(world, events)
        return Episode(
            world=world, header=first_line, planner=who, mailbox=mailbox, fetch=_text, **fields
        )

    return make


def lines(make: Callable[..., Episode], **more: Any) -> list[str]:
    return list(asyncio.run(make(**more).run()).lines())


@settings(max_examples=12)
@given(make=episodes())
def test_the_loop_and_the_graph_and_a_replay(make: Callable[..., Episode]) -> None:
    trace = asyncio.run(make().run())
    assert list(trace.lines()) == lines(make, in_graph=True)
    assert trace.end
    assert all(
        frame.equal
        for frame in replay(trace, FickleWorld(trace.header.seed, len(trace.header.workers)))
    )


@settings(max_examples=8)
@given(make=episodes(), kills=st.lists(st.integers(1, 60), min_size=1, max_size=4))
def test_kills(make: Callable[..., Episode], kills: list[int]) -> None:
    whole = lines(make)

    async def attempt(folder: Path, left: int) -> Trace:
        async with AsyncSqliteSaver.from_conn_string(str(folder / "c.sqlite")) as saver:
            world = Mortal(0, 1)
            episode = make(world=world, path=folder / "trace.jsonl", checkpointer=saver)
            world.left = left
            return await episode.run()

    with TemporaryDirectory() as name:
        for left in kills:
            with suppress(KilledError):
                asyncio.run(attempt(Path(name), left))
        asyncio.run(attempt(Path(name), -1))
        assert (Path(name) / "trace.jsonl").read_text().splitlines() == whole


@settings(max_examples=6)
@given(make=episodes())
def test_forks(make: Callable[..., Episode]) -> None:
    parent = asyncio.run(make().run())
    with TemporaryDirectory() as name:
        for at in range(len(list(parent.of(StepRecord))) + 1):
            path = Path(name) / f"{at}.jsonl"
            path.write_text("".join(f"{line}\n" for line in forked(parent, at)))
            assert bodies(lines(make, path=path)) == bodies(list(parent.lines())), at


async def test_a_new_record_is_at_hand_until_it_is_written(tmp_path: Path) -> None:
    """Also where so many are held that nothing else could be let go."""
    trace = tmp_path / "trace.jsonl"
    first = Recorder(trace)
    first.append(header(FicklePlanner(0), 9))
    plans = [PlanRecord(timestep=0, reasoning=str(n), schedule=[]) for n in range(20)]
    numbers = [first.append(plan) for plan in plans]
    await first.write()
    first.close()
    written = WrittenTrace(trace, 1 + len(numbers))
    assert await asyncio.to_thread(written.read)
    recorder = written.recorder
    await asyncio.to_thread(recorder.reopen)
    await recorder.hold(numbers)
    new = PlanRecord(timestep=0, reasoning="new", schedule=[])
    assert recorder.find_referred(recorder.append(new)) == new
    recorder.close()

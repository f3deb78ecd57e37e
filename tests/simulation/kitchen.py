"""A simulated kitchen: orchestrators that are started again and again, senders, and a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from cookmas.episodes.world import Json
from cookmas.files.errors import CookMASError
from cookmas.loading import Loaded
from cookmas.mailboxes.protocol import FLOODED, Answer, Envelope
from cookmas.mailboxes.sending import Sender
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.orchestrator.runs.opening import open_run
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.workers.carrying_out import work
from cookmas.workers.protocol import Assigned, AwayError, Report
from examples.dispatch.planner import DispatchPlanner
from tests.simulation.conditions import VANS, Conditions, Fault, Sent
from tests.simulation.event_loop import Process, SimulatedLoop
from tests.simulation.storage import KitchenLetterbox, KitchenStorage
from tests.simulation.wires import SimulatedWires
from tests.simulation.witness import Witness

WORKER = "worker_2"

PLANNER = EmbeddedPlanner()
"""The planner of all simulations, so that it reads each recipe once."""

LONGEST = 900.0
"""Seconds within which a kitchen must end."""


@dataclass
class History:
    """The history of a message, which outlives its sender."""

    event: Json
    """The event as it was sent."""
    id: str
    """Its id."""
    began: int = 0
    """Number of the simulation's step at which it was first sent."""
    stored: int | None = None
    """Number of the step at which the sender knew that the message is stored."""
    answers: list[Answer] = field(default_factory=list)
    """The final answers, each time that the sender was told."""


class Kitchen:
    """The processes around one run, and the histories of its messages by sender."""

    def __init__(
        self,
        loop: SimulatedLoop,
        folder: Path,
        conditions: Conditions,
        storage: KitchenStorage,
        witness: Witness,
        loaded: Loaded,
        wires: SimulatedWires,
    ) -> None:
        self.folder = folder
        self.histories: dict[str, list[History]] = {name: [] for name in conditions.senders}
        self._loop = loop
        self._conditions = conditions
        self._storage = storage
        self._witness = witness
        self._faults: dict[Process, tuple[str, Fault]] = {}
        self._ends: dict[Process, asyncio.Future[None]] = {}
        self._lives = 0
        self._over = False
        self._worker = RemoteWorker(loop) if conditions.remote and not conditions.long else None
        self._depot = Depot(loop)
        self._loaded = loaded
        self._wires = wires

    @property
    def deliveries(self) -> Mapping[str, str] | None:
        """The deliveries by the ids of their assignments; None if no dispatch is played."""
        return self._depot.begun if self._conditions.long else None

    async def play(self) -> None:
        """Let everybody do their part until the kitchen has ended."""
        self._loop.on_step = self._strike
        machines = range(self._conditions.orchestrators)
        kitchens = [asyncio.create_task(self._keep_playing(f"kitchen-{n}")) for n in machines]
        if self._worker:
            self._loop.spawn(Process("worker"), self._worker.answer())
        vans = VANS if self._conditions.wired else ()
        driving = [asyncio.create_task(self._keep_driving(van)) for van in vans]
        senders = [
            asyncio.create_task(self._keep_sending(name)) for name in self._conditions.senders
        ]
        house = asyncio.create_task(self._keep_house(senders))
        try:
            await asyncio.wait_for(asyncio.gather(*kitchens, *senders, house), LONGEST)
        except TimeoutError:
            self._witness.blame("a closed kitchen ends, but this one does not")
        for task in driving:
            task.cancel()

    async def _keep_house(self, senders: list[asyncio.Task[None]]) -> None:
        """Withdraw messages and close the kitchen, at any time or when all senders have ended."""
        chance, box = self._loop.chance, self._storage.letterbox
        if self._conditions.withdraws:
            await asyncio.sleep(chance.uniform(0, 4))
            self._witness.note("withdraws the waiting messages of anna")
            await _insist(lambda: box.withdraw("anna"))
        if self._conditions.closes:
            await asyncio.sleep(chance.uniform(0, 8))
        else:
            await asyncio.gather(*senders)
        self._witness.note("closes the kitchen")
        await _insist(box.close)

    async def _keep_playing(self, machine: str) -> None:
        """Start an orchestrator again until the run is over."""
        await asyncio.sleep(self._loop.chance.uniform(0, 1))
        while not self._over:
            self._lives += 1
            errors = self._conditions.clock_errors
            clock_error = errors[self._lives % len(errors)]
            process = Process(f"{machine}.{self._lives}", clock_error=clock_error)
            await self._live(process, machine, self._orchestrate)
            await asyncio.sleep(self._loop.chance.uniform(0.05, 3))

    async def _keep_driving(self, van: str) -> None:
        """Start the process of a remote worker again whenever it ends."""
        for life in count(1):
            process = Process(f"{van}.{life}")
            await self._live(process, van, lambda: work("the wires", van, self._depot))
            await asyncio.sleep(self._loop.chance.uniform(0.1, 5))

    async def _keep_sending(self, name: str) -> None:
        """Start a sender again until all its messages are answered."""
        lives = 0
        while True:
            lives += 1
            process = Process(f"{name}.{lives}")
            if await self._live(process, name, lambda: self._send(name)):
                return
            await asyncio.sleep(self._loop.chance.uniform(0.1, 1))

    async def _live(
        self, process: Process, machine: str, work: Callable[[], Awaitable[None]]
    ) -> bool:
        """Run a process until it ends or is killed; return whether it has ended."""
        end = self._ends[process] = self._loop.create_future()
        self._arm(process, machine)

        async def run() -> None:
            try:
                await work()
            except CookMASError as error:
                self._witness.note(f"ends: {error}")
            except Exception as error:
                self._witness.blame(f"a process fails with an error: {error!r}")
                raise
            finally:
                self._witness.see_end(process)
                if not end.done():
                    end.set_result(None)

        self._witness.note("starts", process)
        self._loop.spawn(process, run())
        await end
        self._faults.pop(process, None)
        return not process.killed

    def _arm(self, process: Process, machine: str) -> None:
        """Prepare the next fault of a machine."""
        if left := self._conditions.faults.get(machine):
            self._faults[process] = (machine, left.pop(0))

    def _strike(self, process: Process) -> None:
        """Let a fault strike the process that has just run, if it is due."""
        if process not in self._faults or self._ends[process].done():
            return
        fault = self._faults[process][1]
        if (process.accesses if fault.counts_accesses else process.steps) < fault.after:
            return
        machine, fault = self._faults.pop(process)
        self._witness.note(f"{fault.kind} {fault.seconds:.2f}", process)
        if fault.kind == "kill":
            self._loop.kill(process)
            self._ends[process].set_result(None)
            return
        if fault.kind == "pause":
            self._loop.pause(process, fault.seconds)
        else:
            for strand in [each for each in process.strands if each.name == "heartbeat"]:
                self._loop.stop_strand(strand, fault.seconds)
        self._arm(process, machine)

    async def _orchestrate(self) -> None:
        run = RunFolder(self.folder)
        if await asyncio.to_thread(lambda: run.over):
            self._over = True
            return
        loaded = self._loaded
        desk = loaded.domain.desk(loaded.scenario)
        workers: Any = {WORKER: self._worker} if self._worker else {}
        if self._conditions.long and not self._conditions.wired:
            workers = dict.fromkeys(loaded.scenario.world().workers, self._depot)
        planner = DispatchPlanner() if self._conditions.long else PLANNER
        async with open_run(run, loaded.scenario, planner, desk, workers) as episode:
            async for _ in episode.stream():
                pass
        self._witness.note("has played to the end")
        self._over = True

    async def _send(self, name: str) -> None:
        """Send all messages of a sender in order, and wait for all answers."""
        histories, messages = self.histories[name], self._conditions.senders[name]
        box = _NotedLetterbox(self._storage.letterbox, histories, self._loop)
        late: list[asyncio.Task[None]] = []
        for number, message in enumerate(messages):
            if number == len(histories):
                event = self._event_of(message, histories)
                histories.append(History(event, f"{name}-{number}", began=self._loop.steps))
            history = histories[number]
            if history.answers:
                continue
            copies = [
                asyncio.create_task(self._send_one(box, name, history))
                for _ in range(1 + message.again)
            ]
            if not message.wait:
                late += copies
                while history.stored is None and not history.answers:
                    await asyncio.sleep(0.05)
            else:
                await asyncio.gather(*copies)
        await asyncio.gather(*late)

    async def _send_one(self, box: KitchenLetterbox, name: str, history: History) -> None:
        """Send a message until it has its final answer."""
        sender: Any = Sender(box, name, patience=3.0)  # type: ignore[arg-type]
        while True:
            answer = await _insist(lambda: sender.send(history.event, history.id))
            assert isinstance(answer, Answer)
            if answer.why != FLOODED:
                break
            await asyncio.sleep(self._loop.chance.uniform(0.1, 1))
        self._witness.note(f"{history.id} is {answer.status}: {answer.about or answer.why}")
        history.answers.append(answer)

    def _event_of(self, message: Sent, histories: list[History]) -> Json:
        """Return the event of a message; an order that it changes is the last one."""
        if self._conditions.long:
            known = message.kind == "order"
            return {"kind": "order" if known else "nonsense", "address": "here", "seconds": 1}
        names = [each.about for past in histories for each in past.answers if each.about]
        name = (names[-1] if names else "live1").partition(".")[0]
        match message.kind:
            case "order":
                return {"kind": "new_order", "words": message.text}
            case "cancel":
                return {"kind": "cancel", "name": name}
            case "change":
                return {"kind": "change_line", "line": f"{name}.1", "note": "light, please"}
            case "foreign":
                return {"kind": "cancel", "name": message.text}
        return {"kind": "nonsense"}


class _NotedLetterbox:
    """A letterbox that notes which messages are stored."""

    def __init__(
        self, box: KitchenLetterbox, histories: list[History], loop: SimulatedLoop
    ) -> None:
        self.answer, self.close, self.withdraw = box.answer, box.close, box.withdraw
        self._box = box
        self._histories = histories
        self._loop = loop

    async def post(self, envelope: Envelope) -> Answer | None:
        answer = await self._box.post(envelope)
        if answer is None:
            for each in self._histories:
                if each.id == envelope.id and each.stored is None:
                    each.stored = self._loop.steps
        return answer


class RemoteWorker:
    """A worker in a process of its own, which acts as assigned unless it is slow."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self.seconds: list[float] = []
        self._loop = loop
        self._asked: asyncio.Queue[tuple[str, asyncio.Future[str]]] = asyncio.Queue()

    async def act(self, timestep: int, worker: str, assignment: str) -> str:
        future: asyncio.Future[str] = self._loop.create_future()
        self._asked.put_nowait((assignment, future))
        with suppress(TimeoutError):
            return await asyncio.wait_for(future, 1.0)
        raise AwayError(f"{worker} does not answer")

    async def wait_until_back(self) -> None:
        await asyncio.sleep(2)

    async def answer(self) -> None:
        """Answer all questions, as the process of the worker."""
        while True:
            assignment, future = await self._asked.get()
            if self._loop.chance.random() < 0.1:
                await asyncio.sleep(self._loop.chance.uniform(0.5, 2))
            if not future.done():
                future.set_result(assignment)


class Depot:
    """A device that carries out deliveries, and does nothing twice under the same id.

    A delivery takes some seconds. It goes on though the orchestrator that asked for it is gone.
    """

    def __init__(self, loop: SimulatedLoop) -> None:
        self.begun: dict[str, str] = {}
        self.seconds: list[float] = []
        self._ends: dict[str, float] = {}
        self._loop = loop

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        """Return the report on a delivery at its end; sometimes the depot does not answer."""
        if assignment.timesteps == 1:
            return Report.done()
        if self._loop.chance.random() < 0.1:
            raise AwayError(f"{worker} does not answer")
        if assignment.id not in self._ends:
            self._ends[assignment.id] = self._loop.time() + self._loop.chance.uniform(0, 6)
            self.begun[assignment.id] = str(assignment)
        await asyncio.sleep(max(0.0, self._ends[assignment.id] - self._loop.time()))
        return Report.done(result={"took": 1.0})

    async def wait_until_back(self) -> None:
        await asyncio.sleep(2)


async def _insist(work: Callable[[], Awaitable[Any]]) -> Any:
    """Repeat what fails, or has no answer, until it succeeds."""
    while True:
        try:
            return await work()
        except CookMASError:
            await asyncio.sleep(0.2)

"""An event loop for simulations: virtual time, and a scheduler that decides by a seed.

It runs the processes of a simulated system in one thread. A process has strands, which are its
event loop, its threads and its heartbeat. Callbacks of one strand run in the order in which they
were scheduled, as in a real event loop; at each step the seed decides which strand continues. So
processes interleave at each `await`, and threads end in any order. Time passes by a little at each
step, and jumps to the next timer when no strand can continue.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any

STEP = 1e-4
"""Seconds that a callback takes."""

_strand: ContextVar[Strand] = ContextVar("strand")


@dataclass(eq=False)
class Process:
    """A simulated process. A killed process is one that never continues."""

    name: str
    """Name of the process."""
    clock_error: float = 0.0
    """Difference of the wall clock of its machine from the virtual time, in seconds."""
    stops: int = 0
    """Number of reasons for which it stands still: pauses, and the kill."""
    killed: bool = False
    """True after the kill."""
    steps: int = 0
    """Number of callbacks that have run."""
    accesses: int = 0
    """Number of its threads that have done their work."""
    strands: list[Strand] = field(default_factory=list)
    """Strands with callbacks that are due."""
    files: list[Any] = field(default_factory=list)
    """Files and connections that the operating system closes when the process is killed."""
    last_time: int = 0
    """The last time that was read, in nanoseconds."""


@dataclass(eq=False)
class Strand:
    """A sequence of callbacks of a process that run in order."""

    process: Process
    """The process."""
    name: str
    """Name of the strand."""
    stops: int = 0
    """Number of reasons for which the strand alone stands still."""
    due: deque[asyncio.Handle] = field(default_factory=deque)
    """The callbacks that are due."""


def current_process() -> Process:
    """Return the process that runs."""
    return _strand.get().process


def context_in(strand: Strand) -> Context:
    """Return a copy of the current context in which callbacks belong to a strand."""
    context = copy_context()
    context.run(_strand.set, strand)
    return context


class SimulatedLoop(asyncio.BaseEventLoop):
    """The event loop of a simulation with a seed.

    `delays` draws the seconds that a thread waits before its work, and after it. `on_step` is
    called after each callback with its process, and `on_work` after the work of each thread. When
    `failure` is set, the loop stops and raises it.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = random.Random(seed)
        self.delays: Callable[[], float] = lambda: 0.0
        self.on_step: Callable[[Process], None] = lambda process: None
        self.on_work: Callable[[Process], None] = lambda process: None
        self.steps = 0
        self.failure: Exception | None = None
        self._now = 0.0
        self._scheduled: list[asyncio.TimerHandle] = []
        self._ready_strands: list[Strand] = []
        self._readers: dict[int, tuple[Callable[[], object], Context]] = {}
        self.outside = Process("outside")
        self._main = {self.outside: Strand(self.outside, "main")}

    def time(self) -> float:
        """Return the virtual time, in seconds."""
        return self._now

    def play(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine outside of all processes, and return its result."""
        asyncio.set_event_loop(self)
        try:
            return context_in(self._main[self.outside]).run(self.run_until_complete, main)
        finally:
            asyncio.set_event_loop(None)

    def spawn(
        self, process: Process, work: Coroutine[Any, Any, Any], strand: str = "main"
    ) -> asyncio.Task[Any]:
        """Start a task in a process, in its event loop or in another strand."""
        within = self._main.setdefault(process, Strand(process, "main"))
        if strand != "main":
            within = Strand(process, strand)
        return self.create_task(work, context=context_in(within))

    def stop_process(self, process: Process) -> None:
        """Let a process stand still until `continue_process` is called for this stop."""
        process.stops += 1
        for strand in process.strands:
            self._leave(strand)

    def continue_process(self, process: Process) -> None:
        """End a stop of a process."""
        process.stops -= 1
        for strand in process.strands:
            self._join(strand)

    def stop_strand(self, strand: Strand, seconds: float) -> None:
        """Let a strand stand still for a while."""
        strand.stops += 1
        self._leave(strand)

        def go_on() -> None:
            strand.stops -= 1
            self._join(strand)

        self.call_later(seconds, go_on, context=context_in(self._main[self.outside]))

    def pause(self, process: Process, seconds: float) -> None:
        """Let a process stand still for a while, as SIGSTOP and SIGCONT do."""
        self.stop_process(process)
        context = context_in(self._main[self.outside])
        self.call_later(seconds, self.continue_process, process, context=context)

    def kill(self, process: Process) -> None:
        """Let a process stand still for ever, and close its files."""
        process.killed = True
        self.stop_process(process)
        for file in process.files:
            file.close()

    def bury(self) -> None:
        """Cancel all tasks that are left, and let them end; nothing that they do matters."""
        self.set_exception_handler(lambda loop, context: None)
        self.failure = None
        self.on_step = self.on_work = lambda process: None
        self.delays = lambda: 0.0
        for process in {each.process for each in self._strands()}:
            while process.stops:
                self.continue_process(process)
        for _ in range(20):
            left = [task for task in asyncio.all_tasks(self) if not task.done()]
            if not left:
                break
            for task in left:
                task.cancel()
            with suppress(RuntimeError):  # The main task may have ended at the last step.
                self.play(_wait_for(left))
        self.play(self.shutdown_asyncgens())
        self.close()
        for process in self._main:
            for file in process.files:
                file.close()

    def _strands(self) -> list[Strand]:
        return [*self._main.values(), *self._ready_strands]

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run a function as a thread of the current process; it interleaves with all strands."""
        future: asyncio.Future[Any] = self.create_future()
        process = current_process()
        thread = context_in(Strand(process, "thread"))

        def work() -> None:
            result, error = None, None
            try:
                result = func(*args)
            except Exception as raised:
                error = raised
            process.accesses += 1
            self.on_work(process)
            self._poll_readers()
            self._call_after(self.delays(), thread, deliver, result, error)

        def deliver(result: Any, error: Exception | None) -> None:
            if future.done():
                return
            if error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._call_after(self.delays(), thread, work)
        return future

    def _call_after(
        self, seconds: float, context: Context, callback: Callable[..., None], *args: Any
    ) -> None:
        if seconds:
            self.call_later(seconds, callback, *args, context=context)
        else:
            self.call_soon(callback, *args, context=context)

    def add_reader(self, fd: int, callback: Callable[..., Any], *args: Any) -> None:  # type: ignore[override]
        """Call a function whenever a file can be read."""
        self._readers[fd] = (lambda: callback(*args), copy_context())

    def remove_reader(self, fd: int) -> bool:  # type: ignore[override]
        """Call the function no more."""
        return self._readers.pop(fd, None) is not None

    def _poll_readers(self) -> None:
        if self._readers:
            import select

            for fd in select.select(list(self._readers), [], [], 0)[0]:
                callback, context = self._readers[fd]
                self.call_soon(callback, context=context)

    def _call_soon(  # type: ignore[no-untyped-def]
        self, callback, args, context
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._add(handle)
        return handle

    def _add(self, handle: asyncio.Handle) -> None:
        strand: Strand = handle._context[_strand]  # type: ignore[attr-defined]
        strand.due.append(handle)
        if len(strand.due) == 1:
            strand.process.strands.append(strand)
            self._join(strand)

    def _join(self, strand: Strand) -> None:
        if not (strand.stops or strand.process.stops) and strand.due:
            self._ready_strands.append(strand)

    def _leave(self, strand: Strand) -> None:
        if strand in self._ready_strands:
            self._ready_strands.remove(strand)

    def _write_to_self(self) -> None:
        """Do nothing: no real thread wakes this loop."""

    def _process_events(self, event_list: object) -> None:
        """Do nothing: there are no events of files."""

    def _run_once(self) -> None:
        """Run one callback of a strand that the seed chooses."""
        while not self._ready_strands:
            if not self._scheduled:
                raise RuntimeError("the simulation stands still: nothing is due any more")
            self._now = max(self._now, self._scheduled[0].when())
            self._take_timers()
        place = self.chance.randrange(len(self._ready_strands))
        strand = self._ready_strands[place]
        handle = strand.due.popleft()
        if not strand.due:
            self._ready_strands[place] = self._ready_strands[-1]
            self._ready_strands.pop()
            strand.process.strands.remove(strand)
        self.steps += 1
        strand.process.steps += 1
        if not handle.cancelled():
            handle._run()
        self._now += STEP
        self._take_timers()
        self.on_step(strand.process)
        if self.failure:
            raise self.failure

    def _take_timers(self) -> None:
        while self._scheduled and self._scheduled[0].when() <= self._now:
            timer = heapq.heappop(self._scheduled)
            timer._scheduled = False  # type: ignore[attr-defined]
            if not timer.cancelled():
                self._add(timer)


async def _wait_for(tasks: list[asyncio.Task[Any]]) -> None:
    await asyncio.wait(tasks, timeout=60)

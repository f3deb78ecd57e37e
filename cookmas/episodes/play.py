"""An episode that a caller plays timestep by timestep, without planners, workers and messages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from cookmas.episodes.answered import tally_of
from cookmas.episodes.base import World, ending, movers
from cookmas.episodes.engine import (
    Facts,
    Next,
    Rung,
    Step,
    carry_out,
    commands_for,
    conclusion,
    how_it_goes_on,
    is_over,
    is_past,
)
from cookmas.episodes.failure import boundary
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.parts import ReportRecord
from cookmas.episodes.reports import (
    OutlastingAction,
    duration,
    end_of,
    find_claimed,
    has_long_actions,
    is_overdue,
    report_overdue,
)
from cookmas.episodes.trace import AnyRecord, End, EventRecord, Termination
from cookmas.episodes.world import Command, Commands, Json, Tally

Sink = Callable[[AnyRecord], object]
"""A function that receives the records of an episode, one by one in order."""


class Play:
    """An episode with known events that the caller plays timestep by timestep.

    Timesteps in which no worker can move pass automatically. `record` receives the records of the
    episode. If the world does not know an event, InputError is raised when the event is due: by the
    constructor or by `step`.
    """

    def __init__(
        self,
        world: World,
        events: Iterable[tuple[int, Json]],
        horizon: int | None = None,
        record: Sink = lambda _: None,
    ) -> None:
        self.world = world
        self.timestep = 0
        self.ended: Termination | None = None
        self._horizon = horizon
        self._record = record
        self._coming = list(enumerate(sorted(events, key=lambda event: event[0]), start=1))
        self._running: list[OutlastingAction] = []
        self._has_long = has_long_actions(world)
        with boundary(world=world):
            self.state = world.start()
            self._open()

    @property
    def tally(self) -> Tally:
        """The score counters of the present state."""
        return tally_of(self.world, self.state)

    @property
    def movers(self) -> Collection[str]:
        """The workers whose move it is; none after the end of the episode."""
        return () if self.ended else movers(self.world, self.state)

    def step(self, wanted: Commands) -> Step:
        """Carry out one timestep and open the next; workers that `wanted` omits idle.

        Return the result of this timestep. Afterwards `state` is the state at the next timestep in
        which a worker can move, or at the end of the episode. After the end do not call this.
        """
        with boundary(world=self.world):
            commands = commands_for(self.world, self.state, wanted)
            done = self._carry_out(commands)
            self._open()
        return done

    def _carry_out(self, commands: Commands) -> Step:
        reports: dict[str, ReportRecord] = {}
        running = {each.worker: each.action for each in self._running}
        begun: list[OutlastingAction] = []
        if self._has_long:
            idle = self.world.idle
            commands = [Command(n, idle if n in running else action) for n, action in commands]
        claimed = find_claimed(self.world, self.state, commands, running)
        if self._has_long:
            begun = [
                OutlastingAction(worker, action, self.timestep)
                for worker, action in commands
                if duration(self.world, action) > 1 and worker not in claimed
            ]
            reports = {each.worker: ReportRecord(status="running") for each in begun}
        done = carry_out(
            self.world, self.state, commands, self.timestep, None, reports, claimed=claimed
        )
        known = [each for each in begun if each.worker in done.outcomes]
        self._running += [each for each in known if done.outcomes[each.worker].done]
        self._record(done.record)
        self.state = done.state
        self.timestep += 1
        return done

    def _open(self) -> None:
        """Apply this timestep's events; continue until a worker can move or the episode ends."""
        rung, facts = self._open_timestep()
        while rung.follows is Next.MOVE_ALONE:
            self._carry_out([])
            rung, facts = self._open_timestep()
        if rung.follows is Next.END:
            self.ended, why = conclusion(rung, facts)
            self._record(
                End(timestep=self.timestep, termination=self.ended, why=why, tally=self.tally)
            )

    def _open_timestep(self) -> tuple[Rung, Facts]:
        world, horizon = self.world, self._horizon
        over = is_over(world, self.state, self.timestep, horizon)
        if not over:
            self._take_ends()
        while not over and self._coming and self._coming[0][1][0] <= self.timestep:
            number, (_, event) = self._coming.pop(0)
            self.state, ruling = apply_event(world, self.state, event)
            self._record(
                EventRecord(
                    timestep=self.timestep, number=number, event=dict(event), refused=ruling.refused
                )
            )
        ended = ending(world, self.state)
        facts = Facts(
            ending=ended,
            finished=world.is_finished(self.state),
            empty=not self._coming,
            over=is_past(horizon, self.timestep),
            alone=not ended and not movers(world, self.state),
        )
        return how_it_goes_on(facts), facts

    def _take_ends(self) -> None:
        """Take the ends of the long actions that are done by now, or overdue."""
        for running in [*self._running]:
            done = self.timestep >= running.since + duration(self.world, running.action)
            if done or is_overdue(self.world, running, self.timestep):
                self._running.remove(running)
                overdue = report_overdue(running, self.timestep)
                event = end_of(running, ReportRecord(status="done") if done else overdue)
                self.state, ruling = apply_event(self.world, self.state, event)
                self._record(
                    EventRecord(
                        timestep=self.timestep, event=event, injected=True, refused=ruling.refused
                    )
                )

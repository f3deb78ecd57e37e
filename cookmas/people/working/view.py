"""The view of a person who plays a worker at a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType

from cookmas.display.watch.scene import (
    panels,
    render_goals,
    render_heading,
    render_notes,
    render_step,
)
from cookmas.display.watch.story import Note, Story
from cookmas.episodes.engine import commands_for
from cookmas.episodes.possible import refuse_unlisted
from cookmas.episodes.trace import AnyRecord, Header, Lookup, PlanRecord
from cookmas.episodes.world import Command
from cookmas.people.working.asked import Keys


class View:
    """The part of the trace so far that the player of `worker` can see.

    `world` is the name of the world, or `package.module:Domain`. `texts` are the looked-up texts
    that the worker may read.
    """

    def __init__(self, worker: str, world: str | None = None) -> None:
        self._worker = worker
        self._spec = world
        self._story: Story | None = None
        self._notes: list[Note] = []
        self.texts: dict[str, str] = {}

    def take(self, record: AnyRecord) -> None:
        """Take one more record of the trace; the header comes first."""
        if isinstance(record, Header):
            self._story = Story(record, self._spec, self._worker)
            return
        assert self._story
        notes = self._story.take(record)
        if isinstance(record, Lookup):
            self.texts |= {record.key: record.text} if notes else {}
        elif not isinstance(record, PlanRecord):
            self._notes += notes

    @property
    def forms(self) -> Mapping[str, str]:
        return self._story.following.world.actions if self._story else {}

    def words(self, action: str) -> str:
        """Return a description of an action of the worker."""
        if self._story is None:
            return action
        now = self._story.following
        return now.viewing.action(now.world, now.seen, self._worker, action)

    def refusal(self, action: str) -> str | None:
        """Return why an action of the worker would FAIL now if no other worker acted.

        Return None if it would not, or if the worker's view may not be simulated and legal actions
        cannot be listed for it.
        """
        if self._story is None:
            return None
        now = self._story.following
        state = now.world.simulable(now.seen, self._worker)
        if state is None:
            return refuse_unlisted(now.world, now.seen, self._worker, {self._worker: action})
        commands = commands_for(now.world, state, [Command(self._worker, action)])
        if why := now.world.refusal(commands):
            return why
        _, outcomes, _ = now.world.step(state, commands)
        return outcomes[self._worker].why if outcomes[self._worker].fail else None

    @property
    def keys(self) -> Keys:
        """The keys that mean an action now, and the action of a person who presses none."""
        if self._story is None:
            return Keys()
        now = self._story.following
        return Keys(now.viewing.keys(now.world, now.seen, self._worker), now.world.idle)

    def take_news(self) -> list[Note]:
        """Return the events since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def picture(self) -> RenderableType:
        """Return the events since the last call and the present state, drawn as text."""
        story = self._story
        assert story
        notes = self.take_news()
        now = story.following
        viewing = now.viewing
        return Group(
            render_notes(notes),
            render_heading(f"timestep {story.timestep}", "what was done just now"),
            render_step(story),
            *render_goals(viewing, story.goals, story.before),
            panels(viewing.panels(now.world, now.seen)),
        )

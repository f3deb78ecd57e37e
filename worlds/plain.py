"""What most domains have in common; a world says otherwise where it is otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table

from episodes.errors import InputError, MissingError
from episodes.files import read_yaml
from episodes.scenario import DEFAULT_HORIZON, named_beside, refuse_other
from evals.report import plain, table
from evals.verdict import Verdict
from orchestrator.planner import Entry, Plan, malformed
from worlds.domain import Settings, Shown
from worlds.viewing import PlainViewing, Viewing


class PlainDomain:
    """A domain without options, whose scenarios are shown as they are written."""

    name: str

    def scenario(self, name: str, settings: Settings) -> Any:
        """The scenario of a name or a file."""
        raise NotImplementedError

    def names(self, group: str | None = None) -> Sequence[str]:
        """The scenarios that come with it."""
        raise NotImplementedError

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """What a list says of a scenario."""
        raise NotImplementedError

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """What a scenario is judged by."""
        raise NotImplementedError

    def refuse(self, settings: Settings) -> None:
        """Raises InputError for whatever is said beside a scenario's name."""
        if settings:
            option = next(iter(settings)).replace("_", "-")
            raise InputError(f"--{option}", f"the world {self.name} has no such option")

    def horizon(self, scenario: Any) -> int:
        """The usual one."""
        return DEFAULT_HORIZON

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Load a list of timesteps in YAML, each worker to action, by itself or as `schedule`.

        Raises InputError if it is none, or if the `scenario` that is named beside it is another.
        """
        data = read_yaml(path)
        rows = data.get("schedule") if isinstance(data, Mapping) else data
        if isinstance(data, Mapping) and (name := data.get("scenario")) is not None:
            if not isinstance(name, str):
                raise InputError(str(path), "scenario: expected a name or a file")
            name = named_beside(name.removeprefix(f"{self.name}/"), path)
            refuse_other(str(path), self.scenario(name, {}), scenario)
        if not isinstance(rows, list) or not rows:
            raise InputError(str(path), "expected a schedule: a list of timesteps")
        if problem := malformed(Plan(schedule=rows), scenario.world()):
            raise InputError(str(path), problem)
        return rows

    def details(self, verdict: Verdict) -> Iterable[RenderableType]:
        """A table of what was asked for."""
        shown = table("Asked for", "name", "what", "in words", "status", "when")
        for goal in verdict.goals:
            when = "" if goal.when is None else goal.when
            shown.add_row(*map(plain, (goal.name, goal.what, goal.note, goal.status, when)))
        yield shown

    @property
    def viewing(self) -> Viewing:
        """None of its own."""
        return PlainViewing()

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """A scenario as its file says it; without words, all of them."""
        if not what:
            rows = [dict(self.row(self.scenario(name, {}))) for name in self.names()]
            listed = Table(*(rows[0] if rows else ("name",)))
            for row in rows:
                listed.add_row(*map(plain, row.values()))
            return Shown(picture=listed, data=rows)
        if len(what) != 1:
            raise InputError("show", f"expected a scenario of {self.name}")
        data = self.scenario(what[0], settings).data()
        shown = Table("what", "is")
        for name, value in data.items():
            shown.add_row(plain(name), plain(value))
        return Shown(picture=shown, data=data)

    def check(self, path: Path, *, fix: bool = False) -> Sequence[str]:
        """Whether a scenario is sound, and its truth; no file names another, so none is mended."""
        return self.vet(self.scenario(str(path), {}))

    def vet(self, scenario: Any) -> Sequence[str]:
        """Whether its truth is sound."""
        found = [f"scenario {scenario.name}: sound"]
        try:
            self.truth(scenario)
        except MissingError as error:
            return [*found, f"it cannot be judged: {error}"]
        return [*found, "its truth: sound"]

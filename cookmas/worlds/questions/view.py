"""The picture of a question: the state as its world draws it, the question, and the options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, panel_of
from cookmas.worlds.questions.world import Answered, QuestionWorld
from cookmas.worlds.shipped import WORLDS, import_world


class QuestionViewing(Viewing):
    """The words for a question, and its drawing with that of the state's world."""

    terms = Terms(goals="answers", reached="right", doing="answering")

    @cached_property
    def page(self) -> Sequence[Path]:  # type: ignore[override]
        """The scripts and styles of all worlds that can be asked about, then those of questions."""
        others = [import_world(name).viewing for name in WORLDS if name != "questions"]
        own = [Path(__file__).parent / "page" / f"questions.{suffix}" for suffix in ("css", "js")]
        return list(dict.fromkeys([*(path for each in others for path in each.page), *own]))

    def setup(self, world: QuestionWorld) -> dict[str, Any]:
        """Return the question with its options, and the state as the first entry of a run of it.

        The key is not in it. The page learns the key and the proof from the verdict.
        """
        level = world.level
        asked = {"seat": level.seat, "question": level.question, "options": dict(world.options)}
        return {**asked, "shown": self._show(world)}

    def panels(self, world: QuestionWorld, state: Answered) -> Sequence[Panel]:
        """Return the panels of the state in question, then the question with its options."""
        options = [
            Item(name=letter, what=option, note="answered" if option == state["answer"] else "")
            for letter, option in world.options.items()
        ]
        asked = panel_of("question", [(world.level.seat, world.level.question)])
        return [*self._list_panels(world), asked, Panel(title="options", items=options)]

    def _list_panels(self, world: QuestionWorld) -> Sequence[Panel]:
        """Return the panels of the state as its world shows it, or its words."""
        level = world.level
        if told := level.told:
            rows = enumerate(told.scene.splitlines(), start=1)
            return [panel_of("state", ((str(number), row) for number, row in rows))]
        source = world.source
        return import_world(level.of).viewing.panels(source, source.load(level.state))

    def _show(self, world: QuestionWorld) -> dict[str, Any]:
        """Return the first entry of a run that begins with the state (docs/reference/page-data.md).

        A state that its world does not draw has panels.
        """
        level = world.level
        entry = {"kind": "run", "planner": "", "state": level.state}
        viewing = Viewing() if level.told else import_world(level.of).viewing
        if not viewing.page:
            panels = [asdict(each) for each in self._list_panels(world)]
            return {**entry, "world": "", "workers": [level.seat], "setup": {}, "panels": panels}
        source, t = world.source, level.state.get("timestep", 0)
        setup, workers = viewing.setup(source), list(source.workers)
        return {**entry, "world": level.of, "t": t, "workers": workers, "setup": setup}


VIEWING = QuestionViewing()

"""The picture of a question: the state as its world shows it, the question, and the options."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.worlds.base.viewing import Item, Panel, Terms, Viewing, panel_of
from cookmas.worlds.questions.world import Answered, QuestionWorld
from cookmas.worlds.shipped import import_world


class QuestionViewing(Viewing):
    """The words for a question."""

    terms = Terms(goals="answers", reached="right", doing="answering")

    def panels(self, world: QuestionWorld, state: Answered) -> Sequence[Panel]:
        """Return the panels of the state in question, then the question with its options."""
        level, source = world.level, world.source
        shown = import_world(level.of).viewing.panels(source, source.load(level.state))
        options = [
            Item(name=letter, what=option, note="answered" if option == state["answer"] else "")
            for letter, option in world.options.items()
        ]
        asked = panel_of("question", [(level.seat, level.question)])
        return [*shown, asked, Panel(title="options", items=options)]


VIEWING = QuestionViewing()

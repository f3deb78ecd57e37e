"""The groups of options in the help of a command and in the reference."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

ARGUMENTS = "Arguments"
OPTIONS = "Options"
OPEN_EPISODE = "Open episode"
CHECKPOINTS = "Checkpoints"
MODEL = "Model"
COST = "Cost and budget"
RECORDED = "Recorded answers"
PROMPTING = "Prompting"
USER_CODE = "User-supplied code"


def panel_of(parameter: Any) -> str:
    """Return the group of an argument or option."""
    if parameter.param_type_name == "argument":
        return ARGUMENTS
    return getattr(parameter, "rich_help_panel", None) or OPTIONS


class GroupedCommand(TyperCommand):
    """A command whose help lists its options group by group."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group, in the order in which the groups first appear."""
        sections: dict[str, list[Any]] = {}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                sections.setdefault(panel_of(parameter), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)

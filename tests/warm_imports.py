"""The modules that the commands import on demand."""

import importlib
from pathlib import Path

import cookmas.commands.cli

MODULES = """
encodings.utf_8_sig
langchain_core.tracers.context
langchain_core.tracers.run_collector
langchain_core.tracers.stdout
rich._emoji_codes
typer._adapters
typer._click.decorators
cookmas.api
cookmas.client
cookmas.commands.cli
cookmas.commands.continuing
cookmas.commands.kept_runs
cookmas.commands.start
cookmas.display.live.serve
cookmas.display.page.show
cookmas.display.watch.board
cookmas.display.watch.standing
cookmas.evals.report
cookmas.forking
cookmas.modelserver.serve
cookmas.orchestrator.checkpoints.postgres
cookmas.orchestrator.graph.checkpoint
cookmas.orchestrator.graph.graph
cookmas.orchestrator.langsmith
cookmas.orchestrator.runs.redis_runs
cookmas.people.playing
cookmas.scenarios.check
cookmas.scenarios.redis_recipes
cookmas.scenarios.scenario
cookmas.solving.certificates
cookmas.solving.corridor.planners
cookmas.solving.restaurant.checking
cookmas.solving.restaurant.generating
cookmas.solving.restaurant.planners
cookmas.studies.bench.sweep
cookmas.studies.previewing
cookmas.workers.carrying_out
cookmas.workers.own
cookmas.workers.wires
cookmas.worlds.base.tables
cookmas.worlds.corridor.judging
cookmas.worlds.restaurant.judging.report
cookmas.worlds.restaurant.view
cookmas.worlds.restaurant.voice
"""

WORLDS = Path(cookmas.commands.cli.__file__).parents[1] / "worlds"

for _module in (
    *MODULES.split(),
    *(f"cookmas.worlds.{_domain.parent.name}.domain" for _domain in WORLDS.glob("*/domain.py")),
    *(_command.partition(":")[0] for _command in cookmas.commands.cli.COMMANDS.values()),
):
    importlib.import_module(_module)

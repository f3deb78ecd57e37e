"""What the commands import, each when it needs it."""

# ruff: noqa: F401

import cookmas.api
import cookmas.bench.sweep
import cookmas.cli
import cookmas.client
import cookmas.first
import cookmas.forking
import cookmas.kept_runs
import cookmas.live.serve
import cookmas.orchestrating.playing
import cookmas.page.show
import cookmas.people.playing
import cookmas.watch.board
import cookmas.watch.standing
import evals.report
import modelserver.serve
import orchestrator.checkpoints.postgres
import orchestrator.runs.redis_runs
import scenarios.check
import scenarios.generator
import workers.own
import workers.redis_channel
import worlds.corridor.domain
import worlds.restaurant.checking
import worlds.restaurant.domain
import worlds.restaurant.evaluators.report
import worlds.restaurant.planners.embedded
import worlds.restaurant.planners.llm
import worlds.restaurant.view.page

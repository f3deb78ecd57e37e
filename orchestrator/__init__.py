"""The orchestrator: its graph, planners, models and checkpoints, and the runner of episodes."""

import os

os.environ.setdefault("LANGSMITH_TRACING", "false")

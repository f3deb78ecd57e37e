"""The orchestrator: the graph, its planners, checkpoints and the runner of episodes."""

import os

os.environ.setdefault("LANGSMITH_TRACING", "false")

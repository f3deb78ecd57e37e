"""The places that a person can take besides the workers' seats."""

ORCHESTRATOR = "orchestrator"
"""The place of the person who writes the schedule."""

SUPERVISOR = "supervisor"
"""The place of the person who instructs the orchestrator."""

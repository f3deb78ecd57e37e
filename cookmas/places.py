"""Places of people that are not a worker's seat."""

ORCHESTRATOR = "orchestrator"
"""The place of the person who writes the schedule."""

SUPERVISOR = "supervisor"
"""The place of the person who instructs the orchestrator."""

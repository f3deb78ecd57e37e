"""The names of the places of people other than workers' seats."""

ORCHESTRATOR = "orchestrator"
"""The place of the person who writes the schedule."""

SUPERVISOR = "supervisor"
"""The place of the person who instructs the orchestrator."""

"""The orchestrator's place, where a person writes the schedule."""

"""The orchestrator's place: where a person sits who writes the schedule."""

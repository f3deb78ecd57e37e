"""CuisineWorld's planners: called by the orchestrator on triggers, by a policy or a model."""

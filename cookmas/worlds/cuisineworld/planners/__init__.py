"""The planners of CuisineWorld, which the orchestrator calls on triggers."""

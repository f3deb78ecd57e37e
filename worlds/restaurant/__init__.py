"""The restaurant: its planners, reader, scheduler, prompts and evaluators, over its kitchen."""

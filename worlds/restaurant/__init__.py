"""The restaurant: its planners, reader, scheduler, prompts and evaluators, built on its kitchen."""

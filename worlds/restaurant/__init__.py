"""The restaurant: its planners, reader, scheduler, prompts and evaluators.

Two packages at the top of the repository belong to the restaurant too: `kitchen`, its simulator,
and `scenarios`, its input. They stay at the top because dishes, actions and scenarios are added
there. No other world may import them.
"""

"""The restaurant: its planners, reader, scheduler, prompts and evaluators.

Two packages at the top of the repository belong to the restaurant too: `kitchen` is its simulator,
and `scenarios` has its scenarios. They stay at the top because people add dishes, actions and
scenarios there. No other world may import them.
"""

"""The restaurant: its planners, reader, scheduler, prompts and evaluators.

Two rooms at the top of the repository are the restaurant's too: `kitchen`, its simulator, and
`scenarios`, what is played in it. They stay at the top because dishes, actions and scenarios are
added there. No other world may import them.
"""

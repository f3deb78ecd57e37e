"""How people take part: `working` is for people who play workers, `orchestrating` for a person who
takes the orchestrator's place.
"""

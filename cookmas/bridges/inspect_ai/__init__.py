"""CookMAS inside Inspect AI: tasks, a solver, a scorer, and a model that needs no network.

    inspect eval cookmas/level1 --model openai/gpt-5

Inspect finds these parts through the entry point `inspect_ai`, which names the module `registry`.
The package needs the extra `inspect`; nothing else of CookMAS imports it.
"""

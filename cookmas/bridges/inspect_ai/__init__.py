"""CookMAS inside Inspect AI: tasks, a solver, a scorer, and a model that needs no network.

    inspect eval cookmas/level1 --model openai/gpt-5

Inspect finds what is here through the entry point `inspect_ai`, which names `registry`. It needs
the extra `inspect`; nothing else of CookMAS imports this package.
"""

"""The solver: proven optima of the restaurant, by CP-SAT (the extra `solver`).

| module | job |
|---|---|
| `cpsat` | OR-Tools, imported only when it is needed; one run within a deterministic limit |
| `model` | the tasks and modes of the scheduler as a model |
| `improving` | a solution as placed modes, which the scheduler decodes |
| `rules` | what every schedule under the simulator's rules must keep: a lower bound |
"""

"""The solver: proven optima of the restaurant, by CP-SAT (the extra `solver`).

| module | job |
|---|---|
| `cpsat` | OR-Tools, imported only when it is needed; one run within a deterministic limit |
| `rules` | what every schedule under the simulator's rules must keep: a lower bound |
"""

"""Reports of sweeps: what came of many episodes, as tables, plots and a frame.

`results` reads it, `estimates` computes, `tables` and `plots` lay out, `rendering` writes.
"""

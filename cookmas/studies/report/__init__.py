"""Reports of sweeps: the results of many episodes as tables, plots and a pandas frame.

`results` reads them, `estimates` computes, `tables` and `plots` lay out, `rendering` writes.
"""

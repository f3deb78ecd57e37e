"""Reports of sweeps: the results of many episodes as tables, plots and a pandas frame.

`results` reads the results, `estimates` computes means and differences, `tables` and `report` lay
them out, and `rendering` writes the output.
"""

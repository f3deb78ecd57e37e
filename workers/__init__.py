"""The workers: they carry out the assignments of a schedule."""

"""The workers: they carry out the assignments of a schedule."""

if __name__ != "cookmas.workers":
    raise ImportError("import cookmas.workers instead of workers", name="workers")

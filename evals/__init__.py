"""Evaluation: judges an episode from its trace and the truth alone."""

if __name__ != "cookmas.evals":
    raise ImportError("import cookmas.evals instead of evals", name="evals")

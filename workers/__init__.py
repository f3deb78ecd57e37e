"""The workers: who carries out the assignments of a schedule."""

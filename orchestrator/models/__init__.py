"""Language models: what is asked of them, how they are reached, and what they may cost."""

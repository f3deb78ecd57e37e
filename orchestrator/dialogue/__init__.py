"""The dialogue with a model: how a planner asks the model, reads its answers and remembers them."""

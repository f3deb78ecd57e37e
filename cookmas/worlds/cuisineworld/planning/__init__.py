"""How agents work on a list of dishes, and what can be served if all orders are known."""

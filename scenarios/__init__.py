"""The content of the benchmark: menus, recipes, kitchens and scenarios."""

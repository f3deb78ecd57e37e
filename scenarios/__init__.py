"""The input of the restaurant: menus, recipes, kitchens and scenarios."""

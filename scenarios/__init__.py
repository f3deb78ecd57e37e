"""The scenarios of the restaurant, with their menus, recipes and kitchens."""

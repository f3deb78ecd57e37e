"""What is played in the restaurant: menus, recipes, kitchens and scenarios."""

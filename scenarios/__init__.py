"""What is played: menus, recipes, kitchens and scenarios."""

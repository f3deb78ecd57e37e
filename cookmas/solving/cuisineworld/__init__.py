"""How CookMAS plays and proves cuisineworld."""

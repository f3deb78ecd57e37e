"""How CookMAS plays and proves robotouille."""

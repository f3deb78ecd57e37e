"""How CookMAS plays and proves collab_capture."""

"""What a plain world says to a model."""

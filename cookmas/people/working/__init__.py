"""People who play workers: their seats, their questions, and what they see."""

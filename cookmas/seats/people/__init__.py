"""People who play workers: where they sit, what they are asked, and what they see."""

"""The restaurant's prompts: text files that a person can edit, and the code that fills them."""

"""The dishes with their recipes, and the files of the tasks."""

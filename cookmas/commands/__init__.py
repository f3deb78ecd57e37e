"""The commands of `cookmas`, one module each; what is heavy is imported when a command runs."""

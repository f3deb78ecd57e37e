"""The restaurant's kitchen: its foods, actions and rules, and their simulator, without I/O."""

if __name__ != "cookmas.kitchen":
    raise ImportError("import cookmas.kitchen instead of kitchen", name="kitchen")

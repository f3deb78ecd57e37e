"""The scenarios of the restaurant, with their menus, recipes and kitchens."""

if __name__ != "cookmas.scenarios":
    raise ImportError("import cookmas.scenarios instead of scenarios", name="scenarios")

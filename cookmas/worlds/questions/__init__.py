"""Questions about states of other worlds: one answer, whose key a world has computed."""

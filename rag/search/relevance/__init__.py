"""How likely a passage helps to answer, the same for every question."""

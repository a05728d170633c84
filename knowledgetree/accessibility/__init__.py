"""How accessible the pages are: what the tests see of them, and the declaration that an office makes of it."""

"""How words stand in the index; writers and readers of it share this."""

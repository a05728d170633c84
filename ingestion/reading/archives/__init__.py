"""ZIP archives: which files are in one, under which names, and their contents within bounds."""

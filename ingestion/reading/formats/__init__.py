"""A folder for every family of file formats."""

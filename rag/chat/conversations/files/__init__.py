"""A conversation as a file for an office: Word and PDF."""

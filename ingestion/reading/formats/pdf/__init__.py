"""PDF files: their layout, and their pages as pictures."""

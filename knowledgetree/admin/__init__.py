"""The administration's frame: sidebar, first page and theme, which know the pages of every app."""

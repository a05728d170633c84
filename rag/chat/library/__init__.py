"""Pages to browse: collections, their documents, search in them."""

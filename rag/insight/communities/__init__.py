"""Groups of documents of a collection that are about the same, with a summary in which every sentence is cited."""

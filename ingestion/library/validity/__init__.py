"""Validities that texts state: proposed when a document was read, shown to editors."""

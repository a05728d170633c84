"""Validities that texts state, to be accepted or rejected, alone or many at once."""

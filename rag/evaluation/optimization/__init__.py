"""Searching for the parts of a preset that an installation's own questions are served best with."""

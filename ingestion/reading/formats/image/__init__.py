"""Pictures, read by optical character recognition."""

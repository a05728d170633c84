"""Documents brought into step with their source."""

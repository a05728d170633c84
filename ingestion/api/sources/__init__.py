"""Sources over HTTP: set up, synchronised, decided about."""

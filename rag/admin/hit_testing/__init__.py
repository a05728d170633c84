"""One question searched in several configurations, side by side."""

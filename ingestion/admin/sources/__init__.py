"""Sources and the reports of their synchronisations."""

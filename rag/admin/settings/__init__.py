"""The settings and prompts of the installation, to be seen."""

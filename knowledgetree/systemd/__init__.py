"""The program as services of systemd: their units, made of the settings in force, and how they are put in place."""

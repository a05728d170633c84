"""Collections and how they are split."""

"""What an answer that no language model wrote is worth: shown as one, shown as the nearest, or not found."""

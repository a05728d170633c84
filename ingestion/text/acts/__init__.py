"""Acts as texts name them, quote them, and say when they are in force."""

"""Evaluation over HTTP: sets with their questions, measurements, what they came to and whether it got better."""

"""Labelled questions: read, kept, drawn, spoilt on purpose."""

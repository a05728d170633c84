"""Passages become an answer whose every claim cites its passage."""

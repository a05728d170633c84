"""Dify's external knowledge: its applications search here and answer themselves."""

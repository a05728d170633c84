"""Accounts, permissions, and who reads what."""

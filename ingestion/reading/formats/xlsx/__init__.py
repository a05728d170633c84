"""Workbooks, with numbers as people see them."""

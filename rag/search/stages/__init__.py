"""The steps of one search, each given what the last one found."""

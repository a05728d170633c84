"""What the page, the API and the commands call: search and ask."""

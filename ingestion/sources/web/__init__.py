"""Sites, page by page."""

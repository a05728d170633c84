"""Search and questions over HTTP."""

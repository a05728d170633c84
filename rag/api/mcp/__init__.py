"""The knowledge base for other people's language models: the Model Context Protocol, over HTTP and over stdio."""

PATH = "/mcp"
"""Where the server is, below the prefix under which the site is there."""

"""How an index changes while it serves: other vectors, other chunks."""

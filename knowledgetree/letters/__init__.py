"""Letters to editors: what happened that they look after, once a day or at once, each only what they may read."""

"""From the bytes of a file to its text: `registry.extract` is the way in, a format is a file beside it."""

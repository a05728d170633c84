"""What a store of originals can fail with, known without its libraries."""


class StoreFailed(OSError):
    """The store does not answer, or refuses: `code` in its own words, with nothing of addresses or keys."""

    def __init__(self, code: str) -> None:
        super().__init__(f"S3: {code}")
        self.code = code

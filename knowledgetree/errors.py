"""The root of every error that KnowledgeTree raises on purpose."""

from typing import Any

from django.utils.functional import Promise

Text = str | Promise


class KnowledgeTreeError(Exception):
    """An error that a person can do something about.

    `code` is stable and machine-readable, `retryable` says whether the same call can succeed later,
    `remedy` is a sentence for the person, `detail` a line of what a library said, for whoever looks closer, `members`
    what a program needs to go on, as JSON. HTTP mapping lives in `knowledgetree.problems` alone.
    """

    code: str = "error"
    status: int = 500
    retryable: bool = False
    remedy: Text = ""

    def __init__(self, message: Text = "", *, remedy: Text = "", detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail
        self.members: dict[str, Any] = {}
        if remedy:
            self.remedy = remedy

    @property
    def message(self) -> str:
        return str(self.args[0]) if self.args else self.code

    def __str__(self) -> str:
        """What to read first; `detail` stands on a line of its own."""
        return f"{self.message} {self.remedy}".strip() + (f"\n{self.detail}" if self.detail else "")

"""Rows that all tests of a module want alike: written once, in a transaction around those of the tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

Made = TypeVar("Made")


class Kept:
    """What a fixture of a module's scope makes its rows with; `folder` has their originals.

    The test that asks for them first finds them, and so do all that follow it in the module: those that do not ask
    come before. What a test changes is undone after it, in the database; of objects give each test a copy.
    """

    def __init__(self, folder: Path, blocker: DjangoDbBlocker) -> None:
        self.folder, self._blocker = folder, blocker

    def make(self, make: Callable[[], Made]) -> Made:
        with self.writing():
            return make()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._blocker.unblock(), override_settings(MEDIA_ROOT=self.folder):
            yield

    @contextmanager
    def around(self) -> Iterator["Kept"]:
        """The transaction, rolled back in the end."""
        outer = transaction.atomic()
        outer._from_testcase = True  # type: ignore[attr-defined]  # so that what must be outermost may be inside
        with self._blocker.unblock():
            outer.__enter__()
        try:
            yield self
        finally:
            with self._blocker.unblock():
                transaction.set_rollback(True)
                outer.__exit__(None, None, None)


def in_order_of_keeping(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests of each module that use what is kept after those that do not, which must not see it."""
    modules: dict[Path, int] = {}
    for item in items:
        modules.setdefault(item.path, len(modules))
    return sorted(items, key=lambda item: (modules[item.path], "kept_rows" in getattr(item, "fixturenames", ())))

"""Another ASGI application at one path, beside Django."""

import asyncio
from typing import Any

from django.core.handlers.asgi import get_script_prefix
from django.utils.module_loading import import_string


class MountedApplication:
    """Requests to `path` go to the application that `dotted_path` names, all others to `django`.

    It is imported when the first request comes, in a thread: who never asks for it pays neither time nor memory.
    Sessions, languages and other middlewares are Django's alone, and so is whatever is no HTTP.
    """

    def __init__(self, django: Any, *, path: str, dotted_path: str) -> None:
        self._django = django
        self._path = path
        self._dotted_path = dotted_path
        self._mounted: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not self._is_asked_for(scope):
            await self._django(scope, receive, send)
            return
        if self._mounted is None:
            self._mounted = await asyncio.to_thread(import_string, self._dotted_path)
        await self._mounted(scope, receive, send)

    def _is_asked_for(self, scope: Any) -> bool:
        """Behind a proxy the path may begin with the prefix under which the site is there."""
        if scope["type"] != "http":
            return False
        return bool(scope["path"].removeprefix(get_script_prefix(scope)).rstrip("/") == self._path)

"""Words of the admin's theme that Polish grammar does not allow."""

from typing import Any

from django import template

register = template.Library()


class Nameless:
    """A model's options without its name: the theme writes it behind a verb, where Polish wants another case."""

    verbose_name = ""

    def __init__(self, options: Any) -> None:
        self._options = options

    def __getattr__(self, name: str) -> Any:
        return getattr(self._options, name)


@register.filter
def nameless(options: Any) -> Nameless:
    return Nameless(options)

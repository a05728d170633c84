from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model, QuerySet
from rest_framework import serializers

M = TypeVar("M", bound=Model)


class VisibleRowField(serializers.SlugRelatedField[M]):
    """A row by its `slug_field`; one that is not among the `rows` of whoever asks does not exist."""

    def __init__(
        self, rows: Callable[[AbstractBaseUser | AnonymousUser], QuerySet[M]], *, model: type[M], **options: Any
    ) -> None:
        self._rows = rows
        super().__init__(queryset=model._default_manager.none(), **options)

    def get_queryset(self) -> QuerySet[M]:
        return self._rows(self.context["request"].user)

    def to_internal_value(self, data: Any) -> M:
        if "\x00" in str(data):  # what PostgreSQL takes for no text at all
            self.fail("does_not_exist", slug_name=self.slug_field, value=str(data).replace("\x00", ""))
        return super().to_internal_value(data)

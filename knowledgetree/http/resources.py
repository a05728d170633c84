"""One row under its address: shown with an ETag, and changed only as long as it is what `If-Match` says (RFC 9110).

So of two people who read a row and change it, the second learns of the first instead of undoing what they did.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from knowledgetree.http.query_filters import refuse_unknown

M = TypeVar("M", bound=Model)

IF_MATCH = OpenApiParameter(
    "If-Match",
    location=OpenApiParameter.HEADER,
    description="The ETag of what was read. Where somebody changed it since, nothing happens: 412.",
)


class Outdated(APIException):
    """Somebody else was faster."""

    status_code = 412
    default_code = "outdated"
    default_detail = gettext_lazy("Somebody changed it since you read it. Read it again, then change it.")


class ResourceView(GenericAPIView[M]):
    """What GET, PATCH and DELETE of one row have in common; a view says what each of them is called in the schema."""

    def representation(self, row: M) -> Mapping[str, Any]:
        """The row as its viewer reads it; its ETag is made of that."""
        shown: Mapping[str, Any] = self.get_serializer(row).data
        return shown

    def changes_of(self, row: M) -> serializers.BaseSerializer[Any]:
        """What the request changes of the row."""
        return self.get_serializer(row, data=self.request.data, partial=True)

    def show(self) -> Response:
        return _tagged(self.representation(self.get_object()))

    @transaction.atomic
    def change(self) -> Response:
        """Raises Outdated, and ValidationError for a field that there is not: it would change nothing unnoticed."""
        given = self.changes_of(self._locked())
        refuse_unknown_fields(self.request.data, given)
        given.is_valid(raise_exception=True)
        given.save()
        return _tagged(self.representation(self.get_object()))

    @transaction.atomic
    def remove(self, delete: Callable[[M], object]) -> Response:
        """Raises Outdated."""
        delete(self._locked())
        return Response(status=204)

    def _locked(self) -> M:
        """The row as it is once nobody else is changing it."""
        seen = self.get_object()
        type(seen)._default_manager.select_for_update().filter(pk=seen.pk).first()
        row = self.get_object()
        _check_unchanged(self.request, self.representation(row))
        return row


def refuse_unknown_fields(given: Any, serializer: serializers.BaseSerializer[Any]) -> None:
    """Raises ValidationError that names the known ones. A field that is only read may be sent back."""
    if isinstance(given, Mapping) and isinstance(serializer, serializers.Serializer):
        said = _("There is no such field. Known: %(known)s.")
        refuse_unknown(given, known=serializer.fields, said=said, code="unknown_field")


def _check_unchanged(request: Request, representation: Mapping[str, Any]) -> None:
    wanted = request.headers.get("If-Match", "").strip()
    if wanted and wanted != "*" and _tag(representation) not in wanted.replace("W/", "").replace(" ", "").split(","):
        raise Outdated


def _tag(representation: Mapping[str, Any]) -> str:
    written = json.dumps(representation, cls=JSONEncoder, sort_keys=True)
    return f'"{hashlib.sha256(written.encode()).hexdigest()[:32]}"'


def _tagged(representation: Mapping[str, Any]) -> Response:
    return Response(representation, headers={"ETag": _tag(representation)})

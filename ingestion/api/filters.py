"""The narrowing of lists by query parameters. An unknown parameter is an error, never silently ignored."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from ingestion.library.privacy import masked_collections
from ingestion.models import Document, Job
from ingestion.models.viewers import Viewer
from ingestion.text.personal_data.masking import masked

PAGING = ("page", "page_size")


DOCUMENT_CONDITIONS: dict[str, Callable[[Any], Q]] = {
    "collection": lambda slug: Q(collection__slug=slug),
    "status": lambda status: Q(status=status),
    "tag": lambda tag: Q(tags__contains=[tag]),
    "category": lambda category: Q(category=category),
    "warnings": lambda warned: ~Q(warnings=[]) if warned else Q(warnings=[]),
    "search": lambda text: Q(title__icontains=text) | Q(uri__icontains=text),
}
_SHOWN_COVERED = ("tag", "category", "search")


class DocumentFiltersSerializer(serializers.Serializer[Any]):
    collection = serializers.SlugField(required=False, help_text="Identifier of a collection.")
    status = serializers.ChoiceField(Document.Status.choices, required=False)
    tag = serializers.CharField(required=False)
    category = serializers.CharField(required=False)
    warnings = serializers.BooleanField(required=False, help_text="Whether something of the file was not read.")
    search = serializers.CharField(required=False, help_text="Part of the title or of the URI.")


class JobFiltersSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(Job.Status.choices, required=False)
    document = serializers.IntegerField(required=False, help_text="Number of a document.")


def read_filters(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The valid parameters of the request; raises ValidationError that names the known ones."""
    refuse_unknown(request.query_params, known=[*kind().fields, *PAGING])
    given = kind(data=request.query_params)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def refuse_unknown(given: Iterable[str], *, known: list[str]) -> None:
    if unknown := sorted(set(given) - set(known)):
        message = _("Unknown filter. Known: %(known)s.") % {"known": ", ".join(known)}
        raise serializers.ValidationError({name: [message] for name in unknown}, code="unknown_filter")


def filter_documents(documents: QuerySet[Document], filters: dict[str, Any], viewer: Viewer) -> QuerySet[Document]:
    """`documents` narrowed to valid `filters`; every condition must hold of what `viewer` may see."""
    for name, value in filters.items():
        documents = documents.filter(DOCUMENT_CONDITIONS[name](value))
    texts = {name: filters[name] for name in _SHOWN_COVERED if name in filters}
    if texts and (covered := list(masked_collections(viewer).values_list("pk", flat=True))):
        shown = [document.pk for document in documents.filter(collection__in=covered) if _shows(document, texts)]
        documents = documents.filter(~Q(collection__in=covered) | Q(pk__in=shown))
    return documents


def _shows(document: Document, texts: dict[str, str]) -> bool:
    """Whether `document` meets these filters also with its personal data covered."""
    sought = texts.get("search", "").casefold()
    return (
        texts.get("tag", "") in ["", *map(masked, document.tags)]
        and texts.get("category", "") in ["", masked(document.category)]
        and any(sought in masked(text).casefold() for text in (document.title, document.uri))
    )

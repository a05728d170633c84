"""What was found in a document: others like it, and personal data.

For its page, not for lists: each is a query. What they show depends on `document.viewer`, the editor.
"""

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.admin.documents.readers import document_in_words
from ingestion.models import Document, PersonalData
from ingestion.models.viewers import Viewer
from ingestion.selectors import in_visible_collections


@admin.display(description=_("near-duplicates"))
def similar_documents(document: Document) -> SafeString:
    """Documents of the collections that the editor may see."""
    pairs = in_visible_collections(
        document.similar.all(), _viewer(document), path="other__collection", document="other"
    )
    shown = {
        "pairs": pairs.select_related("other__collection").order_by("-similarity", "other"),
        "document": document,
    }
    return render_to_string("admin/ingestion/document/similar.html", shown)


@admin.display(description=_("who sees it"))
def who_sees(document: Document) -> SafeString:
    shown = {"document": document, "sentence": document_in_words(document, viewer=_viewer(document))}
    return render_to_string("admin/ingestion/document/who_sees.html", shown)


@admin.display(description=_("personal data"))
def personal_data_found(document: Document) -> SafeString:
    counted = document.personal_data.values_list("kind").annotate(n=Count("pk")).order_by("-n")
    kinds = dict(PersonalData.Kind.choices)
    shown = {"counts": [(kinds[kind], n) for kind, n in counted], "masked": document.collection.mask_personal_data}
    return render_to_string("admin/ingestion/document/personal_data.html", shown)


def _viewer(document: Document) -> Viewer:
    return getattr(document, "viewer", None) or AnonymousUser()

"""Many files at once: the form, and what became of each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminDateWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from ingestion.errors import DocumentTooLarge
from ingestion.models import Collection, Document
from ingestion.models.sources import Viewer
from ingestion.selectors import visible_collections
from ingestion.services.documents import add_document
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError


class ManyFilesInput(forms.FileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Cleans to the list of all chosen files; an empty one is the service's to refuse, that one alone."""

    widget = ManyFilesInput

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_empty_file=True, **options)

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        files = data or [None]
        return [super(ManyFilesField, self).clean(file, initial) for file in files]


class UploadForm(forms.Form):
    """What all files of an upload have in common."""

    OPTIONAL = ("category", "tags", "valid_from", "valid_to")

    collection = forms.ModelChoiceField(
        Collection.objects.none(), label=gettext_lazy("collection"), widget=UnfoldAdminSelectWidget
    )
    originals = ManyFilesField(label=gettext_lazy("files"))
    category = forms.CharField(
        label=gettext_lazy("category"), max_length=100, required=False, widget=UnfoldAdminTextInputWidget
    )
    tags = SimpleArrayField(
        forms.CharField(max_length=60), label=gettext_lazy("tags"), required=False,
        help_text=gettext_lazy("Separated by commas."), widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    valid_from = forms.DateField(label=gettext_lazy("valid from"), required=False, widget=UnfoldAdminDateWidget)
    valid_to = forms.DateField(label=gettext_lazy("valid to"), required=False, widget=UnfoldAdminDateWidget)

    def __init__(self, *args: Any, editor: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.label = capfirst(field.label)
        permitted = visible_collections(editor)
        self.fields["collection"].queryset = permitted  # type: ignore[attr-defined]
        if permitted.count() == 1:
            self.initial.setdefault("collection", permitted.get())
        elif wanted := permitted.filter(slug=self.initial.pop("slug", "")).first():
            self.initial.setdefault("collection", wanted)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        start, end = cleaned.get("valid_from"), cleaned.get("valid_to")
        if start and end and end < start:
            self.add_error("valid_to", _("“Valid to” must not be before “valid from”."))
        return cleaned


Outcome = Literal["new", "replaced", "unchanged", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One file: its document, and whether that is new; or why it was refused and what to do."""

    name: str
    document: Document | None = None
    outcome: Outcome = "refused"
    error: str = ""


def take_files(files: Iterable[UploadedFile[bytes]], **common: Any) -> Iterator[Taken]:
    """Add each file; one that is refused does not stop the others."""
    for file in files:
        name = file.name or ""
        try:
            before = Document.objects.filter(collection=common["collection"], uri=name).values_list("checksum").first()
            document = add_document(name=name, content=_content(file), **common)
        except KnowledgeTreeError as error:
            yield Taken(name=name, error=str(error))
        else:
            yield Taken(name=name, document=document, outcome=_outcome(before, document))


def _outcome(before: tuple[str] | None, document: Document) -> Outcome:
    if before is None:
        return "new"
    return "unchanged" if before[0] == document.checksum else "replaced"


def _content(file: UploadedFile[bytes]) -> bytes:
    """Refuses by size before anything is read into memory."""
    limit = rag_settings().ingestion.max_bytes
    if file.size is not None and file.size > limit:
        raise DocumentTooLarge(
            _("%(name)s has %(size).1f MB; the limit is %(limit).1f MB.")
            % {"name": file.name, "size": file.size / 1e6, "limit": limit / 1e6}
        )
    content: bytes = file.read()
    return content

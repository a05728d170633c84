"""Many files at once: the form, and what became of each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

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
from ingestion.models.descriptions import DescribedFields
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from ingestion.services.files.archives import is_archive, take_archive
from ingestion.services.files.arrivals import Arrival, file_name_of
from ingestion.services.files.uploads import UNSAID, NameTaken, Purpose, alike, take_upload
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


ASK, VERSION, ANOTHER, LEFT_OUT = "", "version", "another", "left_out"
"""What a file is, said in the form; a version as "version:12" too, of the document 12."""


class UploadForm(forms.Form):
    """What all files of an upload have in common."""

    OPTIONAL = ("category", "tags", "valid_from", "valid_to")
    WHEN_TAKEN = (
        (ASK, gettext_lazy("ask about each")),
        (VERSION, gettext_lazy("is a new version of that document")),
        (ANOTHER, gettext_lazy("is another document")),
    )

    collection = forms.ModelChoiceField(
        Collection.objects.none(),
        label=gettext_lazy("collection"),
        empty_label=gettext_lazy("choose a collection"),
        widget=UnfoldAdminSelectWidget,
    )
    originals = ManyFilesField(label=gettext_lazy("files"))
    when_taken = forms.ChoiceField(
        label=gettext_lazy("a file whose name a document has"), choices=WHEN_TAKEN,
        required=False, widget=UnfoldAdminSelectWidget,
    )  # fmt: skip
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

    def wishes(self) -> DescribedFields:
        """What the editor filled in; it is an editor's word for each of the documents."""
        filled = {name: value for name in self.OPTIONAL if (value := self.cleaned_data[name])}
        return cast("DescribedFields", filled)


_MAGIC_BYTES = 4  # that tell what a file is

Outcome = Literal["new", "version", "unchanged", "undecided", "left_out", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One file: its document, and as what it came in; or the `candidates` it may be a new version of, for its sender to
    decide; or why it was refused and what to do.
    """

    name: str
    document: Document | None = None
    outcome: Outcome = "refused"
    error: str = ""
    candidates: Sequence[Document] = ()


def take_files(
    files: Sequence[UploadedFile[bytes]],
    purposes: Sequence[str],
    *,
    when_taken: str,
    collection: Collection,
    author: Viewer,
    wishes: DescribedFields,
) -> Iterator[Taken]:
    """Take each file in; one that is refused does not stop the others. `purposes` has for each file one of
    `purpose_options`; where there are none, `when_taken` says what a file is whose name a document has.
    """
    said = purposes if len(purposes) == len(files) else [""] * len(files)
    for file, chosen in zip(files, said, strict=True):
        name = file.name or ""
        if chosen == LEFT_OUT:
            yield Taken(name=name, outcome="left_out")
            continue
        start = file.read(_MAGIC_BYTES)
        file.seek(0)
        if is_archive(name, start):
            yield from _of_archive(file, collection=collection, author=author, wishes=wishes)
            continue
        try:
            purpose = _purpose(chosen or when_taken, collection, name, author)
            arrival = take_upload(
                collection=collection,
                name=name,
                content=of_allowed_size(file),
                author=author,
                purpose=purpose,
                wishes=wishes,
            )
        except NameTaken as taken:
            yield Taken(name=name, outcome="undecided", candidates=taken.candidates)
        except KnowledgeTreeError as error:
            yield Taken(name=name, error=str(error))
        else:
            yield _taken(name, arrival)


def _of_archive(
    file: UploadedFile[bytes], *, collection: Collection, author: Viewer, wishes: DescribedFields
) -> Iterator[Taken]:
    """One for each file in it; what cannot be opened is refused as a whole."""
    name = file.name or ""
    try:
        content = of_allowed_size(file).read()
        for one in take_archive(collection=collection, name=name, content=content, author=author, wishes=wishes):
            yield _taken(one.name, one.arrival) if one.arrival else Taken(name=one.name, error=one.error)
    except KnowledgeTreeError as error:
        yield Taken(name=name, error=str(error))


def _taken(name: str, arrival: Arrival) -> Taken:
    outcome = arrival.outcome
    return Taken(
        name=name,
        document=arrival.document,
        outcome=outcome if outcome == "new" or outcome == "version" else "unchanged",
    )


def _purpose(chosen: str, collection: Collection, name: str, author: Viewer) -> Purpose:
    """A new version of the only document of that name, where nothing more is said than that it is one."""
    kind, _colon, number = chosen.partition(":")
    if kind == VERSION and not number:
        candidates = alike(collection, file_name_of(name), "", author=author).candidates
        number = str(candidates[0].pk) if len(candidates) == 1 else ""
    if kind == VERSION and number.isascii() and number.isdigit():
        return Purpose(version_of=int(number))
    return Purpose(another=True) if kind == ANOTHER else UNSAID


def of_allowed_size(file: UploadedFile[bytes]) -> UploadedFile[bytes]:
    """Refuses by size before anything is read."""
    limit = rag_settings().ingestion.max_bytes
    if file.size is not None and file.size > limit:
        raise DocumentTooLarge(
            _("%(name)s has %(size).1f MB; the limit is %(limit).1f MB.")
            % {"name": file.name, "size": file.size / 1e6, "limit": limit / 1e6}
        )
    return file

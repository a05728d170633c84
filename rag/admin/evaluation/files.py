"""Evaluation sets from files and back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.http import content_disposition_header
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from ingestion.models import Collection
from ingestion.selectors import visible_collections
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.datasets.dataset_storage import export_dataset, store_dataset
from rag.evaluation.datasets.questions import InvalidQuestionSet, read_questions
from rag.models import EvaluationDataset
from rag.selectors import hidden_judgements, may_mark, visible_datasets

ENDINGS = {"json": "application/json", "jsonl": "application/jsonl"}


class ImportForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("file"),
        help_text=gettext_lazy("JSON, or JSONL with one question a line, as the export writes it; UTF-8."),
    )
    name = forms.CharField(
        label=gettext_lazy("name of the set"),
        max_length=100,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Empty: that of the file."),
    )
    collection = forms.ModelChoiceField(
        Collection.objects.none(),
        label=gettext_lazy("collection"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        empty_label=gettext_lazy("none: what everyone may read"),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("replace the questions of the set that has this name already"),
        required=False,
        widget=UnfoldBooleanWidget,
    )

    def __init__(self, *args: Any, request: HttpRequest) -> None:
        super().__init__(*args)
        self._request = request
        self.fields["collection"].queryset = visible_collections(request.user)  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.label = capfirst(field.label)

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if Path(file.name or "").suffix.lower().removeprefix(".") not in ENDINGS:
            raise forms.ValidationError(_("The name must end in .json or .jsonl."))
        if (file.size or 0) > rag_settings().ingestion.max_bytes:
            raise forms.ValidationError(_("The file is too large."))
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if file := cleaned.get("file"):
            name = cleaned["name"] = cleaned.get("name") or Path(file.name or "").stem[:100]
            self._check_name(name, replace=bool(cleaned.get("replace")))
        return cleaned

    def _check_name(self, name: str, *, replace: bool) -> None:
        if not EvaluationDataset.objects.filter(name=name).exists():
            return
        own = may_mark(self._request.user) and visible_datasets(self._request.user).filter(name=name).exists()
        if not (own and replace):
            self.add_error("name", _("A set of this name exists already."))


@require_http_methods(["GET", "HEAD", "POST"])
def import_view(request: HttpRequest) -> HttpResponse:
    """A new set from a file, or one whose questions are replaced."""
    if not request.user.has_perm("rag.add_evaluationdataset"):
        raise PermissionDenied
    form = ImportForm(request.POST or None, request.FILES or None, request=request)
    if form.is_valid() and (dataset := _store_set(form)):
        count = dataset.questions.count()
        said = ngettext("The set “%(name)s” has %(n)d question.", "The set “%(name)s” has %(n)d questions.", count)
        messages.success(request, said % {"name": dataset, "n": count})
        return redirect("admin:rag_evaluationdataset_changelist")
    context = {**admin.site.each_context(request), "title": _("Import an evaluation set"), "form": form}
    return TemplateResponse(request, "admin/rag/evaluationdataset/import.html", context)


@require_safe
def export_view(request: HttpRequest, pk: int, ending: str) -> HttpResponse:
    """The set as a file. One with documents that the user may not read is not given out."""
    dataset = get_object_or_404(visible_datasets(request.user), pk=pk)
    if ending not in ENDINGS:
        raise Http404
    if hidden_judgements(request.user).filter(question__dataset=dataset).exists():
        messages.error(request, _("The set names documents that you may not read: ask the administrator for the file."))
        return redirect("admin:rag_evaluationdataset_change", pk)
    name = f"{slugify(dataset.name, allow_unicode=True) or pk}.{ending}"
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"set.{ending}"
        export_dataset(dataset, path)
        content = path.read_bytes()
    response = HttpResponse(content, content_type=f"{ENDINGS[ending]}; charset=utf-8")
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def _store_set(form: ImportForm) -> EvaluationDataset | None:
    """None where the file is not a question set; the form then says why."""
    given = form.cleaned_data
    file: UploadedFile[bytes] = given["file"]
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"set{Path(file.name or '').suffix.lower()}"
            path.write_bytes(file.read())
            try:
                questions = list(read_questions(path))
            except InvalidQuestionSet as error:
                raise InvalidQuestionSet(error.message.replace(str(path), file.name or "")) from error
        if not questions:
            raise InvalidQuestionSet(_("The file has no questions."))
        return store_dataset(name=given["name"], questions=questions, collection=given["collection"])
    except KnowledgeTreeError as error:
        form.add_error("file", str(error))
    except (DatabaseError, RecursionError, ValueError):
        form.add_error("file", _("The file has values that cannot be stored, such as a grade below 1."))
    return None

"""The question box and what its search is narrowed to."""

from django import forms
from django.utils.translation import gettext_lazy as _

from ingestion.models import Collection
from ingestion.models.sources import Viewer
from ingestion.selectors import visible_collections
from rag.models import Conversation
from rag.selectors import conversations_of
from rag.types import Filters


class QuestionForm(forms.Form):
    """The pipeline judges the question; here the choices must be the viewer's own."""

    question = forms.CharField(required=False, strip=True, widget=forms.Textarea)
    conversation = forms.ModelChoiceField(Conversation.objects.none(), required=False)
    collections = forms.ModelMultipleChoiceField(
        Collection.objects.none(),
        required=False,
        to_field_name="slug",
        label=_("Search in"),
        widget=forms.CheckboxSelectMultiple,
    )
    include_expired = forms.BooleanField(required=False, label=_("Also documents no longer in force"))

    def __init__(self, *args: object, viewer: Viewer, session_key: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for name, choices in (
            ("collections", visible_collections(viewer)),
            ("conversation", conversations_of(viewer, session_key)),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  for the type checker
            field.queryset = choices

    @property
    def filters(self) -> Filters:
        return Filters(
            collections=tuple(collection.slug for collection in self.cleaned_data.get("collections") or ()),
            include_expired=bool(self.cleaned_data.get("include_expired")),
        )

"""Who sees a document, in words and by name, and the form by which an editor says who alone may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminTextInputWidget,
)

from ingestion.admin.access.readers import (
    SHOWN_MATCHES,
    SHOWN_READERS,
    Verdict,
    in_words,
    matching,
    may_see_people,
    reason_of,
)
from ingestion.library.document_readers import NamedReaders, named_readers, readers_of_document
from ingestion.models import Document
from ingestion.models.descriptions import READERS
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections, visible_documents
from ingestion.selectors.clearance import includes
from ingestion.services.rights import KEEP_YOURSELF, set_document_rights, take_back_rights
from ingestion.types import Readers

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Document]
else:
    Base = object


def document_in_words(document: Document, *, viewer: Viewer) -> str:
    """A sentence for editors: who alone reads the document and who says so, else who reads its collection."""
    named = named_readers([document]).get(document.pk)
    if named is None:
        return in_words(document.collection, viewer=viewer)
    by = _("An editor says so.") if named.origin == "editor" else _("Its source says so.")
    return f"{_listed(named)} {by}"


def _listed(named: NamedReaders) -> str:
    if not (named.groups or named.users):
        return _("Of those who see the collection only administrators see it.")
    parts = [_("members of: %(groups)s") % {"groups": ", ".join(named.groups)}] if named.groups else []
    parts += [", ".join(named.users)] if named.users else []
    return _("Of those who see the collection only these see it: %(readers)s; and administrators.") % {
        "readers": "; ".join(parts)
    }


def document_verdict(user: User, document: Document) -> Verdict:
    """By the query that decides when `user` reads."""
    sees = user.is_active and visible_documents(user).filter(pk=document.pk).exists()
    of_collection = user.is_active and visible_collections(user).filter(pk=document.collection_id).exists()
    if document.readership is None or user.is_superuser or not of_collection:
        return Verdict(user=user, sees=sees, reason=reason_of(user, document.collection))
    if document.readership.users.filter(pk=user.pk).exists():
        return Verdict(user=user, sees=sees, reason=_("named among the readers of the document"))
    own = document.readership.groups.filter(user=user).order_by("name")
    if names := [group.name for group in own]:
        words = _("member of: %(groups)s") % {"groups": get_text_list(names, _("and"))}
        return Verdict(user=user, sees=sees, reason=words)
    return Verdict(user=user, sees=sees, reason=_("sees the collection, but is not among the readers of the document"))


class ReadersForm(forms.Form):
    """Everybody who sees the collection, or these groups and accounts alone."""

    limited = forms.TypedChoiceField(
        label=gettext_lazy("Who may read it"),
        choices=[("", gettext_lazy("all who see the collection")), ("yes", gettext_lazy("only these of them"))],
        coerce=bool,
        required=False,
        widget=UnfoldAdminRadioSelectWidget,
    )
    groups = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Groups"),
        queryset=Group.objects.order_by("name"),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    users = forms.CharField(
        label=gettext_lazy("Accounts"),
        required=False,
        help_text=gettext_lazy("User names, separated by commas."),
        widget=UnfoldAdminTextInputWidget,
    )

    def __init__(self, *args: Any, viewer: Viewer, **options: Any) -> None:
        super().__init__(*args, **options)
        self._viewer = viewer

    def clean_users(self) -> list[User]:
        names = {name for part in self.cleaned_data["users"].split(",") if (name := part.strip())}
        found = list(User.objects.filter(username__in=names))
        if unknown := names - {user.username for user in found}:
            raise forms.ValidationError(_("There is no account %(names)s.") % {"names": ", ".join(sorted(unknown))})
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not includes(self.readers(), self._viewer):
            raise forms.ValidationError(KEEP_YOURSELF)
        return cleaned

    def readers(self) -> Readers | None:
        """What was chosen; None: all who see the collection."""
        if not self.cleaned_data.get("limited"):
            return None
        groups, users = self.cleaned_data["groups"], self.cleaned_data["users"]
        return Readers(groups=frozenset(one.pk for one in groups), users=frozenset(one.pk for one in users))


class DocumentReaders(Base):
    """The page "Who sees this?" of a document."""

    def get_urls(self) -> list[URLPattern]:
        views = {"readers": self.readers_view, "readers_back": require_POST(self.readers_back_view)}
        own = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"ingestion_document_{name}")
            for name, view in views.items()
        ]
        return [*own, *super().get_urls()]

    def readers_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        document = self._document(request, pk)  # type: ignore[attr-defined]
        form = ReadersForm(request.POST or None, initial=_initial(document), viewer=request.user)
        if request.method == "POST" and form.is_valid():
            set_document_rights(document=document, readers=form.readers(), origin="editor")
            self._say(request, document, _("It was set who sees the document."))
            return redirect("admin:ingestion_document_readers", pk)
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "title": _("Who sees “%(name)s”?") % {"name": document},
            "document": document,
            "sentence": document_in_words(document, viewer=request.user),
            "of_collection": in_words(document.collection, viewer=request.user) if document.restricted else "",
            "by_editor": READERS in document.edited,
            "form": form,
            **(_people(request, document) if may_see_people(request.user) else {}),
        }
        return TemplateResponse(request, "admin/ingestion/document/readers.html", context)

    def readers_back_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        document = self._document(request, pk)  # type: ignore[attr-defined]
        if take_back_rights(document=document):
            self._say(request, document, _("The document's source says again who sees it."))
        if visible_documents(request.user).filter(pk=pk).exists():
            return redirect("admin:ingestion_document_readers", pk)
        return redirect("admin:ingestion_document_changelist")

    def _say(self, request: HttpRequest, document: Document, said: str) -> None:
        self.log_change(request, document, said)
        self.message_user(request, said, messages.SUCCESS)


def _initial(document: Document) -> dict[str, Any]:
    own = document.readership
    if own is None:
        return {"limited": ""}
    users = ", ".join(own.users.order_by("username").values_list("username", flat=True))
    return {"limited": "yes", "groups": own.groups.all(), "users": users}


def _people(request: HttpRequest, document: Document) -> dict[str, Any]:
    wanted = request.GET.get("q", "").strip()
    people, most = (matching(wanted), SHOWN_MATCHES) if wanted else (readers_of_document(document), SHOWN_READERS)
    shown = [document_verdict(user, document) for user in people.order_by("username")[:most]]
    return {"people": shown, "wanted": wanted, "more": max(people.count() - most, 0), "may_see_people": True}

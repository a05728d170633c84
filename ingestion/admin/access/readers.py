"""Who sees a collection, in words and by name. What decides is what decides at reading: `ingestion.selectors`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group, User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from ingestion.selectors import readers_of, visible_collections

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Collection]
else:
    Base = object

SHOWN_READERS = 50
SHOWN_MATCHES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether `user` sees the collection, or the document, and by what right or for want of what."""

    user: User
    sees: bool
    reason: str


def may_see_people(viewer: Viewer) -> bool:
    return bool(viewer.has_perm("auth.view_user"))  # type: ignore[union-attr]


def in_words(collection: Collection, *, viewer: Viewer) -> str:
    """A sentence for editors; with the number of people for those who may see users."""
    if collection.visibility == Collection.Visibility.PUBLIC:
        return _("Everyone sees it, also without signing in.")
    names = chosen_groups(collection)
    if collection.visibility == Collection.Visibility.RESTRICTED and not names:
        return _("Only administrators see it: no group is chosen.")
    counted = readers_of(collection).filter(is_superuser=False).count() if may_see_people(viewer) else None
    if collection.visibility == Collection.Visibility.INTERNAL:
        if counted is None:
            return _("Everyone who signs in sees it.")
        text = ngettext(
            "Everyone who signs in sees it: %(n)d person, and administrators.",
            "Everyone who signs in sees it: %(n)d people, and administrators.",
            counted,
        )
        return text % {"n": counted}
    if counted is None:
        return _("Members of these groups see it: %(groups)s, and administrators.") % {"groups": names}
    text = ngettext(
        "%(n)d person from the groups: %(groups)s, and administrators see it.",
        "%(n)d people from the groups: %(groups)s, and administrators see it.",
        counted,
    )
    return text % {"n": counted, "groups": names}


def chosen_groups(collection: Collection) -> str:
    return ", ".join(group.name for group in collection.groups.all())


def is_forgotten(collection: Collection) -> bool:
    """Restricted to no group: nobody but administrators will ever see it."""
    return collection.visibility == Collection.Visibility.RESTRICTED and not collection.groups.exists()


def verdict(user: User, collection: Collection) -> Verdict:
    """By the query that decides when `user` reads."""
    sees = user.is_active and visible_collections(user).filter(pk=collection.pk).exists()
    return Verdict(user=user, sees=sees, reason=reason_of(user, collection))


def reason_of(user: User, collection: Collection) -> str:
    """Why `user` sees the collection or does not, in words."""
    shown = Collection.Visibility
    if not user.is_active:
        return _("the account is switched off")
    if user.is_superuser:
        return _("administrators see every collection")
    if collection.visibility == shown.PUBLIC:
        return _("the collection is public")
    if collection.visibility == shown.INTERNAL:
        return _("everyone who signs in sees it")
    own = Group.objects.filter(user=user, collections=collection).order_by("name")
    if names := [group.name for group in own]:
        return _("member of: %(groups)s") % {"groups": get_text_list(names, _("and"))}
    if names := chosen_groups(collection).split(", ") if collection.groups.exists() else []:
        return _("in none of the groups: %(groups)s") % {"groups": ", ".join(names)}
    return _("no group is chosen for the collection")


def matching(text: str) -> QuerySet[User]:
    fields = ("username", "first_name", "last_name", "email")
    return User.objects.filter(Q(*((f"{field}__icontains", text) for field in fields), _connector=Q.OR))


class CollectionReaders(Base):
    """The page "Who sees this?" of a collection."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.readers_view)
        return [path("<int:pk>/readers/", view, name="ingestion_collection_readers"), *super().get_urls()]

    def readers_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        collection = self.get_queryset(request).filter(pk=pk).first()
        if collection is None or not self.has_view_permission(request, collection):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "title": _("Who sees “%(name)s”?") % {"name": collection},
            "collection": collection,
            "sentence": in_words(collection, viewer=request.user),
            "forgotten": is_forgotten(collection),
            "may_change": self.has_change_permission(request, collection),
            **(self._people(request, collection) if may_see_people(request.user) else {}),
        }
        return TemplateResponse(request, "admin/ingestion/collection/readers.html", context)

    def _people(self, request: HttpRequest, collection: Collection) -> dict[str, Any]:
        wanted = request.GET.get("q", "").strip()
        people, most = (matching(wanted), SHOWN_MATCHES) if wanted else (readers_of(collection), SHOWN_READERS)
        shown = [verdict(user, collection) for user in people.order_by("username")[:most]]
        return {"people": shown, "wanted": wanted, "more": max(people.count() - most, 0), "may_see_people": True}

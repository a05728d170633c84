"""Ready-made roles of a group: permissions in words, instead of a hundred lines to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.admin.access.granting import own_permissions

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Group]
else:
    Base = object

_ALL = ("add", "change", "delete", "view")
_KNOWLEDGE = {
    "synonym": _ALL,
    "synonymgroup": _ALL,
    "lexiconpack": ("change", "view"),
    "glossaryentry": _ALL,
    "document": _ALL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """`models`: what may be done with which. The rest of the apps that roles govern is taken away."""

    name: Promise
    text: Promise
    models: Mapping[str, tuple[str, ...]]
    users: bool = False

    def permissions(self) -> set[int]:
        wanted = Q(pk__in=[])
        for model, verbs in self.models.items():
            names = [f"{verb}_{model}" for verb in verbs]
            wanted |= Q(content_type__app_label="ingestion", content_type__model=model, codename__in=names)
        if self.users:
            wanted |= Q(content_type__app_label="auth", content_type__model__in=["user", "group"])
        return set(Permission.objects.filter(wanted).values_list("pk", flat=True))


ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "reader": Role(
            name=gettext_lazy("Reader"),
            text=gettext_lazy("asks questions and reads what the groups may see; no administration"),
            models={},
        ),
        "editor": Role(
            name=gettext_lazy("Editor"),
            text=gettext_lazy("adds, changes and deletes documents, looks after synonyms and the glossary"),
            models={
                **_KNOWLEDGE,
                "chunk": ("change", "view"),
                "collection": ("view",),
                "source": ("view",),
                "job": ("change", "view"),
            },
        ),
        "administrator": Role(
            name=gettext_lazy("Administrator"),
            text=gettext_lazy("also sets up collections and sources, decides who sees them, keeps users and groups"),
            models={
                **_KNOWLEDGE,
                "chunk": ("change", "view"),
                "collection": _ALL,
                "source": _ALL,
                "sourceaddress": ("change", "view"),
                "syncreport": ("view",),
                "job": ("change", "view"),
                "embeddingspace": ("view",),
                "rechunking": ("view",),
                "apikey": ("add", "view"),
            },
            users=True,
        ),
    }
)
_GOVERNED = Q(content_type__app_label="ingestion") | Q(
    content_type__app_label="auth", content_type__model__in=["user", "group"]
)
# Who sees personal data is a decision of its own, and so is everything of other apps: no role gives or takes it.
_APART = Q(codename="see_personal_data")


@transaction.atomic
def give_role(*, group: Group, role: Role) -> None:
    """Make the permissions of `group` those of `role`; what roles do not govern stays as it is."""
    group.permissions.remove(*group.permissions.filter(_GOVERNED).exclude(_APART))
    group.permissions.add(*role.permissions())


def role_of(group: Group) -> str:
    """The key of the role that `group` has exactly; "" for a choice of its own."""
    held = set(group.permissions.filter(_GOVERNED).exclude(_APART).values_list("pk", flat=True))
    return next((key for key, role in ROLES.items() if role.permissions() == held), "")


def _may_give(request: HttpRequest, group: Group, role: Role) -> bool:
    """Whether nothing is given or taken that whoever asks does not have."""
    own = set(own_permissions(request).values_list("pk", flat=True))
    held = group.permissions.filter(_GOVERNED).exclude(_APART).values_list("pk", flat=True)
    return role.permissions() | set(held) <= own


class GroupRoles(Base):
    change_form_outer_before_template = "admin/auth/group/roles.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.role_view)
        return [path("<int:pk>/role/<slug:key>/", view, name="auth_group_role"), *super().get_urls()]

    def role_view(self, request: HttpRequest, pk: int, key: str) -> HttpResponse:
        group, role = self.get_queryset(request).filter(pk=pk).first(), ROLES.get(key)
        if group is None or role is None:
            raise Http404
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_change_permission(request, group) and _may_give(request, group, role)):
            raise PermissionDenied
        give_role(group=group, role=role)
        self.log_change(request, group, _("Role given: %(role)s.") % {"role": role.name})
        self.message_user(request, _("The group has the role: %(role)s.") % {"role": role.name})
        return redirect("admin:auth_group_change", pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if group := context["original"]:
            held = role_of(group)
            givable = {key: role for key, role in ROLES.items() if _may_give(request, group, role)}
            context["roles"] = [(key, role, key == held) for key, role in givable.items()]
            context["may_give"] = self.has_change_permission(request, group)
            context["own_choice"] = not held
        return super().render_change_form(request, context, *args, **kwargs)

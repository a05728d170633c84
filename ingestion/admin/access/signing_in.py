"""What administrators see and do of how somebody signs in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from knowledgetree.identity.models import DirectoryAccount
from knowledgetree.identity.sessions import end_sessions

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[User]
else:
    Base = object


class SignInOfAccounts(Base):
    """The directory of an account on its page; second factors and sessions as actions of the list."""

    actions = ("remove_second_factors", "sign_out")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        return [*super().get_readonly_fields(request, obj), "groups_of_the_directory"]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        shown = super().get_fieldsets(request, obj)
        if obj is None or not DirectoryAccount.objects.filter(user=obj).exists():
            return shown
        return [*shown, (_("Directory"), {"fields": ["groups_of_the_directory"]})]

    @admin.display(description=gettext_lazy("its groups there"))
    def groups_of_the_directory(self, user: User) -> str:
        """What the table of groups can map, as the directory named it last."""
        account = DirectoryAccount.objects.get(user=user)
        return f"{account.get_source_display()}: {', '.join(account.names) or '–'}"

    @admin.action(description=gettext_lazy("Remove the second factor: the telephone is lost"), permissions=["change"])
    def remove_second_factors(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Signed out as well: whoever found the telephone may be in."""
        changed = self._change_each(request, users, "second factor removed", _remove_second_factor)
        told = ngettext("%(n)d account is without second factor.", "%(n)d accounts are without second factor.", changed)
        self.message_user(request, told % {"n": changed})

    @admin.action(description=gettext_lazy("Sign out everywhere"), permissions=["change"])
    def sign_out(self, request: HttpRequest, users: QuerySet[User]) -> None:
        changed = self._change_each(request, users, "signed out everywhere", end_sessions)
        told = ngettext("%(n)d account is signed out.", "%(n)d accounts are signed out.", changed)
        self.message_user(request, told % {"n": changed})

    def _change_each(
        self, request: HttpRequest, users: QuerySet[User], what: str, change: Callable[[User], None]
    ) -> int:
        """Change those of the accounts that the editor may; how many."""
        allowed = [user for user in users if self.has_change_permission(request, user)]
        for user in allowed:
            change(user)
            self.log_change(request, user, what)
        return len(allowed)


def _remove_second_factor(user: User) -> None:
    Authenticator.objects.filter(user=user).delete()
    end_sessions(user)

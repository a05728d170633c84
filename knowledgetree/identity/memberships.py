"""Groups here follow those of the directory, and leave alone what people gave."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from knowledgetree.identity.models import DirectoryAccount, DirectoryGroup

MOST_NAMES, LONGEST_NAME = 1000, 500
"""More and longer ones are no groups that anybody maps; a directory is not trusted to keep within reason."""


@transaction.atomic
def update_memberships(user: User, *, source: str, names: Iterable[str]) -> None:
    """From now on `user` is in the groups that `names` map to, and in none any more that the directory gave and
    gives no longer. What somebody gave by hand stays, also where the directory gives it too.
    """
    kept = sorted({name for name in names if 0 < len(name) <= LONGEST_NAME})[:MOST_NAMES]
    said = {"source": source, "names": kept, "said_at": timezone.now()}
    DirectoryAccount.objects.update_or_create(user=user, defaults=said)
    _give_what_is_mapped(DirectoryAccount.objects.select_for_update().get(user=user), user)


def update_all_memberships() -> None:
    """After a change of the table: for every account, by what the directory said of it last."""
    for pk in DirectoryAccount.objects.values_list("pk", flat=True):
        with transaction.atomic():
            account = DirectoryAccount.objects.select_for_update(of=["self"]).select_related("user").get(pk=pk)
            _give_what_is_mapped(account, account.user)


def _give_what_is_mapped(account: DirectoryAccount, user: User) -> None:
    names = {name.casefold() for name in account.names}
    mapped = [one for one in DirectoryGroup.objects.select_related("group") if one.name.casefold() in names]
    wanted = {one.group for one in mapped if one.group}
    given = set(account.groups.all())
    by_hand = set(user.groups.all()) - given
    user.groups.remove(*(given - wanted))
    user.groups.add(*(wanted - by_hand))
    account.groups.set(wanted - by_hand)
    superuser = any(one.makes_superuser for one in mapped)
    staff = superuser or any(one.makes_staff for one in mapped)
    account.gave_staff = _give_flag(user, "is_staff", staff, account.gave_staff)
    account.gave_superuser = _give_flag(user, "is_superuser", superuser, account.gave_superuser)
    user.save(update_fields=["is_staff", "is_superuser"])
    account.save(update_fields=["gave_staff", "gave_superuser"])


def _give_flag(user: User, flag: str, wanted: bool, given: bool) -> bool:
    """Whether the directory is now the one that gives it; who has it from elsewhere keeps it."""
    by_hand = getattr(user, flag) and not given
    setattr(user, flag, by_hand or wanted)
    return wanted and not by_hand

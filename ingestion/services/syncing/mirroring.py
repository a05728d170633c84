"""The readers of a document as its source names them, turned into accounts and groups here."""

from collections.abc import Callable, Iterable

from django.contrib.auth.models import Group, User
from django.db.models import Q

from ingestion.models import Document
from ingestion.services.rights import set_document_rights
from ingestion.sources.types import Principal, Principals
from ingestion.types import Readers
from knowledgetree.identity.models import DirectoryGroup

_NOBODY = "nobody"


class Mirror:
    """Whom the principals of one source are here. Whom nobody knows stays out: fail closed."""

    def __init__(self) -> None:
        self.unknown: set[Principal] = set()
        self._keys: dict[Principal, frozenset[int]] = {}

    def readers(self, principals: Principals) -> Readers:
        return Readers(
            groups=self._all(one for one in principals if one.kind == "group"),
            users=self._all(one for one in principals if one.kind == "user"),
        )

    def give(self, document: Callable[[], Document], principals: Principals | None, *, before: str) -> str:
        """Let these alone read the document, unless that is what stood `before`; what stands now. The document is asked
        for where there is something to do.
        """
        readers = None if principals is None else self.readers(principals)
        now = _in_words(readers)
        if now != before:
            set_document_rights(document=document(), readers=readers, origin="source")
        return now

    def knows(self, principals: Iterable[Principal]) -> bool:
        """Whether any of them is somebody here."""
        return any(self._known(principal) for principal in principals)

    def _all(self, principals: Iterable[Principal]) -> frozenset[int]:
        return frozenset(key for principal in principals for key in self._known(principal))

    def _known(self, principal: Principal) -> frozenset[int]:
        if principal not in self._keys:
            look = _groups if principal.kind == "group" else _users
            self._keys[principal] = look(principal.name.strip())
            if not self._keys[principal]:
                self.unknown.add(principal)
        return self._keys[principal]


def _groups(name: str) -> frozenset[int]:
    """By the name here, and by the table of what groups of a directory are here."""
    mapped = DirectoryGroup.objects.filter(name__iexact=name, group__isnull=False).values_list("group_id", flat=True)
    return frozenset([*Group.objects.filter(name__iexact=name).values_list("pk", flat=True), *mapped]) - {None}


def _users(name: str) -> frozenset[int]:
    """By name or e-mail address; two accounts with one address are nobody's proof of who it is."""
    found = User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name), is_active=True)
    named = [user.pk for user in found if user.username.casefold() == name.casefold()] or [user.pk for user in found]
    return frozenset(named) if len(named) == 1 else frozenset()


def _in_words(readers: Readers | None) -> str:
    if readers is None:
        return ""
    groups, users = (",".join(map(str, sorted(keys))) for keys in (readers.groups, readers.users))
    return f"{groups};{users}" if groups or users else _NOBODY

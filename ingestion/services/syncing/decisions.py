"""What editors decide about documents that their source does not have any more, or that they deleted themselves."""

from collections.abc import Iterable

from django.db import transaction

from ingestion.models import Source, SourceAddress
from ingestion.services.syncing.gone_documents import remove_gone

_State = SourceAddress.State


def confirm_gone(*, addresses: Iterable[SourceAddress]) -> int:
    """Archive the documents of those that wait for a decision, or erase them where their source says so; how many."""
    return sum(_decide(address, _State.ARCHIVED) for address in addresses)


def keep_gone(*, addresses: Iterable[SourceAddress]) -> int:
    """Leave the documents of those that wait for a decision in service; how many."""
    return sum(_decide(address, _State.RETAINED) for address in addresses)


@transaction.atomic
def allow_again(*, addresses: Iterable[SourceAddress]) -> int:
    """Forget that editors deleted the documents: the next synchronisation takes them anew. How many."""
    addresses = list(addresses)
    refused = [address.pk for address in addresses if address.refused]
    # What did not change since the last listing must be listed once more.
    Source.objects.filter(pk__in={address.source_id for address in addresses}).update(cursor="")
    return SourceAddress.objects.filter(pk__in=refused, document=None).delete()[0]


@transaction.atomic
def _decide(address: SourceAddress, state: SourceAddress.State) -> bool:
    waiting = SourceAddress.objects.filter(pk=address.pk, state=_State.WAITING)
    if not waiting.update(state=state):
        return False
    if state == _State.ARCHIVED:
        erases = address.source.gone_policy == Source.Gone.ERASE
        remove_gone(address, Source.Gone.ERASE if erases else Source.Gone.ARCHIVE)
    return True

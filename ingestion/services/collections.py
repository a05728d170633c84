"""Collections: set up, changed and deleted; an identifier made of the name, so that nobody has to think of one."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.errors import IngestionError
from ingestion.models import Collection
from ingestion.models.viewers import Viewer, has_superuser_account
from ingestion.services.sources import delete_source
from ingestion.text.diacritics import fold
from knowledgetree.components import component

_LENGTH = 80


class CollectionFilled(IngestionError):
    """A collection with documents stays: each is deleted on its own, with its index."""

    code = "collection_filled"
    status = 409


def collection_troubles(*, visibility: str, groups: Sequence[Group], preset: str, editor: Viewer) -> dict[str, str]:
    """What is wrong with a collection that `editor` saves, by field; {} where nothing is."""
    troubles = {}
    known: list[str] = component("presets", "names").known()
    if preset and preset not in known:
        said = _("There is no preset %(name)s. Known: %(known)s.")
        troubles["preset"] = said % {"name": preset, "known": ", ".join(known)}
    if visibility == Collection.Visibility.RESTRICTED and not has_superuser_account(editor):
        troubles |= _shut_out(editor, groups)
    return troubles


def _shut_out(editor: Viewer, chosen: Sequence[Group]) -> dict[str, str]:
    """Somebody who is no superuser would lose the collection the moment it is saved."""
    own = list(Group.objects.filter(user=editor.pk).order_by("name"))
    if set(own) & set(chosen):
        return {}
    if own:
        names = ", ".join(group.name for group in own)
        said = _("You would not see it yourself. Choose one of your groups too: %(groups)s.") % {"groups": names}
        return {"groups": said}
    said = _(
        "You would not see it yourself: you belong to no group. Ask an administrator for one, or choose other readers."
    )
    return {"visibility": said}


@transaction.atomic
def save_collection(*, collection: Collection, groups: Iterable[Group] | None = None) -> Collection:
    """Keep it; one without an identifier gets a free one. `groups` None: those that it has."""
    collection.slug = collection.slug or free_identifier(collection.name)
    collection.save()
    if groups is not None:
        collection.groups.set(groups)
    return collection


@transaction.atomic
def delete_collection(*, collection: Collection) -> None:
    """With its sources and their schedules. Raises CollectionFilled where it has documents."""
    if count := collection.documents.count():
        said = ngettext("%(name)s has %(n)d document.", "%(name)s has %(n)d documents.", count)
        raise CollectionFilled(
            said % {"name": collection, "n": count}, remedy=_("Delete its documents first; each goes with its index.")
        )
    for source in collection.sources.all():
        delete_source(source=source)
    collection.delete()


def free_identifier(name: str) -> str:
    """`name` as an identifier that no collection has: "Dział Księgowości" gives `dzial-ksiegowosci`, or `…-2`.

    At most 80 characters; a name without a letter or digit gives `kolekcja`.
    """
    wanted = slugify(fold(name.replace("ß", "ss")))[:_LENGTH].strip("-") or "kolekcja"
    taken = set(Collection.objects.filter(slug__startswith=wanted[: _LENGTH - 6]).values_list("slug", flat=True))
    if wanted not in taken:
        return wanted
    numbered = (f"{wanted[: _LENGTH - 6]}-{n}" for n in range(2, len(taken) + 3))
    return next(slug for slug in numbered if slug not in taken)

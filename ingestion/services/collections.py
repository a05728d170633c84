"""Collections: an identifier made of the name, so that nobody has to think of one."""

from django.utils.text import slugify

from ingestion.models import Collection
from ingestion.text.diacritics import fold

_LENGTH = 80


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

"""What the list of a collection is narrowed to and sorted by. What makes no sense is as good as not given."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils import timezone

from ingestion.library.documents import Choice, Choices, Narrowing, Order
from rag.chat.library.kinds import media_types_of

MAX_WORDS = 200  # characters
ORDERS: tuple[Order, ...] = ("title", "newest", "in_force")


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryListing:
    """`narrowing` holds only values that the viewer was offered: no address can ask for what is not shown."""

    narrowing: Narrowing
    order: Order
    kind: str = ""

    @property
    def narrows(self) -> bool:
        asked = self.narrowing
        return bool(asked.category or asked.tag or asked.language or self.kind or asked.in_force)


def searched_words(request: HttpRequest) -> str:
    return " ".join(request.GET.get("q", "").replace("\x00", "").split())[:MAX_WORDS]


def listing(request: HttpRequest, choices: Choices) -> LibraryListing:
    given = request.GET
    order = next((order for order in ORDERS if order == given.get("order")), ORDERS[0])
    kind = given.get("kind", "")
    media_types = media_types_of(kind, choices.media_types)
    narrowing = Narrowing(
        today=timezone.localdate(),
        category=_offered(given.get("category"), choices.categories),
        tag=_offered(given.get("tag"), choices.tags),
        language=_offered(given.get("language"), choices.languages),
        media_types=media_types,
        in_force=bool(given.get("in_force")),
    )
    return LibraryListing(narrowing=narrowing, order=order, kind=kind if media_types else "")


def _offered(value: str | None, choices: tuple[Choice, ...]) -> str:
    return value if value and any(choice.value == value for choice in choices) else ""

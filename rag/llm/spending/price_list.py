"""Which price holds for a model: that of the settings, else the one set in the admin, else the one that ships."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path

from django.core.cache import caches
from django.db.models.signals import post_delete, post_save

from knowledgetree.conf import rag_settings
from knowledgetree.language_models import Price
from rag.models import ModelPrice

SECONDS = 5.0
"""After so long another process knows a price that was changed here."""

_FILE = Path(__file__).with_name("prices.json")
_KEY = "llm-prices"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedPrices:
    """Prices by model, as they were on the day `as_of` in what `source` names."""

    as_of: date
    source: str
    prices: Mapping[str, Price]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPrice:
    """The prices of one model, side by side; None where there is none. `changed`: when `own` was set."""

    model: str
    shipped: Price | None = None
    own: Price | None = None
    changed: datetime | None = None
    configured: Price | None = None

    @property
    def price(self) -> Price | None:
        """The one that holds."""
        return self.configured or self.own or self.shipped


@cache
def shipped_prices() -> ShippedPrices:
    content = json.loads(_FILE.read_text(encoding="utf-8"))
    prices = {
        model: Price(**{name: float(value) for name, value in entry.items() if name != "models"})
        for entry in content["prices"]
        for model in entry["models"]
    }
    return ShippedPrices(as_of=date.fromisoformat(content["as_of"]), source=content["source"], prices=prices)


def current_prices() -> Mapping[str, Price]:
    """The price that holds, by model. The database is read every SECONDS at most."""
    own: dict[str, Price] | None = caches["results"].get(_KEY)
    if own is None:
        own = {row.model: own_price(row) for row in ModelPrice.objects.all()}
        caches["results"].set(_KEY, own, SECONDS)
    return {**shipped_prices().prices, **own, **rag_settings().llm.prices}


def listed_prices() -> list[ListedPrice]:
    """Every model that has a price anywhere, in order of name."""
    shipped, configured = shipped_prices().prices, rag_settings().llm.prices
    rows = {row.model: row for row in ModelPrice.objects.all()}
    return [
        ListedPrice(
            model=model,
            shipped=shipped.get(model),
            own=own_price(rows[model]) if model in rows else None,
            changed=rows[model].modified if model in rows else None,
            configured=configured.get(model),
        )
        for model in sorted({*shipped, *rows, *configured})
    ]


def own_price(row: ModelPrice) -> Price:
    def number(value: object) -> float | None:
        return None if value is None else float(str(value))

    return Price(
        input=float(row.input),
        output=float(row.output),
        cache_read=number(row.cache_read),
        cache_write=number(row.cache_write),
    )


def _forget(**_: object) -> None:
    caches["results"].delete(_KEY)


for _signal in (post_save, post_delete):
    _signal.connect(_forget, sender=ModelPrice, dispatch_uid="rag.llm.spending.price_list")

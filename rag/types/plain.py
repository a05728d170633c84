"""Values as JSON."""

from collections.abc import Mapping
from datetime import date
from typing import Any


def as_json(value: Any) -> Any:
    """A dataclass, or anything made of dataclasses, as JSON-ready dictionaries and lists."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: as_json(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if isinstance(value, float):
        return round(value, 4)
    return value.isoformat() if isinstance(value, date) else value

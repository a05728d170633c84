"""YAML without its dangers: leaves are text, and there are no aliases, by which YAML bombs grow."""

from collections.abc import Mapping
from typing import Any


def mapping_in(source: str) -> Mapping[str, Any] | None:
    """The mapping in `source`, whose leaves are text (so that it can be kept as JSON); None where it is not one."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the one in C is there where libyaml is
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=loader)):
            return None
        loaded = yaml.load(source, Loader=loader)  # noqa: S506  it builds text, lists and mappings only
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) and all(isinstance(key, str) for key in loaded) else None

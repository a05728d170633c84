"""Which presets there are, and which can do all they promise here."""

from dataclasses import dataclass
from importlib.util import find_spec

from django.utils.translation import gettext as _

from rag.llm.configuration import llm_settings
from rag.presets import Preset, default_name, known_names, preset
from rag.presets.builtin import DESCRIPTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPreset:
    """`missing` says, in the reader's language, what the installation lacks for it; a search goes on without that."""

    name: str
    description: str
    default: bool
    parts: Preset
    missing: tuple[str, ...]


def listed_presets() -> list[ListedPreset]:
    """Every preset, in order of name."""
    return [
        ListedPreset(
            name=name,
            description=str(DESCRIPTIONS.get(name, "")),
            default=name == default_name(),
            parts=preset(name),
            missing=tuple(_missing(preset(name))),
        )
        for name in known_names()
    ]


def _missing(parts: Preset) -> list[str]:
    missing = []
    if parts.asks_model and not llm_settings().configured:
        missing.append(_("a language model"))
    if parts.reranker == "cross_encoder" and find_spec("sentence_transformers") is None:
        missing.append(_("the packages of neural models (pip install 'knowledgetree[neural]')"))
    return missing

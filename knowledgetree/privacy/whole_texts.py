"""What masking does not hold back, told to whoever runs the program: texts for an embedder, names that rules miss."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from knowledgetree.conf import rag_settings
from knowledgetree.readiness import Check

_HERE = ("localhost", "127.0.0.1", "::1")


def embedding_host() -> str:
    """The other machine that reads whole texts, since vectors of masked ones would find nobody; "" where none does."""
    settings = rag_settings()
    declared = settings.components.get("embedders", {}).get(settings.embedder)
    host = urlsplit(str(declared.options.get("url") or "")).hostname if declared else None
    return "" if host is None or host in _HERE else host


def whole_texts() -> Iterator[Check]:
    """A check for what reads personal data elsewhere; none where nothing does."""
    if host := embedding_host():
        yield Check(
            name="whole_texts",
            subject=_("Personal data: vectors"),
            well=None,
            detail=_("%(host)s reads whole texts of documents and questions") % {"host": host},
            remedy=_("Masking does not hold for it. Keep it in your own network, or set EMBEDDER to a model here."),
        )
    llm = rag_settings().llm
    if not llm.configured:
        return
    if llm.mask_personal_data:
        yield Check(
            name="masking",
            subject=_("Personal data: models"),
            well=None,
            detail=_("language models get stand-ins; what the rules miss they read (one name in ten in a test)"),
        )
    else:
        yield Check(
            name="masking",
            subject=_("Personal data: models"),
            well=None,
            detail=_("language models read them"),
            remedy=_("Set LLM_MASK_PERSONAL_DATA=1 unless the model runs in your own network."),
        )

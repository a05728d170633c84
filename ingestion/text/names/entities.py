"""The organisation's own entities in a text, in any inflection."""

import threading
from typing import TYPE_CHECKING

from django.db import connection

from ingestion.models import GlossaryEntry

if TYPE_CHECKING:
    from ingestion.text.names.ruler import GlossaryRuler

# Each row bears the number of the transaction that wrote it, so the sum grows with every committed change, whoever
# makes it; `modified` tells apart two changes within one transaction.
_VERSION = "SELECT count(*), coalesce(sum(xmin::text::bigint), 0), max(modified) FROM ingestion_glossaryentry"

_building = threading.Lock()
_current: "tuple[object, GlossaryRuler] | None" = None


def glossary_ruler() -> "GlossaryRuler | None":
    """The ruler of the glossary as it stands, None where it is empty; built anew after a change by any process.

    One small query. A base without a glossary never loads spaCy.
    """
    global _current
    with connection.cursor() as cursor:
        cursor.execute(_VERSION)
        version = cursor.fetchone()
    if not version[0]:
        return None
    from ingestion.text.names.ruler import GlossaryRuler

    with _building:
        if _current is None or _current[0] != version:
            _current = (version, GlossaryRuler(GlossaryEntry.objects.order_by("pk")))
        return _current[1]

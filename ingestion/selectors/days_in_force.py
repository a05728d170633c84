"""From when to when a document is in force, as SQL over `d`: as an editor or a source said, else as its own text does,
until somebody decides on that.
"""

_DAY = """coalesce(d.{field}, (
    SELECT p.day FROM ingestion_validityproposal p
    WHERE p.document_id = d.id AND p.stated_by_id = d.id AND p.field = '{field}' AND p.decision = 'open'
))"""

FIRST_DAY = _DAY.format(field="valid_from")
LAST_DAY = _DAY.format(field="valid_to")
"""NULL where nothing says it."""

"""Answers that are given again are deleted with any document they rest on."""

from django.db import migrations

# In one order, so that two deletions that meet in the same answers wait for each other instead of locking crosswise.
TRIGGER = """
CREATE FUNCTION rag_forget_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM rag_cachedanswer WHERE id IN (
        SELECT id FROM rag_cachedanswer
        WHERE documents && (SELECT coalesce(array_agg(gone.id), '{}') FROM gone) ORDER BY id FOR UPDATE
    );
    RETURN NULL;
END $$;
CREATE TRIGGER rag_document_deleted AFTER DELETE ON ingestion_document
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rag_forget_answers();
"""

DROP_TRIGGER = """
DROP TRIGGER rag_document_deleted ON ingestion_document;
DROP FUNCTION rag_forget_answers();
"""


class Migration(migrations.Migration):
    replaces = [("rag", "0005_cached_answers")]
    dependencies = [("rag", "0001_schema"), ("ingestion", "0001_schema")]

    operations = [migrations.RunSQL(TRIGGER, DROP_TRIGGER)]

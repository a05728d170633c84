"""The covering index of the postings, and the triggers that keep BM25's counts true."""

from django.db import migrations

COVERING_KEY = """
ALTER TABLE ingestion_posting DROP CONSTRAINT ingestion_posting_pkey;
ALTER TABLE ingestion_posting ADD CONSTRAINT ingestion_posting_pkey
    PRIMARY KEY (term_id, collection_id, chunk_id) INCLUDE (lemma_count, form_count, length);
-- Index-only scans need a fresh visibility map; the default waits for a fifth of the table.
ALTER TABLE ingestion_posting SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
"""

# One lock a collection puts writers of the same counts in a queue, so that two of them cannot deadlock on hot words.
TRIGGERS = """
CREATE FUNCTION ingestion_count_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM pg_advisory_xact_lock(7201, collection_id)
        FROM (SELECT DISTINCT collection_id FROM changed ORDER BY collection_id) AS touched;
    INSERT INTO ingestion_termstatistics AS s (term_id, collection_id, lemma_chunks, form_chunks)
        SELECT term_id, collection_id, sign * count(*) FILTER (WHERE lemma_count > 0),
               sign * count(*) FILTER (WHERE form_count > 0)
        FROM changed GROUP BY term_id, collection_id ORDER BY collection_id, term_id
    ON CONFLICT (term_id, collection_id) DO UPDATE
        SET lemma_chunks = s.lemma_chunks + excluded.lemma_chunks, form_chunks = s.form_chunks + excluded.form_chunks;
    INSERT INTO ingestion_collectionstatistics AS s (collection_id, chunks, words)
        SELECT collection_id, sign * count(*), sign * sum(length)
        FROM (SELECT DISTINCT collection_id, chunk_id, length FROM changed) AS chunk
        GROUP BY collection_id ORDER BY collection_id
    ON CONFLICT (collection_id) DO UPDATE SET chunks = s.chunks + excluded.chunks, words = s.words + excluded.words;
    RETURN NULL;
END $$;
CREATE TRIGGER ingestion_posting_inserted AFTER INSERT ON ingestion_posting
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_postings();
CREATE TRIGGER ingestion_posting_deleted AFTER DELETE ON ingestion_posting
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_postings();
"""

DROP_TRIGGERS = """
DROP TRIGGER ingestion_posting_inserted ON ingestion_posting;
DROP TRIGGER ingestion_posting_deleted ON ingestion_posting;
DROP FUNCTION ingestion_count_postings();
"""


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0001_initial")]

    operations = [
        migrations.RunSQL(COVERING_KEY, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]

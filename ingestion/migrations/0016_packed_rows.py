"""Rows of postings that lists took the place of are dropped (`ingestion.index.packed_rows`), without being counted."""

from django.db import migrations, models

# As in 0002_counts, but for its first line.
COUNT = """
CREATE OR REPLACE FUNCTION ingestion_count_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
{uncounted}    PERFORM pg_advisory_xact_lock(7201, collection_id)
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
    IF TG_OP = 'INSERT' THEN
        UPDATE ingestion_collectionstatistics s SET late = s.late || found.chunks
        FROM (
            SELECT c.collection_id, array_agg(DISTINCT c.chunk_id) AS chunks
            FROM changed c JOIN ingestion_collectionstatistics k USING (collection_id)
            WHERE c.chunk_id <= k.packing_to
            GROUP BY c.collection_id
        ) AS found
        WHERE s.collection_id = found.collection_id;
    END IF;
    RETURN NULL;
END $$;
"""
UNCOUNTED = """    IF current_setting('knowledgetree.uncounted', true) = 'on' THEN
        RETURN NULL;
    END IF;
"""


def count(uncounted):
    return COUNT.replace("{uncounted}", uncounted)


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0015_mailboxes")]

    operations = [
        migrations.AddField(
            model_name="collectionstatistics",
            name="dropped_to",
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.RunSQL(count(UNCOUNTED), count("")),
    ]

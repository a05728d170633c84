"""The covering indexes of postings and mentions, and the triggers that keep their counts true."""

from django.db import migrations

STORAGE = """
ALTER TABLE ingestion_posting DROP CONSTRAINT ingestion_posting_pkey;
ALTER TABLE ingestion_posting ADD CONSTRAINT ingestion_posting_pkey
    PRIMARY KEY (term_id, collection_id, chunk_id) INCLUDE (lemma_count, form_count, length);
ALTER TABLE ingestion_entitymention DROP CONSTRAINT ingestion_entitymention_pkey;
ALTER TABLE ingestion_entitymention ADD CONSTRAINT ingestion_entitymention_pkey
    PRIMARY KEY (entity_id, chunk_id) INCLUDE (count);
-- Index-only scans need a fresh visibility map; the default waits for a fifth of the table.
ALTER TABLE ingestion_posting SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE ingestion_entitymention
    SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
-- Counts change with every document; room on the page keeps those updates out of the index.
ALTER TABLE ingestion_entity SET (fillfactor = 80);
-- Random numbers do not compress; without this PostgreSQL tries on every row.
ALTER TABLE ingestion_embeddingcacheentry ALTER embedding SET STORAGE EXTERNAL;
-- They would be compressed by little, and unpacked for every search.
ALTER TABLE ingestion_postinglist ALTER postings SET STORAGE EXTERNAL;
"""

# One lock a collection puts writers of the same counts in a queue, so that two of them cannot deadlock on hot words.
# Chunks that posting lists lack, for they were written while it was packed, are noted as `late`.
POSTINGS = """
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
CREATE TRIGGER ingestion_posting_inserted AFTER INSERT ON ingestion_posting
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_postings();
CREATE TRIGGER ingestion_posting_deleted AFTER DELETE ON ingestion_posting
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_postings();
"""

MENTIONS = """
CREATE FUNCTION ingestion_count_mentions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM pg_advisory_xact_lock(7201, collection_id)
        FROM (SELECT DISTINCT e.collection_id FROM changed JOIN ingestion_entity e ON e.id = changed.entity_id
              ORDER BY e.collection_id) AS touched;
    UPDATE ingestion_entity AS e SET chunks = e.chunks + sign * counted.chunks
        FROM (SELECT entity_id, count(*) AS chunks FROM changed GROUP BY entity_id) AS counted
        WHERE e.id = counted.entity_id;
    RETURN NULL;
END $$;
CREATE TRIGGER ingestion_mention_inserted AFTER INSERT ON ingestion_entitymention
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_mentions();
CREATE TRIGGER ingestion_mention_deleted AFTER DELETE ON ingestion_entitymention
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_mentions();
"""

DROP_POSTINGS = """
DROP TRIGGER ingestion_posting_inserted ON ingestion_posting;
DROP TRIGGER ingestion_posting_deleted ON ingestion_posting;
DROP FUNCTION ingestion_count_postings();
"""

DROP_MENTIONS = """
DROP TRIGGER ingestion_mention_inserted ON ingestion_entitymention;
DROP TRIGGER ingestion_mention_deleted ON ingestion_entitymention;
DROP FUNCTION ingestion_count_mentions();
"""


class Migration(migrations.Migration):
    replaces = [
        ("ingestion", name) for name in "0002_index 0008_embedding_cache 0009_graph 0020_packed_postings".split()
    ]
    dependencies = [("ingestion", "0001_schema")]

    operations = [
        migrations.RunSQL(STORAGE, migrations.RunSQL.noop),
        migrations.RunSQL(POSTINGS, DROP_POSTINGS),
        migrations.RunSQL(MENTIONS, DROP_MENTIONS),
    ]

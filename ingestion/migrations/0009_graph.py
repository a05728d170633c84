"""The graph of names, and the trigger that keeps the count of each entity's chunks true."""

import django.db.models.deletion
from django.db import migrations, models

COVERING_KEY = """
ALTER TABLE ingestion_entitymention DROP CONSTRAINT ingestion_entitymention_pkey;
ALTER TABLE ingestion_entitymention ADD CONSTRAINT ingestion_entitymention_pkey
    PRIMARY KEY (entity_id, chunk_id) INCLUDE (count);
ALTER TABLE ingestion_entitymention
    SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
-- Counts change with every document; room on the page keeps those updates out of the index.
ALTER TABLE ingestion_entity SET (fillfactor = 80);
"""

TRIGGERS = """
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

DROP_TRIGGERS = """
DROP TRIGGER ingestion_mention_inserted ON ingestion_entitymention;
DROP TRIGGER ingestion_mention_deleted ON ingestion_entitymention;
DROP FUNCTION ingestion_count_mentions();
"""


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0008_embedding_cache")]

    operations = [
        migrations.CreateModel(
            name="Entity",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=300)),
                ("name", models.CharField(max_length=300)),
                ("kind", models.CharField(max_length=60)),
                ("chunks", models.IntegerField(default=0)),
                (
                    "collection",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, to="ingestion.collection"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EntityMention",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "entity_id", "chunk_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("count", models.SmallIntegerField()),
                (
                    "chunk",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="ingestion.chunk",
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="ingestion.entity",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="entity",
            constraint=models.UniqueConstraint(fields=("key", "collection"), name="one_entity_a_key"),
        ),
        migrations.AddIndex(
            model_name="entitymention",
            index=models.Index(fields=["chunk", "entity"], include=("count",), name="mention_by_chunk"),
        ),
        migrations.RunSQL(COVERING_KEY, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]

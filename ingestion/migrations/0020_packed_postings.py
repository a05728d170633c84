"""Posting lists in one piece; the trigger that counts postings notes those that lists lack; every ten minutes they are
packed where enough is new.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

NAME = "knowledgetree: pack postings"

# As in 0002_index, but for `late`.
COUNT = """
CREATE OR REPLACE FUNCTION ingestion_count_postings() RETURNS trigger LANGUAGE plpgsql AS $$
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
    {late}
    RETURN NULL;
END $$;
"""
LATE = """
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
"""


def add_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": "ingestion.jobs.pack_postings", "schedule_type": "I", "minutes": 10, "repeats": -1}
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0019_community_jobs"), ("django_q", "0018_task_success_index")]

    operations = [
        migrations.AddField(
            model_name='collectionstatistics',
            name='late',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), db_default=[], default=list, size=None),
        ),
        migrations.AddField(
            model_name='collectionstatistics',
            name='packed_to',
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='collectionstatistics',
            name='packing_to',
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name='PostingList',
            fields=[
                ('pk', models.CompositePrimaryKey('term_id', 'collection_id', 'packed_to', blank=True, editable=False, primary_key=True, serialize=False)),
                ('packed_to', models.IntegerField()),
                ('postings', models.BinaryField()),
                ('collection', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.collection')),
                ('term', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='ingestion.term')),
            ],
        ),
        # They would be compressed by little, and unpacked for every search.
        migrations.RunSQL(
            "ALTER TABLE ingestion_postinglist ALTER postings SET STORAGE EXTERNAL", migrations.RunSQL.noop
        ),
        migrations.RunSQL(COUNT.replace("{late}", LATE), COUNT.replace("{late}", "")),
        migrations.RunPython(add_schedule, remove_schedule),
    ]

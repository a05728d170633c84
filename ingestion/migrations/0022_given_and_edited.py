"""What documents have by themselves is kept beside what editors set; of older documents it is what they have now."""

import django.contrib.postgres.fields
from django.db import migrations, models

# A title in the head of the text or of the file is its own: it goes with the text. Of the others nobody knows who gave them,
# so they stay. An editor who touched the metadata or one end of the validity set all of it.
NOTE = """
UPDATE ingestion_document AS d SET
  given = jsonb_strip_nulls(jsonb_build_object(
    'title', CASE WHEN 'title' = ANY(d.edited) THEN NULL
                  WHEN d.title = d.file_name
                    OR jsonb_path_exists(d.metadata, '$.extracted.* ? (@ == $title)', jsonb_build_object('title', d.title))
                    OR EXISTS (
                    SELECT FROM ingestion_extraction e
                    WHERE e.document_id = d.id AND position(d.title IN left(e.text, 5000)) > 0) THEN ''
                  ELSE d.title END,
    'category', CASE WHEN 'category' = ANY(d.edited) THEN NULL ELSE d.category END,
    'tags', CASE WHEN 'tags' = ANY(d.edited) THEN NULL ELSE to_jsonb(d.tags) END,
    'language', CASE WHEN 'language' = ANY(d.edited) THEN NULL ELSE d.language END,
    'version', CASE WHEN 'version' = ANY(d.edited) THEN NULL ELSE d.version END,
    'valid_from', CASE WHEN d.edited && '{valid_from,valid_to}' THEN NULL ELSE d.valid_from END,
    'valid_to', CASE WHEN d.edited && '{valid_from,valid_to}' THEN NULL ELSE d.valid_to END))
    || jsonb_build_object('metadata',
         CASE WHEN 'metadata' = ANY(d.edited) THEN '{}' ELSE OBJECT - 'extracted' END),
  edited = ARRAY(
    SELECT DISTINCT name FROM (
      SELECT unnest(array_remove(d.edited, 'metadata'))
      UNION ALL SELECT unnest(CASE WHEN d.edited && '{valid_from,valid_to}' THEN '{valid_from,valid_to}'::text[] END)
      UNION ALL SELECT 'metadata.' || key FROM jsonb_object_keys(OBJECT - 'extracted') AS key
                WHERE 'metadata' = ANY(d.edited)
    ) AS names (name) ORDER BY name)
""".replace("OBJECT", "(CASE jsonb_typeof(d.metadata) WHEN 'object' THEN d.metadata ELSE '{}' END)")


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0021_names_version")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="given",
            field=models.JSONField(
                blank=True,
                default=dict,
                editable=False,
                help_text="What its file and whoever brought it say of it; see `ingestion.models.described`.",
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="edited",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                blank=True,
                default=list,
                editable=False,
                help_text="Fields that an editor set; nothing that brings the document again changes them.",
                size=None,
                verbose_name="set by an editor",
            ),
        ),
        migrations.RunSQL(NOTE, migrations.RunSQL.noop),
    ]

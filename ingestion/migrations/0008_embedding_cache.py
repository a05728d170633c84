import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0007_reembedding")]

    operations = [
        migrations.CreateModel(
            name="EmbeddingCacheEntry",
            fields=[
                ("pk", models.CompositePrimaryKey("space_id", "text_hash", blank=True, editable=False, primary_key=True, serialize=False)),
                ("text_hash", models.BinaryField(max_length=32)),
                ("embedding", models.BinaryField()),
                ("used", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, to="ingestion.embeddingspace"
                    ),
                ),
            ],
        ),
        # Random numbers do not compress; without this PostgreSQL tries on every row.
        migrations.RunSQL(
            "ALTER TABLE ingestion_embeddingcacheentry ALTER COLUMN embedding SET STORAGE EXTERNAL",
            migrations.RunSQL.noop,
        ),
    ]

"""The words of each chunk in their order."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0017_measurement_jobs")]

    operations = [
        migrations.CreateModel(
            name="ChunkWords",
            fields=[
                (
                    "chunk",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ingestion.chunk",
                    ),
                ),
                ("terms", models.BinaryField()),
            ],
        ),
    ]

"""Which documents an answer was made from, so that it can be cleared when one of them is erased."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rag", "0005_cached_answers")]

    operations = [
        migrations.AddField(
            model_name="exchange",
            name="documents",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                default=list,
                help_text="Documents whose passages were shown or given to the model; their erasure clears the answer.",
                size=None,
            ),
        ),
        migrations.AddIndex(
            model_name="exchange",
            index=django.contrib.postgres.indexes.GinIndex(
                fastupdate=False, fields=["documents"], name="exchange_documents"
            ),
        ),
    ]

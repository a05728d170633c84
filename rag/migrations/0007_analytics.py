"""What was asked in a period is looked up by its time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rag", "0006_erasure")]

    operations = [
        migrations.AddIndex(
            model_name="exchange", index=models.Index(fields=["created"], name="exchange_created")
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rag", "0010_related_documents")]

    operations = [
        migrations.AddField(
            model_name="exchange",
            name="topics",
            field=models.JSONField(
                default=list, help_text="What may be asked next: headings of what was found, as they were shown."
            ),
        ),
        migrations.AddField(
            model_name="exchangecitation",
            name="found",
            field=models.JSONField(
                default=dict, help_text="Why the passage was found, as it was explained; empty: not known any more."
            ),
        ),
    ]

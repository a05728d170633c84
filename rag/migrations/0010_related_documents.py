"""Which documents were named beside an answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rag", "0009_knowledge_gaps")]

    operations = [
        migrations.AddField(
            model_name="exchange",
            name="related",
            field=models.JSONField(
                default=list,
                help_text="Documents named beside the answer: `document_id`, `names`, `near`; no titles.",
            ),
        ),
    ]

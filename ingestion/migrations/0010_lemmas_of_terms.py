from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0009_graph")]

    operations = [
        migrations.AddField(
            model_name="term",
            name="lemma",
            field=models.CharField(blank=True, db_default="", default="", max_length=100),
        ),
    ]

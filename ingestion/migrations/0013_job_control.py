"""The turns of a collection's jobs: one index for those that wait, so that looking for the next costs nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0012_sources")]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="stage",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("turn", "waiting for its collection's turn"),
                    ("reading", "reading the source"),
                    ("extracting", "reading the text"),
                    ("chunking", "splitting"),
                    ("analysing", "analysing words"),
                    ("embedding", "computing vectors"),
                    ("writing", "writing the index"),
                    ("indexing", "building the index of vectors"),
                    ("measuring", "measuring the golden set"),
                    ("finished", "finished"),
                ],
                default="waiting",
                max_length=12,
                verbose_name="stage",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("stage", "turn"), ("status", "queued")),
                fields=["collection", "created"],
                name="jobs_that_wait_for_a_turn",
            ),
        ),
    ]

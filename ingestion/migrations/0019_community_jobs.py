from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0018_forward_index")]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("index_document", "indexing a document"),
                    ("reembed", "computing vectors anew"),
                    ("rechunk", "splitting anew"),
                    ("sync_source", "synchronising a source"),
                    ("measurement", "measurement"),
                    ("communities", "grouping documents"),
                ],
                max_length=30,
                verbose_name="kind",
            ),
        ),
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
                    ("asking", "asking the questions"),
                    ("summarising", "summarising the groups"),
                    ("finished", "finished"),
                ],
                default="waiting",
                max_length=12,
                verbose_name="stage",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(kind="communities", status__in=["queued", "running"]),
                fields=["collection"],
                name="one_unfinished_grouping_a_collection",
            ),
        ),
    ]

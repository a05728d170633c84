"""What kind of thing a labelled question asks for, and what the questions of a run came to."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rag", "0003_gap_reports")]

    operations = [
        migrations.AddField(
            model_name="evaluationquestion",
            name="kind",
            field=models.CharField(
                blank=True,
                help_text="What is asked for, such as who, how_much or near_miss: results are shown by it.",
                max_length=40,
                verbose_name="kind of question",
            ),
        ),
        migrations.AlterField(
            model_name="evaluationquestion",
            name="expected_answer_contains",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                blank=True,
                default=list,
                help_text=(
                    "Between commas. Several ways to say the same are parted by |, as in: 60 minut | godzin*. "
                    "A star stands for any ending; ! stands before what must not be there."
                ),
                size=None,
                verbose_name="words the answer must contain",
            ),
        ),
        migrations.AddField(
            model_name="evaluationrun",
            name="outcomes",
            field=models.JSONField(default=dict, verbose_name="outcomes by question"),
        ),
    ]

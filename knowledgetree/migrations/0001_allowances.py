from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Allowance",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("until", models.DateTimeField()),
            ],
        ),
        # Written by every search: without the write-ahead log it costs no wait for the disk. A crash forgets it.
        migrations.RunSQL(
            "ALTER TABLE knowledgetree_allowance SET (fillfactor = 50); ALTER TABLE knowledgetree_allowance SET UNLOGGED",
            "ALTER TABLE knowledgetree_allowance SET LOGGED",
        ),
    ]

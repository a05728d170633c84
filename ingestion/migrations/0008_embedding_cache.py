from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0007_reembedding")]

    operations = []

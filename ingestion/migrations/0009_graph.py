from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0008_embedding_cache")]

    operations = []

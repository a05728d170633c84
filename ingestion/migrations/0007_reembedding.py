from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0006_parts_of_chunks")]

    operations = []

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0014_duplicates_versions_personal")]
    operations = []

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0010_lemmas_of_terms")]
    operations = []

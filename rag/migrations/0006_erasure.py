from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("rag", "0005_cached_answers")]
    operations = []

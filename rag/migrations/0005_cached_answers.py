from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("rag", "0004_trustworthy_answers")]
    operations = []

"""Parts of presets that assistants replace: how certain an answer is goes by its confidence, not by relevance."""

from typing import Any

from django.db import migrations


def forget_certain_relevance(apps: Any, schema_editor: Any) -> None:
    """What was set for the one has no meaning for the other."""
    for assistant in apps.get_model("rag", "Assistant").objects.filter(parts__has_key="certain_relevance"):
        assistant.parts.pop("certain_relevance")
        assistant.save(update_fields=["parts"])


class Migration(migrations.Migration):
    dependencies = [("rag", "0006_learning")]
    operations = [migrations.RunPython(forget_certain_relevance, migrations.RunPython.noop)]

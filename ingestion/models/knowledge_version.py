"""Traces of committed changes, from whose sum an answer's age can be told."""

from django.db import models


class KnowledgeChange(models.Model):
    """That something changed on which answers of a collection can rest; `collection_id` 0: of every collection.

    Triggers (migration `0003_knowledge_version`) write it, whoever changes what. No foreign key: a collection that is
    deleted has changed too.
    """

    collection_id = models.IntegerField()
    weight = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["collection_id"], include=["weight"], name="change_by_collection")]

    def __str__(self) -> str:
        return f"{self.collection_id}: {self.weight}"

"""Answers that are given again while nothing that they rest on has changed."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models


class CachedAnswer(models.Model):
    """An answer under all that it rests on (`key`) and two hashes of its question (see `rag.answering.cache.wording`).

    `answer` is JSON as text: jsonb would reorder it. It goes with any of its `documents` (a trigger of migration
    `0002_forgotten_answers` sees to it), so that no quote outlives an erased document.
    """

    key = models.CharField(max_length=64)
    wording = models.CharField(max_length=64)
    exact = models.CharField(max_length=64)
    question = models.TextField()
    answer = models.TextField()
    documents = ArrayField(models.BigIntegerField(), default=list)
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "wording", "exact"], name="one_answer_a_question"),
        ]
        indexes = [GinIndex(fields=["documents"], name="cached_answer_documents", fastupdate=False)]

    def __str__(self) -> str:
        return self.question

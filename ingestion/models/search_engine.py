"""The search engine beside PostgreSQL: its generations, and what each has yet to be told."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class EngineGeneration(models.Model):
    """One collection of Qdrant: building -> active -> retired.

    It was begun with BM25's constants and the mean length of chunks of that day, which its words were weighed by, and
    has the vectors of `spaces`. Chunks up to the key `filled_to` were written; `filled`: all were. Whoever wrote in a
    transaction up to `begun_in` knew nothing of it: it is filled when these have ended.
    """

    class Status(models.TextChoices):
        BUILDING = "building"
        ACTIVE = "active"
        RETIRED = "retired"

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.BUILDING)
    k1 = models.FloatField()
    b = models.FloatField()
    mean_length = models.FloatField()
    spaces = ArrayField(models.BigIntegerField(), default=list)
    begun_in = models.BigIntegerField()
    filled_to = models.IntegerField(default=0)
    filled = models.DateTimeField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    activated = models.DateTimeField(null=True)
    retired = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["status"], condition=Q(status="active"), name="one_active_generation"),
            models.UniqueConstraint(fields=["status"], condition=Q(status="building"), name="one_built_generation"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class EngineChange(models.Model):
    """A chunk that a generation has yet to be told of: triggers note it in the transaction that changes the chunk.

    It says which chunk, not what became of it; whoever tells the engine reads that, so that it may be told twice.
    """

    generation = models.ForeignKey(
        EngineGeneration, models.CASCADE, related_name="changes", db_index=False, db_constraint=False
    )
    chunk_id = models.IntegerField()

    class Meta:
        indexes = [models.Index(fields=["generation", "id"], name="changes_in_order")]

    def __str__(self) -> str:
        return f"{self.chunk_id} in generation {self.generation_id}"

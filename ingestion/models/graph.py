"""What the texts name, and which chunk names it: a bipartite graph, whose edges by co-occurrence a search computes.

Entities are kept per collection, like the counts of the postings: names, counts and paths then rest on nothing that a
viewer may not see. What two collections name alike has one `key` in both.
"""

from django.db import models

from ingestion.models.documents import Chunk
from ingestion.models.sources import Collection


class Entity(models.Model):
    """`name` is as texts write it, in the nominative where they do. `chunks` name it: a trigger counts them."""

    id = models.AutoField(primary_key=True)
    collection = models.ForeignKey(Collection, models.CASCADE, db_index=False)
    key = models.CharField(max_length=300)
    name = models.CharField(max_length=300)
    kind = models.CharField(max_length=60)
    chunks = models.IntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "collection"], name="one_entity_a_key")]

    def __str__(self) -> str:
        return self.name


class EntityMention(models.Model):
    """`count`: how often the chunk, its headings and its document's title name the entity."""

    pk = models.CompositePrimaryKey("entity_id", "chunk_id")
    entity = models.ForeignKey(Entity, models.CASCADE, db_index=False, db_constraint=False)
    chunk = models.ForeignKey(Chunk, models.CASCADE, db_index=False, db_constraint=False)
    count = models.SmallIntegerField()

    class Meta:
        indexes = [models.Index(fields=["chunk", "entity"], include=["count"], name="mention_by_chunk")]

    def __str__(self) -> str:
        return f"{self.entity_id} in {self.chunk_id}"

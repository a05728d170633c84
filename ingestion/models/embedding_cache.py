"""Vectors that were computed before, so that the same text is not embedded twice."""

from django.db import models
from django.utils import timezone

from ingestion.models.embeddings import EmbeddingSpace


class EmbeddingCacheEntry(models.Model):
    """The vector of a text in a space; of the text only its SHA-256. Nobody searches here: the vector is plain bytes.

    `embedding`: single-precision numbers, little-endian; the space has their count. `used` is true to the day.
    """

    pk = models.CompositePrimaryKey("space_id", "text_hash")
    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, db_index=False)
    text_hash = models.BinaryField(max_length=32)
    embedding = models.BinaryField()
    used = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.space_id}/{bytes(self.text_hash).hex()[:8]}"

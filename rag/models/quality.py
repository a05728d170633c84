"""How well chunks have served the questions that found them."""

from django.db import models

from ingestion.models import Chunk


class ChunkQuality(models.Model):
    """The grade of the latest search that showed the chunk. Apart from the chunk, which is wide and seldom written."""

    chunk = models.OneToOneField(Chunk, models.CASCADE, primary_key=True, related_name="quality")
    retrieval_quality = models.CharField(max_length=6)
    last_quality_check = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.chunk_id}: {self.retrieval_quality}"

"""Sketches by which near-duplicates are found, and the documents that were found alike."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from ingestion.models.documents import Chunk, Document


class Sketch(models.Model):
    """`signature`: a MinHash, unsigned four-byte numbers, little-endian; `bands`: hashes of its rows by which others
    with nearly the same are looked up (see `ingestion.text.similarity`).
    """

    signature = models.BinaryField()
    bands = ArrayField(models.IntegerField(), default=list)

    class Meta:
        abstract = True


class DocumentSketch(Sketch):
    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="sketch")

    class Meta:
        indexes = [GinIndex(fields=["bands"], name="document_bands")]

    def __str__(self) -> str:
        return str(self.document_id)


class ChunkSketch(Sketch):
    chunk = models.OneToOneField(Chunk, models.CASCADE, primary_key=True, related_name="sketch")

    class Meta:
        indexes = [GinIndex(fields=["bands"], name="chunk_bands")]

    def __str__(self) -> str:
        return str(self.chunk_id)


class SimilarDocument(models.Model):
    """`other` says nearly the same as `document`; each pair stands twice, so that it is read from either side.

    `similarity` is the estimated share of words in [0, 1] that the two have in common, in the same order.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="similar", db_index=False)
    other = models.ForeignKey(Document, models.CASCADE, related_name="+")
    similarity = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "other"], name="one_similarity_a_pair")]

    def __str__(self) -> str:
        return f"{self.document_id} ≈ {self.other_id}: {self.similarity:.2f}"

    @property
    def percent(self) -> int:
        """Rounded down: only the same text is 100 % alike."""
        return int(self.similarity * 100)

"""Embedding spaces and their vectors. Vectors of every space share one table; each space has its own partial index."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from ingestion.models.documents import Chunk


class EmbeddingSpace(models.Model):
    """One embedder, one template, one dimension: vectors are comparable only inside a space.

    building -> active -> retired, and back from retired to building. While it is built, one `Job` fills it; `error`
    says why that job does not get on. A space that is paused or has an error gets no vectors of new documents: the
    filler makes up for them later.
    """

    class Status(models.TextChoices):
        BUILDING = "building", _("being built")
        ACTIVE = "active", _("active")
        RETIRED = "retired", _("retired")

    name = models.SlugField(_("name"), max_length=80, unique=True)
    embedder = models.CharField(_("embedder"), max_length=60, help_text=_("Its name in the settings."))
    model = models.CharField(_("model"), max_length=300)
    dimension = models.PositiveIntegerField(_("dimension"))
    template_version = models.PositiveSmallIntegerField(_("template version"), default=1)
    options = models.JSONField(
        _("options"),
        default=dict,
        blank=True,
        help_text=_("Those of the embedder that decide its vectors; the space keeps them when the settings change."),
    )
    sentence_vectors = models.BooleanField(
        _("vectors of sentences"),
        default=False,
        help_text=_("A vector for every sentence besides the chunk's: finds a detail in a long chunk."),
    )
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.BUILDING)
    fusion = models.JSONField(
        _("fusion"),
        default=dict,
        blank=True,
        help_text=_(
            "method: rrf, weighted or max; dense_weight: 0 to 1; min_similarity: cosine below which nothing counts."
        ),
    )
    calibration = models.JSONField(
        _("calibration"),
        default=dict,
        blank=True,
        editable=False,
        help_text=_("By reranker, the weights that turn a passage's signals into its relevance."),
    )
    paused = models.BooleanField(_("paused"), default=False, editable=False)
    activate_when_full = models.BooleanField(_("activated as soon as it is full"), default=False, editable=False)
    gate = models.CharField(
        _("golden set"),
        max_length=100,
        blank=True,
        editable=False,
        help_text=_("Evaluation dataset that must not get worse by the activation; empty: none is measured."),
    )
    gate_margin = models.FloatField(_("tolerated loss of nDCG@10"), default=0.01, editable=False)
    error = models.TextField(_("what went wrong"), blank=True, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    activated = models.DateTimeField(_("activated"), null=True, editable=False)
    retired = models.DateTimeField(_("retired"), null=True, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("embedding space")
        verbose_name_plural = _("embedding spaces")
        constraints = [
            models.UniqueConstraint(fields=["status"], condition=models.Q(status="active"), name="one_active_space"),
        ]

    def __str__(self) -> str:
        return self.name


class ChunkEmbedding(models.Model):
    """A vector of a chunk in a space: `part` 0 is the whole chunk, n its n-th sentence.

    The column has no dimension; a CHECK by space would only repeat the index.
    """

    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, db_index=False)
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="embeddings")
    part = models.PositiveSmallIntegerField(default=0)
    embedding = VectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["space", "chunk", "part"], name="one_vector_a_space")]

    def __str__(self) -> str:
        return f"{self.space_id}/{self.chunk_id}"

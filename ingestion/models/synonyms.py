"""Synonyms that editors keep; matching is by lemma, so base forms are enough."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection


class SynonymGroup(models.Model):
    """Words that mean the same. One-way: the first word also finds the others, not the other way round."""

    class Direction(models.TextChoices):
        TWO_WAY = "two_way", _("two-way")
        ONE_WAY = "one_way", _("one-way: the first word finds the others")

    class Source(models.TextChoices):
        SYNONYM = "synonym", _("editors")
        THESAURUS = "thesaurus", _("thesaurus")

    name = models.CharField(_("name"), max_length=200)
    collection = models.ForeignKey(
        Collection,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="synonym_groups",
        verbose_name=_("collection"),
        help_text=_("Empty: every collection."),
    )
    direction = models.CharField(_("direction"), max_length=8, choices=Direction.choices, default=Direction.TWO_WAY)
    weight = models.FloatField(
        _("weight"),
        default=0.5,
        validators=[MinValueValidator(0.01), MaxValueValidator(0.99)],
        help_text=_("Against 1.0 of a typed word."),
    )
    enabled = models.BooleanField(_("in use"), default=True)
    source = models.CharField(
        _("written by"), max_length=10, choices=Source.choices, default=Source.SYNONYM, editable=False
    )

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("synonym group")
        verbose_name_plural = _("synonym groups")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(weight__gt=0, weight__lt=1), name="a_synonym_weighs_less_than_a_typed_word"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Synonym(models.Model):
    """A word or phrase of a group, in its base form.

    `phrase` is what a question is compared with: the lemmas of `text` without function words, joined by spaces.
    `ingestion.services.synonyms` writes it; a row without it matches nothing.
    """

    group = models.ForeignKey(SynonymGroup, models.CASCADE, related_name="synonyms")
    text = models.CharField(_("word or phrase"), max_length=200)
    phrase = models.CharField(max_length=1000, default="", editable=False)
    position = models.PositiveSmallIntegerField(_("order"), default=0)

    class Meta:
        ordering = ["position", "pk"]
        verbose_name = _("synonym")
        verbose_name_plural = _("synonyms")
        constraints = [models.UniqueConstraint(fields=["group", "text"], name="one_synonym_a_group")]
        indexes = [models.Index(fields=["phrase"], name="synonym_phrase")]

    def __str__(self) -> str:
        return self.text

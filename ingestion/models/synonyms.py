"""Synonyms: those that editors keep, and those that come in packs; matching is by lemma, so base forms are enough."""

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection


class LexiconPack(models.Model):
    """A file of the shipped lexicon: everyday words of a domain. `digest` is of the file that was loaded last."""

    name = models.CharField(_("name"), max_length=40, unique=True)
    title = models.CharField(_("title"), max_length=200)
    enabled = models.BooleanField(_("in use"), default=True)
    digest = models.CharField(max_length=64, default="", editable=False)

    class Meta:
        ordering = ["title"]
        verbose_name = _("lexicon pack")
        verbose_name_plural = _("lexicon packs")

    def __str__(self) -> str:
        return self.title


class SynonymGroup(models.Model):
    """Words that mean the same. One-way: the words that lead find the others, not the other way round.

    A group of a pack has a `key` that stays the same from release to release, so that one which an administrator
    switched off stays so.
    """

    class Direction(models.TextChoices):
        TWO_WAY = "two_way", _("two-way")
        ONE_WAY = "one_way", _("one-way: the first word finds the others")

    class Source(models.TextChoices):
        SYNONYM = "synonym", _("editors")
        THESAURUS = "thesaurus", _("thesaurus")
        LEXICON = "lexicon", _("lexicon of everyday words")

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
    pack = models.ForeignKey(
        LexiconPack,
        models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="groups",
        verbose_name=_("lexicon pack"),
    )
    key = models.CharField(max_length=64, default="", editable=False)

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

    `phrase` is what a chunk must have: the lemmas of `text` without function words, joined by spaces. `found_by` is
    what a question is compared with: the same, or a key of `ingestion.text.phrases`; "" where no question finds it.
    `context` are phrases of which a question must have one, where a word means several things; empty: none is needed.
    `leads`: finds the others of a one-way group. Services write all of these.
    """

    group = models.ForeignKey(SynonymGroup, models.CASCADE, related_name="synonyms")
    text = models.CharField(_("word or phrase"), max_length=200)
    phrase = models.CharField(max_length=1000, default="", editable=False)
    found_by = models.CharField(max_length=1010, default="", editable=False)
    context = ArrayField(models.CharField(max_length=200), default=list, editable=False)
    leads = models.BooleanField(default=False, editable=False)
    position = models.PositiveSmallIntegerField(_("order"), default=0)

    class Meta:
        ordering = ["position", "pk"]
        verbose_name = _("synonym")
        verbose_name_plural = _("synonyms")
        constraints = [models.UniqueConstraint(fields=["group", "text"], name="one_synonym_a_group")]
        indexes = [models.Index(fields=["found_by"], name="synonym_found_by")]

    def __str__(self) -> str:
        return self.text

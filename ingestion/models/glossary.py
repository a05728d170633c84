"""The organisation's own words: systems, units, forms, with what they are and what else people call them."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection


class GlossaryEntry(models.Model):
    """A term; its aliases expand a question like synonyms, and texts that name it are about it.

    `phrases` are the lemmas of the term and of each alias, in this order, as in `Synonym.phrase`.
    """

    term = models.CharField(_("term"), max_length=200)
    definition = models.TextField(_("definition"), blank=True)
    aliases = ArrayField(
        models.CharField(max_length=200),
        verbose_name=_("other names"),
        default=list,
        blank=True,
        help_text=_("One a line, in the base form: abbreviations, former names, what people say."),
    )
    kind = models.CharField(_("kind"), max_length=60, blank=True, help_text=_("For example: system, unit, form."))
    collection = models.ForeignKey(
        Collection,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="glossary",
        verbose_name=_("collection"),
        help_text=_("Empty: every collection."),
    )
    phrases = ArrayField(models.CharField(max_length=1000), default=list, editable=False)
    modified = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["term", "pk"]
        verbose_name = _("glossary entry")
        verbose_name_plural = _("glossary")
        constraints = [
            models.UniqueConstraint(fields=["collection", "term"], nulls_distinct=False, name="one_entry_a_term")
        ]
        indexes = [GinIndex(fields=["phrases"], name="glossary_phrases", fastupdate=False)]

    def __str__(self) -> str:
        return self.term

    @property
    def names(self) -> list[str]:
        return [self.term, *self.aliases]

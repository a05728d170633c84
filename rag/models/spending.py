"""What language models cost: prices set here, what was used each month, and how much of it is allowed."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rag.models.assistants import Assistant

NOBODY = 0
"""The number that stands for no assistant: searches, work in the background, questions to none in particular."""


class ModelPrice(models.Model):
    """US dollars for a million tokens of a model, in place of the price that the program knows."""

    model = models.CharField(_("model"), max_length=200, unique=True, help_text=_("As it is named in requests."))
    input = models.DecimalField(
        _("input"), max_digits=10, decimal_places=4, validators=[MinValueValidator(0)],
        help_text=_("US dollars for a million tokens read."),
    )  # fmt: skip
    output = models.DecimalField(
        _("output"), max_digits=10, decimal_places=4, validators=[MinValueValidator(0)],
        help_text=_("US dollars for a million tokens written."),
    )  # fmt: skip
    cache_read = models.DecimalField(
        _("read from the cache"), max_digits=10, decimal_places=4, null=True, blank=True,
        validators=[MinValueValidator(0)], help_text=_("Empty: as input."),
    )  # fmt: skip
    cache_write = models.DecimalField(
        _("written into the cache"), max_digits=10, decimal_places=4, null=True, blank=True,
        validators=[MinValueValidator(0)], help_text=_("Empty: as input."),
    )  # fmt: skip
    modified = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["model"]
        verbose_name = _("price of a model")
        verbose_name_plural = _("prices of models")

    def __str__(self) -> str:
        return self.model


class MonthlySpending(models.Model):
    """What a model was used for an assistant in a month; `rag.llm.spending.ledger` alone writes it.

    `month` is its first day. `assistant` is a number, not a reference: money stays spent when an assistant goes.
    `cost` in US dollars, by the prices at the time; `unpriced` are the tokens that had no price then.
    """

    month = models.DateField(_("month"))
    assistant = models.BigIntegerField(_("assistant"), default=NOBODY)
    model = models.CharField(_("model"), max_length=200)
    requests = models.PositiveBigIntegerField(_("requests"), default=0)
    input = models.PositiveBigIntegerField(_("tokens read"), default=0)
    output = models.PositiveBigIntegerField(_("tokens written"), default=0)
    cache_read = models.PositiveBigIntegerField(default=0)
    cache_write = models.PositiveBigIntegerField(default=0)
    unpriced = models.PositiveBigIntegerField(_("tokens without a price"), default=0)
    cost = models.DecimalField(_("cost"), max_digits=20, decimal_places=10, default=Decimal(0))

    class Meta:
        ordering = ["-month", "assistant", "model"]
        verbose_name = _("spending of a month")
        verbose_name_plural = _("spending by month")
        constraints = [models.UniqueConstraint(fields=["month", "assistant", "model"], name="one_spending_a_month")]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m} {self.model}"


class MonthlyBudget(models.Model):
    """What may be used in a calendar month: by an assistant, or without one by the whole installation."""

    assistant = models.ForeignKey(
        Assistant,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("assistant"),
        help_text=_("Empty: everything that the installation asks language models."),
    )
    dollars = models.DecimalField(
        _("US dollars a month"), max_digits=12, decimal_places=2, null=True, blank=True,
        validators=[MinValueValidator(0)], help_text=_("Counts what models with a price cost. Empty: no such limit."),
    )  # fmt: skip
    tokens = models.PositiveBigIntegerField(
        _("tokens a month"), null=True, blank=True,
        help_text=_("Counts what all models read and write, with a price or without. Empty: no such limit."),
    )  # fmt: skip
    warn_percent = models.PositiveSmallIntegerField(
        _("warn at"), default=80, validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("Per cent of the limit."),
    )  # fmt: skip

    class Meta:
        ordering = [models.F("assistant__name").asc(nulls_first=True)]
        verbose_name = _("budget")
        verbose_name_plural = _("budgets")
        constraints = [
            models.UniqueConstraint(
                fields=["assistant"],
                name="one_budget_for_each",
                nulls_distinct=False,
                violation_error_message=_("There is a budget for it already."),
            )
        ]

    def __str__(self) -> str:
        return str(self.assistant) if self.assistant else gettext("the installation")

    def clean(self) -> None:
        if self.dollars is None and self.tokens is None:
            raise ValidationError(_("Give a limit in dollars, in tokens, or both."))

"""Servers of language models that administrators set up here instead of in the environment."""

import re
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?", re.IGNORECASE)


def check_address(address: str) -> None:
    """Raises ValidationError. Keys have a field of their own, so none may stand in the address."""
    try:
        well = bool(_ADDRESS.fullmatch(address)) and bool(urlsplit(address).hostname)
        well = well and (urlsplit(address).port or 80) > 0
    except ValueError:
        well = False
    if not well:
        raise ValidationError(_("Write an address such as http://localhost:11434 or https://api.example.pl/v1."))


class LanguageModelServer(models.Model):
    """How a server is reached, and which of its models does what. `encrypted_key` is never shown.

    `main`: it answers; `fast_model` does its other steps, but for those in `step_models`, {step: model}. A server that
    is not does nothing but its `step_models`.
    """

    class API(models.TextChoices):
        MESSAGES = "messages", _("Messages (Anthropic and compatible)")
        CHAT_COMPLETIONS = "chat_completions", _("Chat Completions (OpenAI, Ollama, vLLM, llama.cpp and compatible)")

    name = models.CharField(_("name"), max_length=60, unique=True, help_text=_("What it is called here."))
    main = models.BooleanField(
        _("it answers"), default=True, help_text=_("One server answers; others may do single steps.")
    )
    api = models.CharField(_("API"), max_length=20, choices=API.choices, default=API.MESSAGES)
    base_url = models.CharField(
        _("address"),
        max_length=500,
        blank=True,
        validators=[check_address],
        help_text=_("Empty: api.anthropic.com or api.openai.com. A server of your own may stand in your network."),
    )
    encrypted_key = models.TextField(editable=False, blank=True)
    key_changed = models.DateTimeField(null=True, editable=False)
    model = models.CharField(_("model for answers"), max_length=200, blank=True, help_text=_("As the server calls it."))
    fast_model = models.CharField(
        _("fast model"),
        max_length=200,
        blank=True,
        help_text=_("For short steps that readers wait for. Empty: the same as for answers."),
    )
    step_models = models.JSONField(_("models of single steps"), default=dict, blank=True)
    modified = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["-main", "name"]
        verbose_name = _("language-model server")
        verbose_name_plural = _("language-model servers")
        constraints = [
            models.UniqueConstraint(
                fields=["main"],
                condition=Q(main=True),
                name="one_server_answers",
                violation_error_message=_("Another server answers already."),
            )
        ]

    def __str__(self) -> str:
        return self.name

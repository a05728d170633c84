from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rag.admin.base import PrivateAdmin, PrivateInline
from rag.admin.dashboard.dashboard_charts import percent
from rag.admin.evaluation.action import add_to_set
from rag.models import Conversation, Exchange, ExchangeCitation

_OUTCOMES = {
    "answered": _("an answer"),
    "not_certain": _("the nearest passages"),
    "not_found": _("not found"),
    "passages_only": _("passages only"),
    "direct": _("said without documents"),
}
_QUALITIES = {"HIGH": _("good"), "MEDIUM": _("middling"), "LOW": _("weak")}


class ExchangeInline(PrivateInline[Exchange, Conversation]):
    model = Exchange
    fields = ["question", "answer", "outcome", "created"]
    show_change_link = True


class CitationInline(PrivateInline[ExchangeCitation, Exchange]):
    model = ExchangeCitation
    verbose_name_plural = _("citations")
    fields = ["number", "title", "quote", "page_start", "line_start", "score"]


@admin.register(Conversation)
class ConversationAdmin(PrivateAdmin[Conversation]):
    list_display = ["title", "owner", "questions", "modified"]
    list_select_related = ["owner"]
    search_fields = ["title"]
    fields = ["title", "owner", "created", "modified"]
    inlines = [ExchangeInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        return super().get_queryset(request).annotate(question_count=Count("exchanges"))

    @admin.display(description=_("questions"), ordering="question_count")
    def questions(self, conversation: Conversation) -> int:
        return int(getattr(conversation, "question_count", 0))


@admin.register(Exchange)
class ExchangeAdmin(PrivateAdmin[Exchange]):
    list_display = ["question", "outcome_in_words", "quality_in_words", "certainty", "synthesizer", "created"]
    list_filter = ["outcome", "quality", "language"]
    search_fields = ["question", "answer"]
    date_hierarchy = "created"
    actions = [add_to_set]
    fieldsets = [
        (None, {"fields": ["as_read", "conversation_link", "question", "answer", "outcome_in_words", "created"]}),
        (_("Judgement"), {"fields": ["quality_in_words", "certainty", "searched"]}),
        (
            _("Details"),
            {
                "fields": [
                    "synthesizer",
                    "model",
                    "steps",
                    "verification",
                    "uncited_claims",
                    "notices",
                    "corrections",
                    "metrics",
                    "trace_id",
                ],
                "classes": ["collapse"],
            },
        ),
    ]
    readonly_fields = ["as_read", "conversation_link", "outcome_in_words", "quality_in_words", "certainty"]
    inlines = [CitationInline]

    @admin.display(description=_("conversation"))
    def conversation_link(self, exchange: Exchange) -> SafeString:
        address = reverse("admin:rag_conversation_change", args=[exchange.conversation_id])
        return format_html('<a href="{}" class="text-link">{}</a>', address, exchange.conversation)

    @admin.display(description=_("as its reader sees it"))
    def as_read(self, exchange: Exchange) -> SafeString:
        address = reverse("chat:reviewed", args=[exchange.conversation_id])
        text = gettext("The question with its answer, sources and steps")
        return format_html('<a href="{}#{}" class="text-link">{}</a>', address, exchange.pk, text)

    @admin.display(description=_("outcome"), ordering="outcome")
    def outcome_in_words(self, exchange: Exchange) -> str:
        return str(_OUTCOMES.get(exchange.outcome, exchange.outcome))

    @admin.display(description=_("quality of the passages"), ordering="quality")
    def quality_in_words(self, exchange: Exchange) -> str:
        return str(_QUALITIES.get(exchange.quality, exchange.quality))

    @admin.display(description=_("confidence"), ordering="confidence")
    def certainty(self, exchange: Exchange) -> str:
        return percent(exchange.confidence)

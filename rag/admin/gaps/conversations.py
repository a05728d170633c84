from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from rag.admin.base import PrivateAdmin, PrivateInline
from rag.admin.evaluation.action import add_to_set
from rag.models import Conversation, Exchange, ExchangeCitation


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
    list_display = ["question", "outcome", "quality", "confidence", "synthesizer", "created"]
    list_filter = ["outcome", "quality", "language"]
    search_fields = ["question", "answer"]
    date_hierarchy = "created"
    actions = [add_to_set]
    fields = [
        "conversation_link", "question", "searched", "answer", "outcome", "quality", "confidence", "synthesizer",
        "model", "steps", "verification", "uncited_claims", "notices", "corrections", "metrics", "trace_id", "created",
    ]  # fmt: skip
    readonly_fields = ["conversation_link"]
    inlines = [CitationInline]

    @admin.display(description=_("conversation"))
    def conversation_link(self, exchange: Exchange) -> SafeString:
        address = reverse("admin:rag_conversation_change", args=[exchange.conversation_id])
        return format_html('<a href="{}" class="text-link">{}</a>', address, exchange.conversation)

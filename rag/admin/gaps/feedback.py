from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from rag.admin.base import PrivateAdmin
from rag.models import Feedback

_SHOWN = 120  # characters


@admin.register(Feedback)
class FeedbackAdmin(PrivateAdmin[Feedback]):
    list_display = ["question", "judged", "reason", "short_comment", "user", "modified"]
    list_display_links = ["modified"]
    list_filter = ["verdict", "reason"]
    list_select_related = ["exchange", "user"]
    search_fields = ["comment", "exchange__question"]
    date_hierarchy = "modified"
    fields = ["question", "verdict", "reason", "comment", "user", "created", "modified"]
    readonly_fields = ["question"]

    @admin.display(description=_("question"), ordering="exchange__question")
    def question(self, feedback: Feedback) -> SafeString:
        address = reverse("admin:rag_exchange_change", args=[feedback.exchange_id])
        text = Truncator(feedback.exchange.question).chars(_SHOWN)
        return format_html('<a href="{}" class="text-link">{}</a>', address, text)

    @admin.display(description=_("reader's judgement"), ordering="verdict")
    def judged(self, feedback: Feedback) -> str:
        return feedback.get_verdict_display()

    @admin.display(description=_("comment"))
    def short_comment(self, feedback: Feedback) -> str:
        return Truncator(feedback.comment).chars(_SHOWN)

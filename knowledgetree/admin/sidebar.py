"""The admin's sidebar: `settings.UNFOLD["SIDEBAR"]["navigation"] = "knowledgetree.admin.sidebar.navigation"`."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ingestion.models.viewers import is_superuser
from rag.admin.conflicts.board import badge as open_conflicts
from rag.admin.gaps.gaps import badge as new_gaps
from rag.selectors.assistants import HELP, is_help_offered

# What is opened every day stands above, what is set once below.
GROUPS: list[tuple[Promise, list[tuple[Promise, str, str]]]] = [
    (
        _("Documents"),
        [
            (_("Documents"), "description", "ingestion.document"),
            (_("Collections"), "folder_managed", "ingestion.collection"),
            (_("Sources"), "cloud_download", "ingestion.source"),
            (_("Proposed validities"), "event_available", "ingestion.validityproposal"),
            (_("Jobs"), "pending_actions", "ingestion.job"),
        ],
    ),
    (
        _("Quality"),
        [
            (_("Dashboard"), "monitoring", "rag.dashboard"),
            (_("Knowledge gaps"), "inbox", "rag.knowledgegap"),
            (_("Contradictions"), "difference", "rag.conflict"),
            (_("Feedback"), "thumbs_up_down", "rag.feedback"),
            (_("Questions"), "help", "rag.exchange"),
            (_("Conversations"), "forum", "rag.conversation"),
            (_("Hit testing"), "compare", "rag.hit_testing"),
            (_("Evaluation sets"), "checklist", "rag.evaluationdataset"),
            (_("Measurements"), "speed", "rag.evaluationrun"),
            (_("Learning"), "school", "rag.calibrationattempt"),
        ],
    ),
    (
        _("Answers"),
        [
            (_("Assistants"), "support_agent", "rag.assistant"),
            (_("Widgets"), "web", "rag.widget"),
            (_("Synonyms"), "compare_arrows", "ingestion.synonymgroup"),
            (_("Everyday words"), "record_voice_over", "ingestion.lexiconpack"),
            (_("Glossary"), "dictionary", "ingestion.glossaryentry"),
        ],
    ),
    (
        _("People"),
        [
            (_("Users"), "person", "auth.user"),
            (_("Groups"), "group", "auth.group"),
            (_("Groups of the directory"), "badge", "knowledgetree.directorygroup"),
            (_("API keys"), "key", "ingestion.apikey"),
            (_("Audit log"), "policy", "knowledgetree.auditentry"),
            (_("Personal data"), "shield_person", "knowledgetree.processingrecord"),
        ],
    ),
    (
        _("Language models"),
        [
            (_("Servers"), "dns", "rag.languagemodelserver"),
            (_("Prices"), "sell", "rag.modelprice"),
            (_("Budgets"), "account_balance_wallet", "rag.monthlybudget"),
        ],
    ),
    (
        _("Advanced"),
        [
            (_("Settings"), "settings", "rag.settings"),
            (_("Presets"), "tune", "rag.presets"),
            (_("Prompts"), "psychology", "rag.prompts"),
            (_("Chunks"), "segment", "ingestion.chunk"),
            (_("Chunking"), "content_cut", "ingestion.rechunking"),
            (_("Embedding spaces"), "hub", "ingestion.embeddingspace"),
            (_("Erasures"), "delete_forever", "ingestion.erasure"),
            (_("Webhooks"), "webhook", "knowledgetree.webhook"),
            (_("Accessibility"), "accessibility_new", "knowledgetree.accessibilitystatement"),
        ],
    ),
]

BY_PERMISSION = {
    "processingrecord",
    "assistant",
    "widget",
    "knowledgegap",
    "evaluationdataset",
    "evaluationrun",
    "calibrationattempt",
}
BADGES = {"rag.knowledgegap": new_gaps, "rag.conflict": open_conflicts}


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Groups with the models that the user may see; a group without any is left out. The last leads to the guides."""
    groups = []
    for title, entries in GROUPS:
        items = [item(*entry) | badge(request, entry[2]) for entry in entries if may_see(request, entry[2])]
        if items:
            groups.append({"title": title, "items": items})
    if is_help_offered(request.user):
        address = reverse("chat:home", query={"assistant": HELP})
        ask = {"title": _("Ask how to do it"), "icon": "help_center", "link": address, "active": _is_elsewhere}
        groups.append({"title": _("Help"), "items": [ask]})
    return groups


def _is_elsewhere(request: HttpRequest) -> bool:
    """For the theme takes every page to be below the address `/`."""
    return False


def item(title: Promise, icon: str, model: str) -> dict[str, Any]:
    address = reverse(f"admin:{model.replace('.', '_')}_changelist")
    return {"title": title, "icon": icon, "link": address}


def badge(request: HttpRequest, model: str) -> dict[str, str]:
    """What waits there, where something does."""
    waiting = BADGES[model](request) if model in BADGES else ""
    return {"badge": waiting} if waiting else {}


def may_see(request: HttpRequest, model: str) -> bool:
    if model in ("rag.conflict", "ingestion.validityproposal"):  # whoever keeps documents decides
        model = "ingestion.document"
    app, name = model.split(".")
    if model == "rag.dashboard":  # a page of its own, not a model
        return request.user.has_perm("rag.view_exchange")
    if model == "rag.presets":  # which assistants are made of
        name = "assistant"
    if model == "rag.hit_testing":
        name = "evaluationdataset"
    if app in ("knowledgetree", "rag") and name not in BY_PERMISSION:  # rights; what people asked is private
        return is_superuser(request.user)
    if app == "knowledgetree" and name.startswith("webhook"):  # which send what happens here elsewhere
        return is_superuser(request.user)
    return any(request.user.has_perm(f"{app}.{action}_{name}") for action in ("view", "change"))

"""Every prompt as it is sent to language models, with where and for what."""

from dataclasses import dataclass
from itertools import groupby

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models.viewers import is_superuser
from rag.llm import model_for
from rag.llm.configuration import llm_settings
from rag.llm.prompts import PromptFile, prompt_files

_ANSWERING = gettext_lazy("Writing the answer")
_WORDING = gettext_lazy("Wording a follow-up question so that it stands alone")
_TRANSLATING = gettext_lazy("Wording a question in the language of the documents")
_SEARCHING = gettext_lazy("Other wordings of the question, for the search")
_RERANKING = gettext_lazy("Ordering passages by a language model")
_CHECKING = gettext_lazy("Checking claims against the passages")
_CRITIQUE = gettext_lazy("Looking for what a draft leaves out")
_RESEARCH = gettext_lazy("Research in several steps")
_WEB = gettext_lazy("Searching the web")
_SUMMARISING = gettext_lazy("Summarising groups of documents")
_JUDGING = gettext_lazy("Judging answers when they are measured")
_HIDING = gettext_lazy("Hiding personal data from models, whatever they are asked for")

# Prompt: what it serves, and as which of LLM_STEPS a model is asked.
PURPOSES: dict[str, tuple[Promise, str]] = {
    "answer": (_ANSWERING, "answer"),
    "sources": (_ANSWERING, "answer"),
    "located_answer": (_ANSWERING, "answer"),
    "located": (_ANSWERING, "answer"),
    "refine": (_ANSWERING, "answer"),
    "summary": (_ANSWERING, "answer"),
    "rewrite": (_WORDING, "rewriting"),
    "follow_up": (_WORDING, "rewriting"),
    "translate": (_TRANSLATING, "rewriting"),
    "multi_query": (_SEARCHING, "expansion"),
    "hyde": (_SEARCHING, "expansion"),
    "decomposition": (_SEARCHING, "expansion"),
    "question": (_SEARCHING, "expansion"),
    "rerank": (_RERANKING, "expansion"),
    "passages": (_RERANKING, "expansion"),
    "verify": (_CHECKING, "verification"),
    "critique": (_CRITIQUE, "verification"),
    "draft": (_CRITIQUE, "verification"),
    "sufficiency": (_RESEARCH, "planning"),
    "gathered": (_RESEARCH, "planning"),
    "research": (_RESEARCH, "tools"),
    "research_task": (_RESEARCH, "tools"),
    "web_search": (_WEB, "tools"),
    "community": (_SUMMARISING, "summaries"),
    "pseudonyms": (_HIDING, "answer"),
    "judge": (_JUDGING, "judging"),
    "judged": (_JUDGING, "judging"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPrompt:
    """A prompt in each of its languages. `model` is the one that gets it, "" where none is configured."""

    name: str
    purpose: str
    step: str
    model: str
    files: tuple[PromptFile, ...]


@require_safe
@never_cache
def prompts_view(request: HttpRequest) -> HttpResponse:
    if not is_superuser(request.user):
        raise PermissionDenied
    context = {
        **admin.site.each_context(request),
        "title": _("Prompts"),
        "prompts": shown_prompts(),
        "has_model": llm_settings().configured,
    }
    return TemplateResponse(request, "admin/settings_seen/prompts.html", context)


def shown_prompts() -> list[ShownPrompt]:
    """By purpose, in the order of a question's way."""
    order = list(PURPOSES)
    shown = [_shown(name, tuple(files)) for name, files in groupby(prompt_files(), key=lambda file: file.name)]
    return sorted(shown, key=lambda prompt: order.index(prompt.name) if prompt.name in order else len(order))


def _shown(name: str, files: tuple[PromptFile, ...]) -> ShownPrompt:
    purpose, step = PURPOSES.get(name, ("", ""))
    llm = llm_settings()
    model = model_for(llm, step) if llm.configured and step else ""
    return ShownPrompt(name=name, purpose=str(purpose), step=step, model=model, files=files)

"""Errors of asking. "Not enough evidence" is an outcome, not an error."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class InvalidQuestion(KnowledgeTreeError):
    code = "invalid_question"
    status = 400
    remedy = _("Write a question of 1 to 2,000 characters.")


class InvalidFilter(KnowledgeTreeError):
    code = "invalid_filter"
    status = 400


class LLMError(KnowledgeTreeError):
    """The language model gave no usable answer. The pipeline shows the passages instead."""

    code = "llm_failed"
    status = 502
    retryable = True
    remedy = _("Try again in a moment; the sources are shown below.")


class LLMUnavailable(LLMError):
    code = "llm_unavailable"


class LLMRejected(LLMError):
    """Wrong key, wrong model, no credit: waiting does not help."""

    code = "llm_rejected"
    retryable = False
    remedy = _("The administrator should check the language model's name, its key and the account's credit.")


class CitationsUnsupported(LLMRejected):
    """The server does not know search results or citations: ask it with numbered sources instead."""


class ToolsUnsupported(LLMRejected):
    """The server does not let this model use tools."""

    remedy = _("Choose another model for the step “tools”, or a preset whose research is not agentic.")


class RerankingFailed(KnowledgeTreeError):
    """The reranker was late or broke. The search goes on with the fused order."""

    code = "reranking_failed"
    status = 502
    retryable = True


class UnknownAssistant(KnowledgeTreeError):
    code = "unknown_assistant"
    status = 404
    remedy = _("Ask the administrator which assistants there are, or leave the name out.")


class UnknownPreset(KnowledgeTreeError):
    code = "unknown_preset"
    status = 400


class UnknownPassage(KnowledgeTreeError):
    """It is not there, or not for who asks: nobody learns which."""

    code = "not_found"
    status = 404
    remedy = _("Search again, and use an id as it stands in the results.")

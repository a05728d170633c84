"""The presets that come with the program. `settings.RAG["presets"]` changes parts of them or adds others."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SHIPPED: dict[str, dict[str, Any]] = {
    # 35 passages by words instead of 50: a third less to read, and nDCG@10 on five sets falls by 0.0003 (benchmarks).
    # A broad question finds 8 points more of the documents that it needs (benchmarks, groups of documents).
    "offline": {"synthesizer": "extractive", "lexical_limit": 35, "dense_limit": 40, "communities": 0.3},
    "fast": {
        "synthesizer": "compact",
        "lexical_limit": 20,
        "rerank_when": "uncertain",
        "related": 0,
        "source_tokens": 2000,
    },
    "balanced": {"synthesizer": "compact", "alike_above": 0.9, "communities": 0.3},
    # Neither a cross-encoder, which few installations have, nor other wordings of every question, nor single sentences:
    # none gained a right answer, and where the cross-encoder cannot be had 4 questions of 135 lost their evidence.
    "accurate": {
        "synthesizer": "compact",
        "alike_above": 0.9,
        "communities": 0.3,
        "research": "planned",
        "verification": "llm",
    },
    "research": {
        "synthesizer": "compact",
        "alike_above": 0.9,
        "communities": 0.3,
        "research": "agentic",
        "research_seconds": 60.0,
        "research_queries": 8,
    },
    "legal": {"synthesizer": "compact", "fusion": "weighted", "dense_weight": 0.3},
    "code": {"synthesizer": "compact", "fusion": "weighted", "dense_weight": 0.2},
}

DESCRIPTIONS: dict[str, Promise] = {
    "offline": _("No model and no key: the best sentences of the sources, cited."),
    "fast": _("A short answer from few passages; reranks only where the order is in doubt."),
    "balanced": _("A language model writes the answer from deduplicated passages."),
    "accurate": _("Looks up what is still missing before it answers, and a model checks the answer; slower."),
    "research": _("A language model searches by itself for up to a minute: for questions that need several documents."),
    "legal": _("Statutes and regulations: the words of the question weigh more than its meaning."),
    "code": _("Source code and manuals: identifiers must be found as they are written."),
}

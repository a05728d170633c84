"""The presets that come with the program. `settings.RAG["presets"]` changes parts of them or adds others."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SHIPPED: dict[str, dict[str, Any]] = {
    # 35 passages by words instead of 50: a third less to read, and nDCG@10 on five sets falls by 0.0003 (benchmarks).
    # A broad question finds 8 points more of the documents that it needs (benchmarks, groups of documents).
    "offline": {"synthesizer": "extractive", "lexical_limit": 35, "communities": 0.3},
    "fast": {
        "synthesizer": "compact",
        "lexical_limit": 20,
        "rerank_when": "uncertain",
        "related": 0,
        "source_tokens": 2000,
    },
    "balanced": {"synthesizer": "compact", "alike_above": 0.9, "communities": 0.3},
    "accurate": {
        "synthesizer": "compact",
        "alike_above": 0.9,
        "sentences": True,
        "transformations": ["multi_query"],
        "reranker": "cross_encoder",
        "rerank_limit": 20,
        "research": "planned",
        "verification": "llm",
    },
    "legal": {"synthesizer": "compact", "fusion": "weighted", "dense_weight": 0.3},
    "code": {"synthesizer": "compact", "fusion": "weighted", "dense_weight": 0.2},
}

DESCRIPTIONS: dict[str, Promise] = {
    "offline": _("No model and no key: the best sentences of the sources, cited."),
    "fast": _("A short answer from few passages; reranks only where the order is in doubt."),
    "balanced": _("A language model writes the answer from deduplicated passages."),
    "accurate": _("Composite questions in several steps, a cross-encoder, and a model that checks the answer; slower."),
    "legal": _("Statutes and regulations: the words of the question weigh more than its meaning."),
    "code": _("Source code and manuals: identifiers must be found as they are written."),
}

"""Assistants; evaluation; and what was asked and answered, for superusers."""

import rag.admin.assistants.assistants
import rag.admin.assistants.widgets
import rag.admin.evaluation.learning
import rag.admin.evaluation.runs
import rag.admin.evaluation.runs_admin
import rag.admin.gaps.conversations
import rag.admin.gaps.feedback
import rag.admin.language_models.budgets
import rag.admin.language_models.prices
import rag.admin.language_models.servers  # noqa: F401  (importing registers)

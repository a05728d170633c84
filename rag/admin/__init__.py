"""Assistants; evaluation; and what was asked and answered, for superusers."""

import rag.admin.assistants.assistants
import rag.admin.evaluation.learning
import rag.admin.evaluation.runs
import rag.admin.evaluation.runs_admin
import rag.admin.gaps.conversations
import rag.admin.gaps.feedback  # noqa: F401  (importing registers)

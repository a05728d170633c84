"""Assistants; evaluation; and what was asked and answered, for superusers."""

import rag.admin.assistants.assistants  # noqa: F401  (importing registers)
import rag.admin.evaluation.runs  # noqa: F401  (importing registers)
import rag.admin.evaluation.runs_admin  # noqa: F401  (importing registers)
import rag.admin.gaps.conversations  # noqa: F401  (importing registers)
import rag.admin.gaps.feedback  # noqa: F401  (importing registers)

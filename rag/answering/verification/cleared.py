"""Contradictions that an editor has cleared on the board are not pointed out again."""

from collections.abc import Sequence
from hashlib import md5

from django.db.models import Q

from rag.models import Conflict
from rag.types import Contradiction, Statement


def digest_of(text: str) -> str:
    """What tells one wording of a statement from another; how its lines are broken does not matter."""
    return md5(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()


def without_cleared(contradictions: Sequence[Contradiction]) -> tuple[Contradiction, ...]:
    """The others, in their order. One query where there are any."""
    if not contradictions:
        return ()
    sides = {_side(one) for pair in contradictions for one in (pair.first, pair.second)}
    cleared = Conflict.objects.exclude(decision=Conflict.Decision.OPEN).filter(
        Q(first__document__in={document for document, _ in sides}, first__digest__in={digest for _, digest in sides})
    )
    pairs = cleared.values_list("first__document", "first__digest", "second__document", "second__digest")
    known = {frozenset(((one, its), (other, another))) for one, its, other, another in pairs}
    return tuple(pair for pair in contradictions if frozenset((_side(pair.first), _side(pair.second))) not in known)


def _side(statement: Statement) -> tuple[int, str]:
    return statement.document_id, digest_of(statement.quote)

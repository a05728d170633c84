"""The board as somebody may see it: contradictions about one thing together, the likely newer statement first."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import QuerySet

from ingestion.models.viewers import Viewer
from rag.models import Conflict
from rag.selectors.conflicts import ShownStatement, conflicts_of_owner, shown_statements, visible_conflicts

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
Decision = Conflict.Decision

# Each statement looks for others through those of higher numbers alone: whom nobody of a lower number finds, begins a
# group. Groups are small, so this is little more than reading the pairs, and none of them leaves the database.
_NUMBER = """
WITH RECURSIVE pair AS MATERIALIZED ({pairs}),
edge(here, there) AS MATERIALIZED (SELECT first_id, second_id FROM pair UNION SELECT second_id, first_id FROM pair),
reached(root, statement) AS (
    SELECT here, here FROM edge
    UNION
    SELECT root, there FROM reached JOIN edge ON here = statement AND there > root
)
SELECT count(*) FROM (SELECT statement FROM reached GROUP BY statement HAVING min(root) = statement) AS beginning
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictGroup:
    """Contradictions that are joined by their statements, by the number of the oldest. `statements`: newest first."""

    number: int
    conflicts: Sequence[Conflict]
    statements: Sequence[ShownStatement] = ()

    @property
    def first(self) -> Conflict:
        return self.conflicts[0]

    @property
    def right(self) -> set[int]:
        """The numbers of the statements that somebody said are right."""
        sides = {Decision.FIRST: "first_id", Decision.SECOND: "second_id"}
        return {getattr(one, sides[one.decision]) for one in self.conflicts if one.decision in sides}  # type: ignore[index]


def open_groups(viewer: Viewer) -> list[ConflictGroup]:
    """What waits for a decision, what was found last first; without its statements, which `with_statements` adds."""
    return _grouped(_open(viewer))


def groups_of_owner(viewer: Viewer) -> list[ConflictGroup]:
    """What waits for a decision and concerns a document that `viewer` brought."""
    return _grouped(conflicts_of_owner(viewer))


def cleared_groups(viewer: Viewer) -> list[ConflictGroup]:
    """What was decided, the last first."""
    groups = _grouped(_cleared(viewer).select_related("decided_by"))
    return sorted(groups, key=lambda group: max(one.decided for one in group.conflicts if one.decided), reverse=True)


def number_open(viewer: Viewer) -> int:
    """How many groups `open_groups` has. One query."""
    return _number(_open(viewer))


def number_of_owner(viewer: Viewer) -> int:
    """How many groups `groups_of_owner` has. One query."""
    return _number(conflicts_of_owner(viewer))


def number_cleared(viewer: Viewer) -> int:
    """How many groups `cleared_groups` has. One query."""
    return _number(_cleared(viewer))


def group_of(number: int, groups: Iterable[ConflictGroup]) -> ConflictGroup | None:
    return next((group for group in groups if any(one.pk == number for one in group.conflicts)), None)


def with_statements(groups: Sequence[ConflictGroup], viewer: Viewer) -> list[ConflictGroup]:
    """The groups as they are shown; one that lost a side meanwhile is left out."""
    statements = shown_statements([one for group in groups for one in group.conflicts], viewer)
    shown = [_with_statements(group, statements) for group in groups]
    return [group for group in shown if len(group.statements) > 1]


def _open(viewer: Viewer) -> QuerySet[Conflict]:
    return visible_conflicts(viewer).filter(decision=Decision.OPEN)


def _cleared(viewer: Viewer) -> QuerySet[Conflict]:
    return visible_conflicts(viewer).exclude(decision=Decision.OPEN)


def _number(conflicts: QuerySet[Conflict]) -> int:
    pairs, parameters = conflicts.order_by().values("first_id", "second_id").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER.format(pairs=pairs), parameters)
        return int(cursor.fetchone()[0])


def _with_statements(group: ConflictGroup, statements: Mapping[int, ShownStatement]) -> ConflictGroup:
    numbers = dict.fromkeys(side for one in group.conflicts for side in (one.first_id, one.second_id))
    own = [statements[number] for number in numbers if number in statements]
    own.sort(key=lambda one: (_age(one), one.number), reverse=True)
    return ConflictGroup(number=group.number, conflicts=group.conflicts, statements=own)


def _age(statement: ShownStatement) -> date:
    """A year in the title says more of a document than the day on which somebody touched it last."""
    years = [int(year) for year in _YEAR.findall(statement.title)]
    dated = statement.dated or date.min
    return date(max(years), 1, 1) if years and max(years) != dated.year else dated


def _grouped(conflicts: QuerySet[Conflict]) -> list[ConflictGroup]:
    """Joined where they share a statement (union by the smallest)."""
    rows = list(conflicts.order_by("pk"))
    leader: dict[int, int] = {}

    def root(number: int) -> int:
        while leader.setdefault(number, number) != number:
            number = leader[number]
        return number

    for one in rows:
        ours, theirs = sorted((root(one.first_id), root(one.second_id)))
        leader[theirs] = ours
    groups: dict[int, list[Conflict]] = {}
    for one in rows:
        groups.setdefault(root(one.first_id), []).append(one)
    found = [ConflictGroup(number=members[0].pk, conflicts=members) for members in groups.values()]
    return sorted(found, key=lambda group: -group.number)

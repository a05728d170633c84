"""The kinds of thing that a question can ask for."""

from typing import Literal, get_args

Thing = Literal[
    "person", "agent", "day", "date", "hour", "duration", "money", "percentage", "number", "place", "room", "phone",
    "email", "account", "web", "document", "code",
]  # fmt: skip
"""What can be pointed at in a text.

A `person` has a name; an `agent` is whoever acts: a person, a post, an office. A `day` stands in the calendar; a `date`
answers "kiedy" and may also be "14 dni od".
"""

Shape = Literal["reason", "steps", "yes_or_no", "comparison", "definition", "list"]
"""What an answer as a whole is, and no single place of it."""

Kind = Thing | Shape

THINGS: frozenset[str] = frozenset(get_args(Thing))

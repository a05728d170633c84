"""The other aspect of a verb."""

import pytest

from ingestion.text.morphology.aspect import aspect_partner


@pytest.mark.parametrize(
    ("verb", "partner"),
    [
        ("upoważniać", "upoważnić"),
        ("zgłosić", "zgłaszać"),
        ("zwracać", "zwrócić"),
        ("odwoływać", "odwołać"),
        ("dawać", "dać"),
        ("pracować", ""),
        ("mieć", ""),
        ("opłata", ""),
    ],
)
def test_a_pair_has_the_same_stem_and_the_other_aspect(verb: str, partner: str) -> None:
    assert aspect_partner(verb) == partner

"""What `doctor` says of what is missing."""

import pytest

from ingestion.models import LexiconPack
from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import load_packs
from knowledgetree.diagnosis import diagnose
from knowledgetree.readiness import Check


def lexicon() -> Check:
    return next(check for check in diagnose() if check.name == "lexicon")


@pytest.mark.django_db
def test_a_lexicon_that_is_not_loaded_is_named_with_its_remedy() -> None:
    LexiconPack.objects.all().delete()

    missing = lexicon()
    assert missing.well is None
    assert "load_lexicon" in missing.remedy


@pytest.mark.django_db
def test_a_lexicon_of_another_version_is_named_until_it_is_loaded_anew() -> None:
    load_packs(shipped_packs()[:1])
    LexiconPack.objects.update(digest="other")
    assert lexicon().well is None

    load_packs(shipped_packs())
    assert (lexicon().well, lexicon().remedy) == (True, "")
